import PeerTestSupport
import Testing

extension Laptop {
    /// Starts the program in a terminal, calls `body` and kills the program if it still runs then.
    func inTerminal<Result>(
        _ arguments: [String],
        columns: UInt16 = 100,
        rows: UInt16 = 30,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        try await inTerminal(running: Place.program, asInTests(arguments), columns: columns, rows: rows, body)
    }

    /// Starts any program in a terminal, with this laptop's store in its environment.
    func inTerminal<Result>(
        running executable: String,
        _ arguments: [String],
        columns: UInt16 = 100,
        rows: UInt16 = 30,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        // `swift test` sets NO_COLOR if its output is not a terminal.
        var environment: [String: String?] = [
            "HIKESHARE_STORE": store, "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm-256color", "NO_COLOR": "",
        ]
        let onHost = network.command(executable, arguments)
        // A host has a D-Bus of its own.
        if onHost != nil { environment["DBUS_SYSTEM_BUS_ADDRESS"] = .some(nil) }
        return try await TestTerminal.with(
            onHost?[0] ?? executable,
            onHost.map { Array($0.dropFirst()) } ?? arguments,
            environment: environment,
            columns: columns,
            rows: rows
        ) { terminal in
            try await Self.impatiently(terminal.child) { try await body(terminal) }
        }
    }

    /// The peers that are trusted, by name; what `peers list` says.
    func trusted() async throws -> [String: String] {
        let lines = try await must("peers", "list").lines("trustedPeer")
        return Dictionary(lines.map { ($0["name"]?.string ?? "", $0["id"]?.string ?? "") }) { first, _ in first }
    }

    /// The machine's own id.
    func id() async throws -> String {
        try #require(try await must("peers").lines("thisMachine").first?["id"]?.string)
    }
}

extension String {
    /// Whether a terminal with this text asks about an offer, and nothing was typed yet.
    var hasOffer: Bool { contains("Take it? [y/N") && hasSuffix("] ") }
}

extension TestTerminal {
    /// Waits until a sender shows its address, and returns the port.
    func senderPort() async throws -> Int {
        // The address may be that of a network of this machine; the port is the same at all of them.
        try await wait { $0.contains(/--connect [^ :]+:\d+/) && $0.contains("Ctrl-C") }
        return try #require(text.firstMatch(of: /--connect [^ :]+:(\d+)/).flatMap { Int($0.1) })
    }

    /// Waits until a sender shows its share link, which may come after everything else.
    func shareLink() async throws -> String {
        try await wait { $0.contains(/HIKESHARE:\/\/\w+[\r\n]/) }
        return String(try #require(text.firstMatch(of: /HIKESHARE:\/\/\w+/)?.0))
    }

    /// Types the answer to a question.
    ///
    /// The program discards what is typed before it asks, and text above the question can be seen before that.
    func answer(_ line: String) async throws {
        try await wait { $0.hasSuffix("] ") }
        try type(line)
    }

    /// The lines that were written so far.
    var lines: [Substring] { text.split(whereSeparator: \.isNewline) }

    /// What was written so far, without styles and with single spaces, so that words can be found wherever lines end.
    var words: String {
        text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split { $0.isWhitespace }.joined(separator: " ")
    }

    /// The digits to compare that were shown last, once there are any: `012 345`.
    func digits() async throws -> String {
        try await wait { Self.digits(in: $0) != nil }
        return try #require(Self.digits(in: text))
    }

    private static func digits(in text: String) -> String? {
        let last = text.matches(of: /(\d) (\d) (\d)   (\d) (\d) (\d)/).last?.output
        return last.map { "\($0.1)\($0.2)\($0.3) \($0.4)\($0.5)\($0.6)" }
    }
}
