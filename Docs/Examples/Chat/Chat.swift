import ExampleSupport
import Foundation
import NearbyPeers

/// A line of the chat.
struct ChatLine: PeerMessage {
    static let messageName = "chat.line"
    var text: String
    var sentAt: Date
}

/// Chats with everybody nearby who runs the same program: `Chat NAME KEY-FILE [--everyone]`.
///
/// What is typed is sent, and `/send FILE` sends a file. Files that others send are stored beside the key. Ctrl-D ends the program.
@main
struct Chat {
    static func main() async throws {
        guard let arguments = Arguments.read() else { exit(2) }
        let person = Person()
        var configuration = try arguments.configuration(service: "chat-app", software: "chat 1.0", asking: person)
        configuration.messages = [ChatLine.self]
        // Both sides invite as soon as they see each other. That does no harm: they get one link.
        configuration.invites = .everyoneFound
        try await withPeerSession(configuration) { session in
            let folder = URL(fileURLWithPath: arguments.keyFile).deletingLastPathComponent()
            try await chat(session, person, Files(session: session, folder: folder))
        }
    }

    private static func chat(_ session: PeerSession, _ person: Person, _ files: Files) async throws {
        let received = try session.messages(of: ChatLine.self)
        let invitations = try session.invitations()
        let offers = try session.resources()
        let events = session.events()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await session.announce() }
            group.addTask { await person.listen() }
            group.addTask { await person.answer(invitations) }
            group.addTask {
                for await line in received { show("\(session.name(of: line.peer)): \(line.message.text)") }
            }
            group.addTask {
                for await case .changed(let peer, _) in events {
                    show("-- \(peer.displayName): \(words(for: peer.state))")
                }
            }
            group.addTask { await files.take(offers) }
            for await text in person.lines {
                if text.hasPrefix("/send ") {
                    group.addTask { await files.send(String(text.dropFirst(6))) }
                    continue
                }
                let result = try await session.send(ChatLine(text: text, sentAt: Date()))
                for (peer, error) in result.missed {
                    show("-- \(session.name(of: peer)) does not get this: \(error.message)")
                }
                if result.taken.isEmpty { show("-- no peer is connected") }
            }
            group.cancelAll()
        }
    }
}
