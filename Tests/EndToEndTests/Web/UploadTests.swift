import Foundation
import PeerTestSupport
import Testing

/// Files that phones send to the laptop.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct UploadTests {
    private static let gpx = """
        <gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'><wpt lat='42.58' lon='1.46'>
        <name>From a phone</name></wpt></gpx>
        """

    /// Sends in a terminal, and calls `body` with the address of the page.
    private static func send(
        on laptop: Laptop,
        _ body: (TestTerminal, String) async throws -> Void
    ) async throws {
        let command = ["send", Example.name, "--no-discovery", "--web", "--web-personal"]
        try await laptop.inTerminal(command, columns: 120, rows: 60) { terminal in
            try await terminal.wait { $0.contains("hikeshare, open:") && $0.contains("Ctrl-C") }
            // The screen has the address in the machine's network, if there is one.
            let page = try #require(terminal.words.firstMatch(of: /http:\/\/[0-9.]+:([0-9]+)(\/[a-z0-9]+\/)/)?.output)
            try await body(terminal, "http://127.0.0.1:\(page.1)\(page.2)")
        }
    }

    private static func result(_ url: String) async throws -> JSONValue {
        while true {
            let ending = try await Curl.run(["--fail", url])
            let value = try JSONValue(parsing: try #require(ending.output.first, "\(ending)"))
            if value["state"]?.string != "waiting" { return value }
            await Task.yield()
        }
    }

    @Test(arguments: [true, false]) func aPersonDecides(saysYes: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try Self.gpx.write(toFile: directory.path("p.gpx"), atomically: true, encoding: .utf8)
            try await Self.send(on: laptop) { terminal, url in
                let file = "@" + directory.path("p.gpx")
                let answer = try await Curl.answer("--data-binary", file, url + "uploads")
                #expect(answer.first == "HTTP/1.1 202 Accepted\r", "\(answer)")
                try await terminal.wait { $0.contains("From a phone") && $0.contains("[y/N]") }
                try terminal.type(saysYes ? "y\r" : "n\r")
                let result = try await Self.result(url + "uploads/1")
                #expect(result["state"]?.string == (saysYes ? "added" : "refused"), "\(result)")
            }
            let labels = try await laptop.must("show", Example.name).lines("waypoint").compactMap {
                $0["label"]?.string
            }
            #expect(labels.contains("From a phone") == saysYes)
        }
    }

    @Test func thePageSaysThatAFileIsTooLarge() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "(send(new File([new Uint8Array(16_000_001)], 'large.gpx')), 1)",
                        "document.getElementById('upload-state').textContent",
                    ]
                )
                #expect(report.problems.isEmpty, "\(report)")
                #expect(report.values[1].string == "This file is too large; at most 16 MB can be sent.")
            }
        }
    }

    @Test func whatIsNoGPXIsRefusedAndNotAskedFor() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let answer = try await Curl.answer("--data-binary", "hello", url + "uploads")
                #expect(answer.first == "HTTP/1.1 202 Accepted\r", "\(answer)")
                let result = try await Self.result(url + "uploads/1")
                #expect(result["state"]?.string == "refused", "\(result)")
                #expect(!terminal.text.contains("[y/N]"))
                // Nothing is read for a path without the secret, or of a file that is too large.
                let stranger = try #require(URL(string: url)?.port)
                let wrong = try await Curl.answer("--data-binary", "x", "http://127.0.0.1:\(stranger)/uploads")
                #expect(wrong.first == "HTTP/1.1 404 Not Found\r")
                let large = directory.path("large")
                #expect(FileManager.default.createFile(atPath: large, contents: Data(count: 17_000_000)))
                let refused = try await Curl.run([
                    "--include", "--header", "Expect:", "--data-binary", "@" + large, url + "uploads",
                ])
                #expect(refused.output.first?.hasPrefix("HTTP/1.1 413 ") == true, "\(refused)")
                let chunked = try await Curl.answer(
                    "--header",
                    "Transfer-Encoding: chunked",
                    "--data-binary",
                    "x",
                    url + "uploads"
                )
                #expect(chunked.first == "HTTP/1.1 400 Bad Request\r", "\(chunked)")
                #expect(try await Curl.answer("--data-binary", "x", url).first == "HTTP/1.1 405 Method Not Allowed\r")
            }
        }
    }

    private static func send(
        _ content: Data,
        as name: String,
        to url: String,
        _ directory: TemporaryDirectory
    ) async throws {
        try content.write(to: URL(fileURLWithPath: directory.path(name)))
        let answer = try await Curl.answer("--data-binary", "@" + directory.path(name), url + "uploads")
        #expect(answer.first == "HTTP/1.1 202 Accepted\r", "\(answer)")
    }

    /// The person who has sent a file reads what it is and what to do.
    @Test(
        arguments: [
            (
                Array("PK\u{3}\u{4}x".utf8),
                "This is a ZIP file, not a GPX file. Send a GPX file. If it is in the ZIP file, unpack that first."
            ),
            ([0x89] + Array("PNG".utf8), "This is a picture or video, not a GPX file. Send a GPX file."),
            ([], "The file is empty. Send it again, or another one."),
        ] as [([UInt8], String)]
    )
    func thePhoneReadsWhatIsWrong(content: [UInt8], message: String) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                try await Self.send(Data(content), as: "f", to: url, directory)
                let result = try await Self.result(url + "uploads/1")
                #expect(result["state"]?.string == "refused" && result["message"]?.string == message, "\(result)")
                try await terminal.wait(for: "A phone (127.0.0.1) has sent a file that cannot be added")
            }
        }
    }

    @Test func afterTwoRefusalsNoMoreFilesAreTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                for number in 1...2 {
                    try await Self.send(Data(Self.gpx.utf8), as: "p.gpx", to: url, directory)
                    // The question before is on the screen, too.
                    try await terminal.wait { $0.hasSuffix("[y/N] ") }
                    try terminal.type("n\r")
                    #expect(try await Self.result(url + "uploads/\(number)")["state"]?.string == "refused")
                }
                let answer = try await Curl.answer("--data-binary", "x", url + "uploads")
                #expect(answer.first == "HTTP/1.1 403 Forbidden\r", "\(answer)")
                let other = try await Curl.answer("--interface", "127.0.0.2", "--data-binary", "x", url + "uploads")
                #expect(other.first == "HTTP/1.1 202 Accepted\r", "\(other)")
            }
        }
    }

    @Test func whatIsElsewhereIsSaidBeforeItIsAdded() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.send(on: laptop) { terminal, url in
                let sydney = Self.gpx.replacing("42.58", with: "-33.9").replacing("1.46", with: "151.2")
                try await Self.send(Data(sydney.utf8), as: "p.gpx", to: url, directory)
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
                try await Self.send(Data(Self.gpx.utf8), as: "p.gpx", to: url, directory)
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
                let result = try await Self.result(url + "uploads/1")
                #expect(result["state"]?.string == "added", "\(result)")
            }
        }
    }

    @Test func nobodyToAskMeansNoFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let answer = try await Curl.answer("--data-binary", "x", page.url + "uploads")
                #expect(answer.first?.hasPrefix("HTTP/1.1 413 ") == true, "\(answer)")
                #expect(try await page.data()["takesFiles"]?.bool == false)
            }
        }
    }
}
