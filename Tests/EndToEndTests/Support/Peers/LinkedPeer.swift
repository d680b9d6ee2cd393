import Foundation
import PeerTestSupport
import Testing

/// The reference peer with a link: it is told what to do, and reports what happens.
struct LinkedPeer: Sendable {
    let child: ChildProcess

    /// Tells it to do something.
    func tell(_ command: String, _ arguments: [String: Any] = [:]) throws {
        let object = arguments.merging(["do": command]) { given, _ in given }
        let line = try JSONSerialization.data(withJSONObject: object)
        try child.write(String(decoding: line, as: UTF8.self) + "\n")
    }

    /// Sends a line of a chat.
    func say(_ text: String) throws {
        try tell("say", ["name": "chat.line", "body": ["text": text, "sentAt": 0]])
    }

    /// Waits for the n-th event of a type.
    @discardableResult
    func event(_ type: String, number: Int = 1) async throws -> JSONValue {
        let seen = Locked(0)
        let line = try await child.waitForOutput { line in
            guard line.contains(#""type": "\#(type)""#) else { return false }
            return seen.withLock { seen in
                seen += 1
                return seen == number
            }
        }
        return try JSONValue(parsing: line)
    }

    /// All events of a type so far.
    func events(_ type: String) throws -> [JSONValue] {
        try child.outputLines.map { try JSONValue(parsing: $0) }.filter { $0.type == type }
    }

    /// The lines of the chat that have come so far.
    func lines() throws -> [String] { try events("message").compactMap { $0["body"]?["text"]?.string } }

    /// Ends its input, and expects that the other side has acknowledged everything.
    func leaves() async throws {
        let ending = await child.ending()
        #expect(ending.code == 0, "\(ending)")
        #expect(try ending.lines.last?.type == "left", "\(ending)")
        #expect(try ending.lines.last?["unacknowledged"]?.int == 0, "\(ending)")
    }
}
