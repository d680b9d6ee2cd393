import Foundation
import PeerTestSupport
import Testing

/// What README.md shows of the program is what the program writes.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ReadmeTests {
    /// The output of the commands of README.md's first transcripts, in order.
    private static func transcripts() throws -> [String] {
        let page = try String(contentsOfFile: Place.repository + "/README.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```\n").filter {
            $0.hasPrefix("$ hikeshare import maps\n") || $0.hasPrefix("$ hikeshare receive\n")
        }
        return blocks.flatMap { $0.split(separator: /(?m)^\$ hikeshare .*\n/) }.map { words(String($0)) }
    }

    /// A text without styles, drawings and what is different each time.
    private static func words(_ text: String) -> String {
        let lines = text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split(whereSeparator: \.isNewline).filter {
            line in
            let start = line.drop { $0 == " " }.first ?? " "
            return !"┌│└+|".contains(start) && !line.contains("recorded hikes  ") && !line.contains(/\d%/)
        }
        return lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("\u{07}", with: "")
            .replacing(/HIKESHARE:\/\/\w+/, with: "LINK")
            .replacing(/\d{4}-\d\d-\d\d/, with: "DATE")
            .replacing(/\d \d \d \d \d \d/, with: "DIGITS")
            // Where lines can be erased, this one is.
            .replacing(/The screen of “[^”]*” must show the same digits: DIGITS\s/, with: "")
            .replacing(/\[Enter: [^\]]*\]/, with: "[Enter: NAME]")
            .replacing(/Created a store in \S+/, with: "Created a store in STORE")
            // Tests have no discovery.
            .replacing("hikeshare receive If it does not find you, add --connect", with: "hikeshare receive --connect")
            .replacing(/--connect \S+/, with: "--connect ADDRESS")
    }

    /// Starts a command in a terminal that draws nothing, in a folder.
    private func inTerminal<Result>(
        _ arguments: [String],
        on laptop: Laptop,
        in folder: String,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        let script = #"cd "$0" && TERM=dumb exec "$@""#
        return try await laptop.inTerminal(running: "bash", ["-c", script, folder, Place.program] + arguments, body)
    }

    @Test func theTranscriptsAreThoseOfTheProgram() async throws {
        let expected = try Self.transcripts()
        try #require(expected.count == 3, "\(expected)")
        try await TemporaryDirectory.with { directory in
            let (anna, ben) = (Laptop(store: directory.path("anna")), Laptop(store: directory.path("ben")))
            try FileManager.default.copyItem(
                atPath: Place.repository + "/Docs/example",
                toPath: directory.path("maps")
            )
            let imported = try await inTerminal(["import", "maps"], on: anna, in: directory.path) { screen in
                try await screen.answer("Anna\n")
                return try await screen.complete()
            }
            #expect(imported.status == .exited(0))
            #expect(Self.words(imported.text) == expected[0])

            let send = ["send", "Coma Pedrosa", "--no-discovery", "--port", "0", "--show-loopback"]
            try await inTerminal(send, on: anna, in: directory.path) { sender in
                let port = try await sender.senderPort()
                let receive = ["receive", "--connect", "127.0.0.1:\(port)"]
                let received = try await inTerminal(receive, on: ben, in: directory.path) { receiver in
                    try await receiver.answer("Ben\n")
                    try await sender.wait { $0.hasSuffix("[y/N] ") }
                    try sender.type("y\n")
                    try await receiver.wait { $0.hasOffer }
                    try receiver.type("y\n")
                    try await receiver.wait { $0.hasSuffix("[Anna] ") }
                    try receiver.type("\n")
                    return try await receiver.complete()
                }
                #expect(received.status == .exited(0))
                #expect(Self.words(received.text) == expected[2])
                try await sender.wait { $0.contains(/has received: .*46 waypoints/) }
                #expect(Self.words(sender.text) == expected[1])
            }
        }
    }
}
