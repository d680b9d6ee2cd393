import ExampleSupport
import Foundation
import NearbyPeers

/// A line of text.
struct Note: PeerMessage {
    static let messageName = "note"
    var text: String
}

/// Asks for the length of a text.
struct Measure: PeerRequest {
    static let messageName = "measure"
    /// The length, in bytes.
    struct Response: Codable, Sendable {
        var length: Int
    }
    var text: String
}

/// The other end of a link for the reference peer: `SessionPartner NAME KEY-FILE`.
///
/// It shows a link that lets a peer in. It shows each note, answers each request and sends the bytes of each stream back.
/// It takes these commands, one a line:
///
/// - `note TEXT` sends a note to all.
/// - `measure LENGTH` asks all for the length of a text that is so long.
/// - `stream LENGTH` opens a stream to all, sends so many bytes and compares what comes back.
/// - `join LINK` connects with the peer that a link names.
///
/// The end of the input ends the program.
@main
struct SessionPartner {
    static func main() async throws {
        guard let arguments = Arguments.read() else { exit(2) }
        let person = Person()
        var configuration = try arguments.configuration(service: "partner-test", software: "partner 1", asking: person)
        configuration.messages = [Note.self]
        configuration.requests = [Measure.self]
        configuration.topology = .star
        try await withPeerSession(configuration) { session in
            try await Partner(session: session).run(person)
        }
    }
}

/// One run of the program.
struct Partner {
    let session: PeerSession

    func run(_ person: Person) async throws {
        let notes = try session.messages(of: Note.self)
        let streams = try session.streams()
        let events = session.events()
        show("link \(try await session.makeShareLink().text)")
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await person.listen() }
            group.addTask {
                for await case .changed(let peer, _) in events {
                    show("\(peer.displayName): \(words(for: peer.state))")
                }
            }
            group.addTask {
                for await note in notes { show("note from \(session.name(of: note.peer)): \(note.message.text)") }
            }
            group.addTask {
                try await session.answer(Measure.self) { request, _ in .init(length: request.text.utf8.count) }
            }
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await stream in streams { group.addTask { await returnBytes(of: stream) } }
                }
            }
            for await line in person.lines { group.addTask { await perform(line) } }
            group.cancelAll()
        }
    }

    private func perform(_ line: String) async {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        do {
            switch (words.first, words.last) {
            case ("note", let text?): try await session.send(Note(text: text)).get()
            case ("measure", let length?): try await measure(Int(length) ?? 0)
            case ("stream", let length?): try await sendStream(Int(length) ?? 0)
            case ("join", let text?):
                try await session.join(ShareLink(parsing: text, for: session.local.application))
            default: show("unknown: \(line)")
            }
        } catch {
            show("failed: \(line): \((error as? PeerError)?.message ?? "\(error)")")
        }
    }

    private func measure(_ length: Int) async throws {
        for peer in session.connectedPeers {
            let request = Measure(text: String(repeating: "x", count: length))
            let answer = try await session.request(request, from: peer, timeout: .seconds(300))
            show("\(session.name(of: peer)) measures \(answer.length)")
        }
    }

    private func sendStream(_ length: Int) async throws {
        let bytes = Data((0..<length).map { UInt8($0 % 251) })
        for peer in session.connectedPeers {
            let stream = try await session.openStream(named: "pattern", to: peer, metadata: Data([1, 2]))
            async let back = stream.bytes.reduce(into: Data()) { $0 += $1 }
            try await stream.write(bytes)
            stream.finish()
            show("\(session.name(of: peer)) returns \(try await back == bytes ? "the same" : "other") bytes")
        }
    }

    private func returnBytes(of stream: PeerStream) async {
        var count = 0
        do {
            for try await bytes in stream.bytes {
                count += bytes.count
                try await stream.write(bytes)
            }
            stream.finish()
            show("\(session.name(of: stream.peer)) sent \(count) bytes as \(stream.name)")
        } catch {
            show("\(session.name(of: stream.peer)) sent \(count) bytes as \(stream.name): \(error.message)")
        }
    }
}
