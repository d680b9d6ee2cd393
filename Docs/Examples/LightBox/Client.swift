import ExampleSupport
import NearbyPeers

/// The client's part: waits to be invited, and answers.
struct Client {
    let session: PeerSession
    let person: Person

    func run() async throws {
        let events = session.events()
        let invitations = try session.invitations()
        let notes = try session.messages(of: Note.self)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await session.announce(info: ["role": "client", "platform": session.local.platform]) }
            group.addTask { await person.listen() }
            group.addTask { await person.answer(invitations) }
            group.addTask {
                for await case .changed(let peer, _) in events { log(peer.displayName, words(for: peer.state)) }
            }
            group.addTask {
                for await note in notes { log(session.name(of: note.peer), "note: \(note.message.text)") }
            }
            group.addTask {
                try await session.answer(Handshake.self) { request, peer in
                    log(session.name(of: peer), "handshake of \(request.deviceID)")
                    let local = session.local
                    return .init(status: "accepted", deviceID: local.displayName, platform: local.platform)
                }
            }
            group.addTask {
                try await session.answer(ShowPicture.self) { picture, _ in
                    .init(isVisible: await person.says("Is “\(picture.name)” on the light box?", about: picture.name))
                }
            }
            for await line in person.lines where line == "test" { await testConnections(session) }
            group.cancelAll()
        }
    }
}
