import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

/// Files that phones send to the laptop.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct UploadTests {
    static let gpx = """
        <gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'><wpt lat='42.58' lon='1.46'>
        <name>From a phone</name></wpt></gpx>
        """

    /// Sends in a terminal, and calls `body` with the address of the page.
    static func send(
        on laptop: Laptop,
        _ body: (TestTerminal, String) async throws -> Void
    ) async throws {
        let command = ["send", Example.name, "--no-discovery", "--web", "--web-personal"]
        try await laptop.inTerminal(command, columns: 120, rows: 60) { terminal in
            try await body(terminal, try await page(terminal))
        }
    }

    /// The address of the page, on loopback.
    static func page(_ terminal: TestTerminal) async throws -> String {
        try await terminal.wait { $0.contains("hikeshare, open:") && $0.contains("Ctrl-C") }
        // The screen has the address in the machine's network, if there is one.
        let page = try #require(terminal.words.firstMatch(of: /http:\/\/[0-9.]+:([0-9]+)(\/[a-z0-9]+\/)/)?.output)
        return "http://127.0.0.1:\(page.1)\(page.2)"
    }

    @Test(arguments: [true, false]) func aPersonDecides(saysYes: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(Data(Self.gpx.utf8), as: "p.gpx", to: url)
                try await phone.send(directory)
                try await terminal.wait { $0.contains("From a phone") && $0.contains("[y/N]") }
                try terminal.type(saysYes ? "y\r" : "n\r")
                let result = try await phone.result()
                #expect(result["state"]?.string == (saysYes ? "added" : "refused"), "\(result)")
            }
            let labels = try await laptop.must("show", Example.name).lines("waypoint").compactMap {
                $0["label"]?.string
            }
            #expect(labels.contains("From a phone") == saysYes)
        }
    }

    @Test func aMapOfAnotherProgramIsAddedAfterAYes() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(Data(ForeignBytes.osmand()), as: "Andorra.obf", to: url)
                try await phone.send(directory)
                try await terminal.wait { $0.contains("map for OsmAnd") && $0.contains("[y/N]") }
                try terminal.type("y\r")
                let result = try await phone.result()
                #expect(result["state"]?.string == "added", "\(result)")
            }
            let regions = try await laptop.must("list").lines("region")
            #expect(regions.contains { $0["foreign"]?["fileName"]?.string == "Andorra.obf" })
        }
    }

    /// The page's own script: several files, an answer that is lost, and the rest after that.
    @Test func thePageSendsFilesAndGoesOn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let script = """
                    (async () => {
                        const real = window.fetch;
                        let [lost, said] = [0, ''];
                        window.fetch = async (...all) => {
                            if (lost === 2 && !said) said = document.querySelector('#upload-files .item-facts').textContent;
                            const answer = await real(...all);
                            if (all[1]?.method !== 'POST' || lost++ !== 1) return answer;
                            throw new TypeError('The answer to the first block is lost.');
                        };
                        // Three blocks; the page must not change that.
                        Object.defineProperty(Uploads.limits, 'blockLength', { get: () => 60, set() {} });
                        const file = new File([\(Self.quoted(Self.gpx))], 'phone.gpx');
                        await Uploads.sendAll([file, new File(['x'], 'x.txt')]);
                        return [lost, said];
                    })()
                    """
                let words = "[...document.querySelectorAll('#upload-files li')].map((item) => item.textContent)"
                async let opened = Browser.open(
                    url,
                    evaluating: [script, words, "document.getElementById('upload-state').textContent"]
                )
                try await terminal.wait { $0.contains("From a phone") && $0.contains("[y/N]") }
                try terminal.type("y\r")
                let report = try await opened
                #expect(report.problems.isEmpty, "\(report)")
                // Two announcements, a file of three blocks, and one that has one.
                #expect(report.values[0].array.first?.int == 6, "\(report)")
                let said = report.values[0].array.last?.string
                #expect(said?.contains("does not answer") == true && said?.contains("resumes by itself") == true)
                let items = report.values[1].array.compactMap(\.string)
                #expect(items.first == "phone.gpxThe laptop has it now.", "\(items)")
                #expect(items.last?.hasPrefix("x.txtx.txt is not a map") == true, "\(items)")
                #expect(report.values[2].string == "The laptop has added 1 of 2 files.")
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\n", with: "\\n").replacing("\"", with: "\\\"") + "\""
    }

    /// A map is asked about before it comes and before it is added; what breaks off does not count, and the rest follows.
    @Test func aMapComesInPieces() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let path = directory.path("alps.mbtiles")
            try MapMaker.make(path, name: "Alps", tiles: 64, tileLength: 300_000)
            try await Self.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(try Data(contentsOf: URL(fileURLWithPath: path)), as: "alps.mbtiles", to: url)
                try await phone.announce()
                try await terminal.wait {
                    $0.contains("wants to send “alps.mbtiles”, ") && $0.hasSuffix("[y/N] ")
                }
                #expect(try await phone.state()["state"]?.string == "asked")
                try terminal.type("y\r")
                #expect(try await phone.state(after: "asked")["state"]?.string == "receiving")
                try await phone.sendPieces(until: 5_000_000, directory)
                try await terminal.wait(for: "127.0.0.1 sends “alps.mbtiles”")
                let before = try await phone.state()["length"]?.int
                try Self.breakOff(phone, at: try #require(before))
                #expect(try await phone.state()["length"]?.int == before)
                try await phone.sendPieces(directory)
                try await terminal.wait {
                    $0.contains("has sent a map, “alps.mbtiles”, ") && $0.contains("“Alps”, ") && $0.hasSuffix("[y/N] ")
                }
                try terminal.type("y\r")
                let result = try await phone.result()
                #expect(result["state"]?.string == "added", "\(result)")
                // Once more, it needs no question.
                let again = PhoneUpload(phone.content, as: "b.mbtiles", to: url)
                try await again.announce()
                try await terminal.wait { $0.contains("wants to send “b.mbtiles”") && $0.hasSuffix("[y/N] ") }
                try terminal.type("y\r")
                _ = try await again.state(after: "asked")
                try await again.sendPieces(directory)
                #expect(try await again.result()["message"]?.string == "The laptop has this map already.")
                // The question about the file ends a moment later.
                while try !Self.rests(directory).isEmpty { await Task.yield() }
            }
            try await laptop.must("export", "Alps", "--to", directory.path(""))
            let isSame = FileManager.default.contentsEqual(atPath: directory.path("Alps.mbtiles"), andPath: path)
            #expect(isSame)
        }
    }

    /// Sends half of a piece, and closes the connection.
    private static func breakOff(_ phone: PhoneUpload, at length: Int) throws {
        let url = try #require(URL(string: phone.url + "/\(length)"))
        let port = try #require(url.port)
        let connection = try RawConnection(toPort: port)
        let head = "POST \(url.path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 100000\r\n\r\n"
        connection.write(Array(head.utf8) + [UInt8](repeating: 1, count: 50_000))
        connection.end()
    }

    /// The files of phones that are on the disk.
    private static func rests(_ directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path("a/work")).filter { $0.contains("upload-") }
    }

    @Test func aPhotoGoesToItsWaypoint() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let labels = try await laptop.must("show", Example.name).lines("waypoint").compactMap {
                $0["label"]?.string
            }
            let label = try #require(labels.first { label in labels.count { $0 == label } == 1 && label.count < 30 })
            let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("a photo".utf8))
            try await Self.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(photo, as: label + ".jpg", to: url)
                try await phone.send(directory)
                try await terminal.wait { $0.contains("Add it as the photo of “\(label)”?") && $0.hasSuffix("[y/N] ") }
                try terminal.type("y\r")
                let result = try await phone.result()
                #expect(result["state"]?.string == "added", "\(result)")
                let other = PhoneUpload(photo, as: "IMG_1.jpg", to: url)
                try await other.send(directory)
                let refused = try await other.result()
                #expect(refused["message"]?.string?.hasPrefix("This photo has no position") == true, "\(refused)")
            }
        }
    }

    @Test func whatIsNoFileOfOursIsRefusedAndNotAskedFor() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let phone = PhoneUpload(Data("%PDF-1.7 x".utf8), as: "guide.pdf", to: url)
                try await phone.send(directory)
                let result = try await phone.result()
                #expect(result["state"]?.string == "refused", "\(result)")
                // The person who has sent it reads what it is and what to do.
                #expect(result["message"]?.string?.contains("guide.pdf is not a map") == true, "\(result)")
                #expect(
                    result["message"]?.string?.contains("Choose a map, a track file or a photo.") == true,
                    "\(result)"
                )
                #expect(result["message"]?.string?.contains(directory.path("")) == false, "\(result)")
                try await terminal.wait(for: "A phone (127.0.0.1) has sent a file that cannot be added, “guide.pdf”")
                #expect(!terminal.text.contains("[y/N]"))
                // Nothing is read for a path without the secret, or of a piece that is too large.
                let stranger = try #require(URL(string: url)?.port)
                let foreign = try await Curl.answer(
                    "--header",
                    "Origin: http://evil.test",
                    "--data-binary",
                    "x",
                    phone.url + "/new/1"
                )
                #expect(foreign.first == "HTTP/1.1 403 Forbidden\r")
                let wrong = try await Curl.answer("--data-binary", "x", "http://127.0.0.1:\(stranger)/uploads")
                #expect(wrong.first == "HTTP/1.1 404 Not Found\r")
                let large = directory.path("large")
                #expect(FileManager.default.createFile(atPath: large, contents: Data(count: 3_000_000)))
                let refused = try await Curl.run([
                    "--include", "--header", "Expect:", "--data-binary", "@" + large, phone.url + "/0",
                ])
                #expect(refused.output.first?.hasPrefix("HTTP/1.1 413 ") == true, "\(refused)")
                let chunked = try await Curl.answer(
                    "--header",
                    "Transfer-Encoding: chunked",
                    "--data-binary",
                    "x",
                    phone.url + "/0"
                )
                #expect(chunked.first == "HTTP/1.1 400 Bad Request\r", "\(chunked)")
                #expect(try await Curl.answer("--data-binary", "x", url).first == "HTTP/1.1 405 Method Not Allowed\r")
            }
        }
    }

    @Test func afterTwoRefusalsNoMoreFilesAreTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let content = Data(Self.gpx.utf8)
                for _ in 1...2 {
                    let phone = PhoneUpload(content, as: "p.gpx", to: url)
                    try await phone.send(directory)
                    // The question before is on the screen, too.
                    try await terminal.wait { $0.hasSuffix("[y/N] ") }
                    try terminal.type("n\r")
                    #expect(try await phone.result()["state"]?.string == "refused")
                }
                let answer = try await PhoneUpload(content, as: "p.gpx", to: url).announce()
                #expect(answer.first == "HTTP/1.1 403 Forbidden\r", "\(answer)")
                let other = try await PhoneUpload(content, as: "p.gpx", to: url, from: "127.0.0.2").announce()
                #expect(other.first == "HTTP/1.1 200 OK\r", "\(other)")
            }
        }
    }

    @Test func whatIsElsewhereIsSaidBeforeItIsAdded() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let sydney = Self.gpx.replacing("42.58", with: "-33.9").replacing("1.46", with: "151.2")
                try await PhoneUpload(Data(sydney.utf8), as: "p.gpx", to: url).send(directory)
                try await terminal.wait {
                    $0.contains("Most of it is outside the area of “Coma Pedrosa”.") && $0.contains("[y/N]")
                }
            }
        }
    }

    /// A question about a file that nobody answers holds up no receiver.
    @Test func aReceiverComesFirst() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let friend = Laptop(store: directory.path("b"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { sender, url in
                let port = try await sender.senderPort()
                let phone = PhoneUpload(Data(Self.gpx.utf8), as: "p.gpx", to: url)
                try await phone.send(directory)
                try await sender.wait { $0.contains("Add this to") && $0.contains("[y/N]") }
                let receive = ["receive", "--connect", "127.0.0.1:\(port)"]
                try await friend.inTerminal(receive, columns: 120, rows: 60) { receiver in
                    try await receiver.wait { $0.contains("same digits") }
                    try await sender.wait { $0.contains("expired") && $0.contains("digits") }
                    try await sender.answer("n\r")
                    // The file is asked about again.
                    try await sender.wait { $0.components(separatedBy: "A phone (").count >= 3 }
                }
                try await sender.answer("y\r")
                let result = try await phone.result()
                #expect(result["state"]?.string == "added", "\(result)")
            }
        }
    }

    @Test func nobodyToAskMeansNoFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let answer = try await PhoneUpload(Data([1]), as: "x", to: page.url).announce()
                #expect(answer.first?.hasPrefix("HTTP/1.1 413 ") == true, "\(answer)")
                #expect(try await page.data()["takesFiles"]?.bool == false)
            }
        }
    }
}
