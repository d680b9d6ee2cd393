import Foundation
import GRDB
import PeerTestSupport
import Testing

/// The page for phones of `send --web`, its files, and the downloads.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WebPageTests {
    @Test(arguments: [(1200, false), (390, true)]) func thePageListsTheFiles(width: Int, isDark: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                try await page.waitForFiles(6)
                let report = try await Browser.open(
                    page.url,
                    width: width,
                    isDark: isDark,
                    evaluating: [
                        "document.getElementById('name').textContent",
                        "[...document.querySelectorAll('#keep a, #files a')].map((link) => link.dataset.kind)",
                        "document.documentElement.scrollWidth <= innerWidth",
                        "document.getElementById('upload').hidden",
                        "document.getElementById('look').href",
                        "getComputedStyle(document.body).backgroundColor",
                        """
                        [...document.querySelectorAll('button, input')]
                            .filter((each) => !(each.textContent || each.labels.length)).length
                        """,
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                let values = report.values
                #expect(values[0].string == Example.name)
                #expect(values[1].array.compactMap(\.string) == ["html", "pdf", "mbtiles", "sqlitedb", "gpx", "zip"])
                #expect(values[2].bool == true, "the page is wider than the window")
                // Without a terminal nobody can be asked.
                #expect(values[3].bool == true)
                #expect(values[5].string == (isDark ? "rgb(24, 28, 26)" : "rgb(253, 252, 249)"))
                #expect(values[6].int == 0)
                let map = try await Browser.open(
                    try #require(values[4].string),
                    width: width,
                    isDark: isDark,
                    evaluating: [Browser.tiles, "view.data.lines.map((line) => line.kind)"]
                )
                #expect(map.ready == "yes" && map.problems.isEmpty, "\(map)")
                #expect(map.values[0].int ?? 0 >= 2)
                #expect(map.values[1].array.compactMap(\.string) == ["planned"])
            }
        }
    }

    @Test func theFilesAreWhole() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name, ["--web-personal"]) { page in
                try await page.waitForFiles(6)
                var paths: [String: String] = [:]
                for kind in ["pdf", "mbtiles", "sqlitedb", "gpx", "zip"] {
                    let path = directory.path("phone.\(kind)")
                    let ending = try await Curl.run(["--fail", "--output", path, page.file(kind)])
                    try #require(ending.code == 0, "\(ending)")
                    paths[kind] = path
                }
                let sheet = try Data(contentsOf: URL(fileURLWithPath: try #require(paths["pdf"])))
                #expect(sheet.starts(with: Data("%PDF-".utf8)) && sheet.suffix(10).range(of: Data("%%EOF".utf8)) != nil)
                let map = try #require(paths["mbtiles"])
                #expect(FileManager.default.contentsEqual(atPath: map, andPath: Example.map))
                let hasAllTiles =
                    try Self.tiles(ofOsmAnd: try #require(paths["sqlitedb"])) == Self.tiles(of: Example.map)
                #expect(hasAllTiles)
                let gpx = try String(contentsOfFile: try #require(paths["gpx"]), encoding: .utf8)
                #expect(gpx.contains("<trk>") && gpx.contains("<wpt "))
                let listing = try await ChildProcess.with(
                    "python3",
                    ["-c", Self.listing, try #require(paths["zip"]), map]
                ) { await $0.ending() }
                #expect(
                    listing.output == ["None", "['Coma-Pedrosa.gpx', 'Coma-Pedrosa.mbtiles']", "True"],
                    "\(listing)"
                )
            }
        }
    }

    /// Another process draws the sheet.
    ///
    /// On a machine without fonts, it says why it does not, and all else is there.
    @Test func whatKeepsTheSheetFromBeingDrawnIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let fonts = directory.path("fonts.conf")
            try "<fontconfig/>".write(toFile: fonts, atomically: true, encoding: .utf8)
            try await laptop.sendWithPage(Example.name, environment: ["FONTCONFIG_FILE": fonts]) { page in
                try await page.waitForFiles(5)
                let sheet = try await page.data()["files"]?.array.first { $0["kind"]?.string == "pdf" }
                let problem = try #require(sheet?["problem"]?.string)
                #expect(problem.hasPrefix("The PDF could not be made: ") && problem.contains("a font"), "\(problem)")
            }
        }
    }

    /// Lists a ZIP file whose content Python has checked, and compares a map in it with a file.
    private static let listing = """
        import sys, zipfile
        archive = zipfile.ZipFile(sys.argv[1])
        print(archive.testzip())
        print(sorted(archive.namelist()))
        print(archive.read("Coma-Pedrosa.mbtiles") == open(sys.argv[2], "rb").read())
        """

    private static func tiles(of path: String) throws -> [String: Data] {
        try tiles(path, "SELECT zoom_level, tile_column, (1 << zoom_level) - 1 - tile_row, tile_data FROM tiles")
    }

    private static func tiles(ofOsmAnd path: String) throws -> [String: Data] {
        try tiles(path, "SELECT 17 - z, x, y, image FROM tiles")
    }

    private static func tiles(_ path: String, _ sql: String) throws -> [String: Data] {
        try DatabaseQueue(path: path).read { database in
            let rows = try Row.fetchAll(database, sql: sql)
            let tiles = rows.map { row in ("\(row[0] as Int)/\(row[1] as Int)/\(row[2] as Int)", row[3] as Data) }
            return Dictionary(tiles) { first, _ in first }
        }
    }

    @Test func aDownloadThatBrokeOffGoesOn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let (url, path) = (page.file("mbtiles"), directory.path("part"))
                let whole = try Data(contentsOf: URL(fileURLWithPath: Example.map))
                try whole.prefix(100_001).write(to: URL(fileURLWithPath: path))
                let resumed = try await Curl.run(["--fail", "--continue-at", "-", "--output", path, url])
                #expect(resumed.code == 0, "\(resumed)")
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: Example.map))

                let head = try await Curl.answer("--head", url)
                let tag = try #require(head.first { $0.hasPrefix("ETag: ") }?.dropFirst(6).dropLast())
                #expect(head.contains("Accept-Ranges: bytes\r") && head.contains("Content-Length: \(whole.count)\r"))
                let part = try await Curl.answer("--range", "10-19", "--header", "If-Range: \(tag)", "--head", url)
                #expect(part.first == "HTTP/1.1 206 Partial Content\r", "\(part)")
                #expect(part.contains("Content-Range: bytes 10-19/\(whole.count)\r"))
                // A part of another version would spoil the file.
                let other = try await Curl.answer("--range", "10-19", "--header", "If-Range: \"x\"", "--head", url)
                #expect(other.first == "HTTP/1.1 200 OK\r")
                let same = try await Curl.answer("--header", "If-None-Match: \(tag)", url)
                #expect(same.first == "HTTP/1.1 304 Not Modified\r")
                let beyond = try await Curl.answer("--range", "\(whole.count)-", url)
                #expect(beyond.first == "HTTP/1.1 416 Range Not Satisfiable\r")
            }
        }
    }

    /// As the download manager of Android asks for files.
    @Test(arguments: [["--header", "Connection: close"], ["--http1.0"]])
    func aDownloadThatEndsTheConnectionIsWhole(arguments: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            try await laptop.must("import", directory.path("large.mbtiles"))
            try await laptop.sendWithPage("Great Traverse") { page in
                let (url, path) = (page.url + "files/Great-Traverse.mbtiles", directory.path("part"))
                let ending = try await Curl.run(["--fail", "--limit-rate", "40M", "--output", path, url] + arguments)
                #expect(ending.code == 0, "\(ending)")
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: directory.path("large.mbtiles")))
            }
        }
    }

    @Test func aPortInUseIsAFailureOfThisMachine() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let ending = try await laptop.run("send", Example.name, "--web", "--web-port", "\(page.port)", "--yes")
                #expect(ending.code == 1, "\(ending)")
                #expect(try ending.problem()["remedy"]?.string?.contains("--web-port") == true)
            }
        }
    }

    @Test func theLaptopTellsOfDownloads() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let size = try Data(contentsOf: URL(fileURLWithPath: Example.map)).count
                for _ in 0..<2 {
                    let ending = try await Curl.run(["--fail", "--output", "/dev/null", page.file("mbtiles")])
                    #expect(ending.code == 0, "\(ending)")
                }
                let line = try await page.child.waitForOutput {
                    $0.contains(#""type":"webDownload""#) && $0.contains("complete") && $0.contains(#""number":2"#)
                }
                let report = try JSONValue(parsing: line)
                #expect(report["bytes"]?.int == size && report["size"]?.int == size)
                #expect(report["client"]?.string == "127.0.0.1")
                #expect(report["file"]?.string == "Coma-Pedrosa.mbtiles")
            }
        }
    }

    @Test func theScreenTellsOfADownloadThatIsGivenUp() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            // The buffers of the sockets must not hold all of it: what is in them counts as sent.
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            try await laptop.must("import", directory.path("large.mbtiles"))
            let arguments = ["send", "Great Traverse", "--web", "--web-port", "0", "--no-discovery"]
            try await laptop.inTerminal(arguments, columns: 80, rows: 24) { screen in
                try await screen.wait(for: "Ctrl-C")
                let address = screen.words.firstMatch(of: /http:\/\/[0-9.]+:(\d+)(\/\w+\/)/)
                let match = try #require(address, "\(screen.text)")
                let port = try #require(Int(match.1))
                let page = PageSender(child: screen.child, url: "http://127.0.0.1:\(port)\(match.2)", senderPort: 0)
                try await page.waitForFiles(1)
                let phone = try RawConnection(toPort: port)
                let request = "GET \(match.2)files/Great-Traverse.mbtiles HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
                phone.write(Array(request.utf8))
                try #require(String(decoding: phone.read(atMost: 15), as: UTF8.self) == "HTTP/1.1 200 OK")
                phone.end()
                try await screen.wait(for: "127.0.0.1 stopped downloading Great-Traverse.mbtiles at")
            }
        }
    }

    /// On a cable between two laptops, there is a link but no address that a phone could open.
    @Test func withoutIPv4TheCodeIsTheLink() async throws {
        let network = """
            mount -t sysfs sysfs /sys
            mount -t tmpfs tmpfs /run
            ip netns add other
            ip link add lan7 type veth peer name lan8 netns other
            ip -n other link set lan8 up
            for card in lo lan7; do ip link set $card up; done
            exec "$@"
            """
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let send = ["send", Example.name, "--web", "--web-port", "0", "--port", "0", "--yes", "--no-discovery"]
            let command = ["--net", "--mount", "sh", "-ec", network, "sh", Place.program] + send
            try await laptop.inTerminal(running: "unshare", command, columns: 100, rows: 50) { screen in
                try await screen.wait(for: "The page for phones has no address")
                try await screen.wait(for: "█▀▀▀▀▀█")
            }
        }
    }

    @Test func receiversAreServedBesides() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            try await sender.sendWithPage(Example.name) { page in
                try await withThrowingTaskGroup(of: Ending.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await Curl.run([
                                "--fail", "--limit-rate", "2M", "--output", "/dev/null", page.file("mbtiles"),
                            ])
                        }
                    }
                    let received = try await receiver.receive(from: page.senderPort)
                    #expect(received.code == 0, "\(received)")
                    for try await ending in group { #expect(ending.code == 0, "\(ending)") }
                }
            }
            try Example.expectSame(sender, receiver)
        }
    }
}
