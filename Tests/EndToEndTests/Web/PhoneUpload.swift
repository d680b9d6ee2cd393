import Foundation
import PeerTestSupport
import Testing

/// A file that a phone sends to a page, as the script of the page does it.
struct PhoneUpload: Sendable {
    private static let pieceLength = 2 << 20

    /// The address of the page.
    var page: String
    var name: String
    var content: Data
    /// The address of the phone.
    var client = "127.0.0.1"
    private let id = UUID().uuidString.lowercased().filter { $0 != "-" }

    init(_ content: Data, as name: String, to page: String, from client: String = "127.0.0.1") {
        self.content = content
        self.name = name
        self.page = page
        self.client = client
    }

    /// The address of the file.
    var url: String { page + "uploads/" + id }

    /// Announces the file, and returns the lines of the answer.
    @discardableResult
    func announce() async throws -> [String] {
        try await Curl.answer("--interface", client, "--data-binary", name, url + "/new/\(content.count)")
    }

    /// Sends pieces until the laptop has so much of the file; asks before how much it has.
    func sendPieces(until end: Int = .max, _ directory: TemporaryDirectory) async throws {
        var length = try #require(try await state()["length"]?.int)
        while length < min(end, content.count) {
            let piece = directory.path(id)
            try content[length..<min(length + Self.pieceLength, content.count)].write(to: URL(fileURLWithPath: piece))
            let answer = try await Curl.run([
                "--fail", "--interface", client, "--header", "Expect:", "--data-binary", "@" + piece,
                url + "/\(length)",
            ])
            let known = try JSONValue(parsing: try #require(answer.output.first, "\(answer)"))
            length = try #require(known["length"]?.int)
        }
    }

    /// Announces a file, and sends all of it.
    func send(_ directory: TemporaryDirectory) async throws {
        let answer = try await announce()
        try #require(answer.first == "HTTP/1.1 200 OK\r", "\(answer)")
        try await sendPieces(directory)
    }

    /// What the laptop knows of the file.
    func state() async throws -> JSONValue {
        let ending = try await Curl.run(["--fail", "--interface", client, url])
        return try JSONValue(parsing: try #require(ending.output.first, "\(ending)"))
    }

    /// Waits for the end of a state, and returns what is known then.
    func state(after former: String) async throws -> JSONValue {
        while true {
            let known = try await state()
            if known["state"]?.string != former { return known }
            await Task.yield()
        }
    }

    /// Waits for the decision of a person.
    func result() async throws -> JSONValue { try await state(after: "waiting") }
}
