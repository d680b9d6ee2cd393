import Foundation
import GRDB
import PeerTestSupport
import Testing

/// What the page for phones gives to whom, and what it takes.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WebSecurityTests {
    @Test func onlyTheAddressWithTheSecretOpensIt() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name, ["-vv"]) { page in
                #expect(try await Curl.answer(page.url).first == "HTTP/1.1 200 OK\r")
                let data = page.url + "share.json"
                // A name that an attacker makes point at this machine.
                for host in [
                    "evil.example:\(page.port)", "localhost:\(page.port)", "127.0.0.1", "127.0.0.2:\(page.port)",
                ] {
                    let answer = try await Curl.answer("--header", "Host: \(host)", data)
                    #expect(answer.first == "HTTP/1.1 421 Misdirected Request\r")
                    #expect(!answer.joined().contains(Example.name))
                }
                let base = "http://127.0.0.1:\(page.port)/"
                let wrong = String(repeating: "a", count: page.secret.count)
                for path in [
                    "", "share.json", "\(wrong)/", "\(wrong)/share.json", "\(page.secret)/../share.json",
                    "\(page.secret)/files/../share.json", "\(page.secret)/files/store.sqlite",
                    "\(page.secret)/files/%2e%2e", "\(page.secret)/regions.json",
                ] {
                    let answer = try await Curl.answer("--path-as-is", base + path)
                    #expect(answer.first == "HTTP/1.1 404 Not Found\r", "\(path): \(answer)")
                    #expect(!answer.joined().contains(Example.name))
                }
                #expect(page.secret.count == 16)
                #expect(!page.child.errorLines.joined().contains(page.secret))
                let doors = try Doors(of: page.child.processID)
                #expect(Set(doors.ports) == [page.port, page.senderPort] && doors.listeningLocalSockets == 0)
            }
        }
    }

    @Test func personalPartsNeedAYes() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let waypoint = try #require(try await laptop.must("show", Example.name).lines("waypoint").first)
            let id = try #require(waypoint["id"]?.string)
            let region = try #require(try await laptop.must("show", Example.name).lines("region").first?["id"]?.string)
            let photo = directory.path("p.jpg")
            try Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 5_000)).write(
                to: URL(fileURLWithPath: photo)
            )
            try await laptop.must("import", photo, "--waypoint", try #require(waypoint["label"]?.string))
            let note =
                "<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'>"
                + "<wpt lat='42.58' lon='1.46'><name>Hut</name><desc>Key under the stone</desc></wpt></gpx>"
            try note.write(toFile: directory.path("n.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("n.gpx"))
            for isAllowed in [false, true] {
                try await laptop.sendWithPage(Example.name, isAllowed ? ["--web-personal"] : []) { page in
                    try await page.waitForFiles(6)
                    let gpx = try await Curl.run([page.file("gpx")]).output.joined(separator: "\n")
                    #expect(gpx.contains("<wpt ") && gpx.contains("<name>Hut</name>"))
                    #expect(gpx.contains("Key under the stone") == isAllowed)
                    // The recorded hike.
                    #expect(gpx.contains("<trk>") == isAllowed)
                    let data = try await Curl.run(["\(page.url)\(region)/region.json"]).output.joined()
                    #expect(data.contains(#""kind":"hike""#) == isAllowed)
                    #expect(data.contains("Key under the stone") == isAllowed)
                    let answer = try await Curl.answer("--head", "\(page.url)\(region)/photos/\(id)")
                    #expect(answer.first == (isAllowed ? "HTTP/1.1 200 OK\r" : "HTTP/1.1 404 Not Found\r"))
                    #expect(try await page.data()["hasPersonal"]?.bool == isAllowed)
                }
            }
        }
    }

    @Test func whatIsNotSentIsNotOnThePage() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let region = try #require(try await laptop.must("show", Example.name).lines("region").first?["id"]?.string)
            let row = try DatabaseQueue(path: Example.map).read { database in
                try Row.fetchOne(
                    database,
                    sql:
                        "SELECT zoom_level, tile_column, (1 << zoom_level) - 1 - tile_row, length(tile_data) FROM tiles"
                )
            }
            let tile = try #require(row)
            let path = "\(region)/tiles/\(tile[0] as Int)/\(tile[1] as Int)/\(tile[2] as Int)"
            let size = ["--output", "/dev/null", "--write-out", "%{http_code} %{size_download}\\n"]
            try await laptop.sendWithPage(Example.name) { page in
                let whole = try await Curl.run(size + [page.url + path]).output
                #expect(whole == ["200 \(tile[3] as Int)"])
            }
            try await laptop.sendWithPage(Example.name, ["--only", "planned", "--web-personal"]) { page in
                try await page.waitForFiles(2)
                let files = try await page.data()["files"]?.array.compactMap { $0["kind"]?.string }
                #expect(files == ["gpx", "zip"])
                let gpx = try await Curl.run([page.file("gpx")]).output.joined()
                #expect(gpx.contains("<rte>") && !gpx.contains("<wpt ") && !gpx.contains("<trk>"))
                #expect(try await Curl.answer(page.file("mbtiles")).first == "HTTP/1.1 404 Not Found\r")
                // The map page draws an empty image instead of the tile.
                let empty = try #require(try await Curl.run(size + [page.url + path]).output.first)
                #expect(empty.hasPrefix("200 ") && empty != "200 \(tile[3] as Int)", "\(empty)")
            }
        }
    }

    @Test func scriptsInTheNameDoNotRun() async throws {
        let script = "</script><img src=x onerror=pwned=1><svg onload=pwned=1>"
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await laptop.must("import", Example.map, "--name", script)
            try await laptop.sendWithPage(script) { page in
                let report = try await Browser.open(
                    page.url,
                    evaluating: [
                        "document.getElementById('name').textContent", "typeof pwned", "document.images.length",
                    ]
                )
                #expect(report.problems.isEmpty && report.ready != "failed", "\(report)")
                #expect(report.values[0].string == script && report.values[1].string == "undefined")
                #expect(report.values[2].int == 0)
            }
        }
    }

    @Test func onceAndWebExcludeEachOther() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let ending = try await laptop.run("send", "x", "--web", "--once")
            #expect(ending.code == 64, "\(ending)")
            let other = try await laptop.run("send", "x", "--web-personal")
            #expect(other.code == 64, "\(other)")
        }
    }
}
