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
/// Each line that is typed is sent to all. `/send FILE` sends a file to all, and `/who` shows who is there. Files that others
/// send are stored beside the key. Ctrl-D ends the program.
@main
struct Chat {
    static func main() async throws {
        guard let arguments = Arguments.read() else { exit(2) }
        let person = Person()
        var configuration = try arguments.configuration(service: "chat-app", software: "chat 1.0", asking: person)
        configuration.messages = [ChatLine.self]
        // All invite as soon as they see each other. That does no harm: two peers get one link. A peer that discovery does not
        // show is introduced by the others.
        configuration.invites = .everyoneFound
        try await withPeerSession(configuration) { session in
            let folder = URL(fileURLWithPath: arguments.keyFile).deletingLastPathComponent().path
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
            group.addTask { await Members(session: session).follow(events) }
            group.addTask { await files.take(offers) }
            for await text in person.lines {
                if text == "/who" {
                    Members(session: session).showAll()
                } else if text.hasPrefix("/send ") {
                    group.addTask { await files.send(String(text.dropFirst(6))) }
                } else {
                    try await say(text, in: session)
                }
            }
            group.cancelAll()
        }
    }

    /// Sends a line to all; a peer whose connection is lost gets it when it is back.
    private static func say(_ text: String, in session: PeerSession) async throws {
        let result = try await session.send(ChatLine(text: text, sentAt: Date()))
        for (peer, error) in result.missed {
            show("-- \(session.name(of: peer)) does not get “\(text)”: \(error.message)")
        }
        if result.taken.isEmpty { show("-- no peer is connected") }
    }
}
