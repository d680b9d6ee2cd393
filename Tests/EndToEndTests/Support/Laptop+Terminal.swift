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
        try await inTerminal(running: Place.program, arguments, columns: columns, rows: rows, body)
    }

    /// Starts any program in a terminal, with this laptop's store in its environment.
    func inTerminal<Result>(
        running executable: String,
        _ arguments: [String],
        columns: UInt16 = 100,
        rows: UInt16 = 30,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        try await TestTerminal.with(
            executable,
            arguments,
            environment: ["HIKESHARE_STORE": store, "SWIFT_BACKTRACE": "enable=no"],
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

extension TestTerminal {
    /// Waits until a sender shows its address, and returns the port.
    func senderPort() async throws -> Int {
        try await wait { $0.contains("--connect 127.0.0.1:") && $0.contains("Ctrl-C") }
        let text = text.split(separator: "--connect 127.0.0.1:")[1]
        return try #require(Int(text.prefix { $0.isNumber }))
    }

    /// The lines that were written so far.
    var lines: [Substring] { text.split(whereSeparator: \.isNewline) }

    /// The digits to compare after some words, once they are there.
    func digits(after words: String) async throws -> String {
        try await wait { $0.split(separator: words).dropFirst().last?.count ?? 0 >= 7 }
        return String(try #require(text.split(separator: words).last).prefix(7))
    }
}
