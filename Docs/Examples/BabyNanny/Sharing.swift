import ExampleSupport
import Foundation
import NearbyPeers

/// One side of the sharing; both sides do the same.
struct Sharing {
    let session: PeerSession
    let person: Person
    let profile: Profile
    /// The longest message that this side takes.
    let longest: Int
    let isNewer: Bool

    func run(invites: Bool) async throws {
        let invitations = try session.invitations()
        let events = session.events()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await session.announce() }
            group.addTask { await person.listen() }
            group.addTask { await person.answer(invitations) }
            group.addTask { await follow(events) }
            group.addTask { try await answerRequests() }
            if isNewer { group.addTask { try await readReminders() } }
            if invites { group.addTask { await inviteAll() } }
            for await line in person.lines {
                let action = Action(id: UUID(), text: line, at: Date())
                _ = await profile.merge([action])
                for peer in session.connectedPeers { group.addTask { await push([action], to: peer) } }
            }
            group.cancelAll()
        }
    }

    private func inviteAll() async {
        do {
            for try await found in session.browse() {
                for peer in found where peer.peerID.flatMap({ session.peer($0) }) == nil {
                    do {
                        try await session.invite(peer, timeout: .seconds(15))
                    } catch let error where error.code == .busy {
                        show("\(peer.displayName) is busy: \(error.message)")
                    } catch {
                        show("\(peer.displayName) is not connected: \(error.message)")
                    }
                }
            }
        } catch {
            show("the search for peers does not work: \(error.message)")
        }
    }

    private func follow(_ events: PeerEvents) async {
        var known: Set<PeerID> = []
        await withDiscardingTaskGroup { group in
            for await event in events {
                switch event {
                case .changed(let peer, _):
                    show("\(peer.displayName): \(words(for: peer.state))")
                    guard peer.state == .connected, known.insert(peer.id).inserted else { continue }
                    group.addTask { await shareAll(with: peer.id) }
                case .returned(let peer):
                    group.addTask { await shareAll(with: peer) }
                case .notUnderstood(let message, let version, let peer):
                    show("\(session.name(of: peer)) has a newer program (\(message) \(version)). Update this one.")
                default: break
                }
            }
        }
    }
}

/// What this side sends.
extension Sharing {
    /// Sends the profile to a peer that is linked anew.
    private func shareAll(with peer: PeerID) async {
        let name = session.name(of: peer)
        do {
            if isNewer { try await remind(peer) }
            let limit = try await limit(of: peer)
            show("\(name) takes messages of at most \(limit) bytes")
            var portions = await profile.actions.portions(ofAtMost: limit)
            let first = portions.isEmpty ? [] : portions.removeFirst()
            let snapshot = ProfileSnapshot(child: profile.child, actions: first)
            let acknowledgement = try await session.request(snapshot, from: peer)
            show("\(name) has the profile: receipt \(acknowledgement.receipt)")
            for portion in portions { try await send(portion, to: peer) }
        } catch {
            show("\(name) does not have the profile: \(message(of: error))")
        }
    }

    /// Sends a reminder, which only a newer program reads.
    private func remind(_ peer: PeerID) async throws {
        do {
            try await session.send(Reminder(text: "Vaccination on Monday"), to: peer)
        } catch {
            guard error.code == .notUnderstood else { throw error }
            show("\(session.name(of: peer)) has an older program, which knows no reminders")
        }
    }

    /// Sends actions that were added.
    func push(_ actions: [Action], to peer: PeerID) async {
        let name = session.name(of: peer)
        do {
            let portions = try await actions.portions(ofAtMost: limit(of: peer))
            if portions.isEmpty { show("\(name) does not get this: it is longer than a message may be") }
            for portion in portions { try await send(portion, to: peer) }
        } catch {
            show("\(name) does not get this: \(message(of: error))")
        }
    }

    private func limit(of peer: PeerID) async throws -> Int {
        let answer = try await session.request(Capabilities(maximumMessageLength: longest), from: peer)
        return min(answer.maximumMessageLength, 1024 * 1024)
    }

    private func send(_ actions: [Action], to peer: PeerID) async throws {
        let acknowledgement: Acknowledgement
        if isNewer, session.understands(SignedDelta.self, at: peer) {
            let delta = SignedDelta(actions: actions, author: session.local.displayName)
            acknowledgement = try await session.request(delta, from: peer)
        } else {
            acknowledgement = try await session.request(ActionsDelta(actions: actions), from: peer)
        }
        show("\(session.name(of: peer)) has \(actions.count) more: receipt \(acknowledgement.receipt)")
    }

    private func message(of error: any Error) -> String { (error as? PeerError)?.message ?? "\(error)" }
}

/// What this side receives.
extension Sharing {
    private func answerRequests() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                try await session.answer(Capabilities.self) { _, _ in Capabilities(maximumMessageLength: longest) }
            }
            group.addTask {
                try await session.answer(ProfileSnapshot.self) { snapshot, peer in
                    await merge(snapshot.actions, "the profile of \(snapshot.child)", from: peer)
                }
            }
            group.addTask {
                if isNewer {
                    try await session.answer(SignedDelta.self) { delta, peer in
                        await merge(delta.actions, "changes by \(delta.author ?? "an unknown person")", from: peer)
                    }
                } else {
                    try await session.answer(ActionsDelta.self) { delta, peer in
                        await merge(delta.actions, "changes", from: peer)
                    }
                }
            }
        }
    }

    private func merge(_ actions: [Action], _ what: String, from peer: PeerID) async -> Acknowledgement {
        let count = await profile.merge(actions)
        show("\(session.name(of: peer)) sent \(what): \(count) new, \(await profile.actions.count) in all")
        return Acknowledgement(receipt: UUID(), at: Date())
    }

    private func readReminders() async throws {
        for await reminder in try session.messages(of: Reminder.self) {
            show("\(session.name(of: reminder.peer)) reminds: \(reminder.message.text)")
        }
    }
}
