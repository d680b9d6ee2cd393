import ExampleSupport
import NearbyPeers

/// The host's part: one host, any number of clients.
struct Host {
    private static let pause: Duration = .seconds(5)

    let session: PeerSession
    let person: Person

    func run() async throws {
        let events = session.events()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await person.listen() }
            group.addTask { await follow(events) }
            group.addTask { await inviteClients() }
            for await line in person.lines {
                if line == "test" {
                    await testConnections(session)
                } else if line.hasPrefix("show ") {
                    let picture = ShowPicture(name: String(line.dropFirst(5)))
                    for peer in session.connectedPeers { group.addTask { await ask(peer, picture) } }
                } else {
                    let result = try await session.send(Note(text: line))
                    for (peer, error) in result.missed { log(session.name(of: peer), "no note: \(error.message)") }
                }
            }
            group.cancelAll()
        }
    }

    /// Invites the clients that discovery finds, one after the other; after a failure, waits and looks again.
    private func inviteClients() async {
        while !Task.isCancelled {
            log("host", "looking for clients")
            let events = session.events()
            let reason = await withTaskGroup { group in
                group.addTask { await inviteFound() }
                group.addTask { await failure(events) }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            if Task.isCancelled { return }
            log("host", "failed: \(reason ?? "discovery has ended")")
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Invites until an invitation or discovery fails; returns why.
    private func inviteFound() async -> String? {
        do {
            for try await found in session.browse() {
                for client in found where client.info["role"] == "client" && isNeeded(client) {
                    try await session.invite(client, timeout: .seconds(15))
                }
            }
            return nil
        } catch {
            return error.message
        }
    }

    /// Waits until the session gives a client up; returns why.
    private func failure(_ events: PeerEvents) async -> String? {
        for await case .changed(let peer, _) in events {
            switch peer.state {
            case .disconnected(.failed(let error)): return error.message
            case .disconnected(.declined(let refusal)): return refusal.reason
            case .disconnected(.lost): return "\(peer.displayName) is lost"
            default: break
            }
        }
        return nil
    }

    /// Whether a client has to be invited.
    ///
    /// The session itself returns to a client whose connection was lost.
    private func isNeeded(_ client: NearbyPeer) -> Bool {
        guard let id = client.peerID, let known = session.peer(id) else { return true }
        if case .disconnected = known.state { return true }
        return false
    }

    /// Prints each state, and shakes hands on each new link.
    private func follow(_ events: PeerEvents) async {
        var known: Set<PeerID> = []
        await withDiscardingTaskGroup { group in
            for await event in events {
                switch event {
                case .changed(let peer, _):
                    log(peer.displayName, words(for: peer.state))
                    guard peer.state == .connected, known.insert(peer.id).inserted else { continue }
                    group.addTask { await shakeHands(peer.id) }
                case .returned(let peer):
                    log(session.name(of: peer), "is back with a new link")
                    group.addTask { await shakeHands(peer) }
                default: break
                }
            }
        }
    }

    private func shakeHands(_ peer: PeerID) async {
        let handshake = Handshake(deviceID: session.local.displayName, platform: session.local.platform)
        do {
            let answer = try await session.request(handshake, from: peer, timeout: .seconds(15))
            log(session.name(of: peer), "handshake: \(answer.status) by \(answer.deviceID) (\(answer.platform))")
        } catch {
            log(session.name(of: peer), "handshake: \(error.message)")
        }
    }

    /// Asks for a picture.
    ///
    /// A connection that is lost meanwhile changes nothing, if it comes back in time.
    private func ask(_ peer: PeerID, _ picture: ShowPicture) async {
        do {
            let answer = try await session.request(picture, from: peer, timeout: .seconds(60))
            log(session.name(of: peer), answer.isVisible ? "\(picture.name) is shown" : "\(picture.name) is not shown")
        } catch {
            log(session.name(of: peer), "\(picture.name): \(error.message)")
        }
    }
}
