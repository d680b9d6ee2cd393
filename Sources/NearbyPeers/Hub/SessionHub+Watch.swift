import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// What happens because time passes, and because peers are found.
extension SessionHub {
    private static let interval: Duration = .milliseconds(250)
    private static let addressInterval: Duration = .seconds(5)

    /// Looks at all connections until the session ends.
    func watch() async {
        var nextLookAtAddresses = clock.now
        while (try? await clock.sleep(for: Self.interval)) != nil {
            let now = clock.now
            if now >= nextLookAtAddresses {
                nextLookAtAddresses = now + Self.addressInterval
                noteOwnAddresses()
            }
            look(at: now)
        }
    }

    private func look(at now: ContinuousClock.Instant) {
        for number in connections.keys.sorted() {
            guard let record = connections[number] else { continue }
            if let deadline = record.timing.deadline, deadline <= now {
                connections[number]?.timing.deadline = nil
                expired(number, record)
            } else {
                keepAlive(number, at: now)
            }
        }
        lookAtMembers(at: now)
        let patience = configuration.reconnection.patience
        for (id, record) in peers {
            guard case .unreachable(let since) = record.state, now - since >= patience, roster.members[id] == nil else {
                continue
            }
            withdrawWish(of: id)
            show(.disconnected(.lost), of: id)
        }
    }

    private func expired(_ number: Int, _ record: ConnectionRecord) {
        guard !record.isFinished, record.handshake.isConnected else { return record.connection.abort() }
        if record.awaitsIntroduction { return decline(number, .notInvited) }
        if record.request != nil, !record.isOutgoing {
            let isOurs = !record.digits.hasSentAccept
            let reason =
                isOurs ? "There was no answer in time." : "The digits were not compared in time at both machines."
            refuse(number, Refusal(.noAnswer, reason))
        } else {
            fail(number, PeerError(.timedOut, "The other side did not answer in time."))
        }
    }

    /// Tests the connections of links, and ends those that are silent.
    private func keepAlive(_ number: Int, at now: ContinuousClock.Instant) {
        guard let record = connections[number], !record.isFinished, record.handshake.isConnected,
            now >= record.timing.nextKeepAlive
        else { return }
        switch connections[number]?.timing.keepAlive.tick(at: now, lastReceipt: record.connection.lastReceipt) {
        case .send(let next):
            connections[number]?.timing.nextKeepAlive = next
            record.connection.sendKeepAlive()
        case .lost:
            logger.notice(
                "the peer is silent: the connection is closed",
                metadata: ["peer": "\(record.peer?.short ?? "")", "address": "\(record.connection.remoteAddress)"]
            )
            record.connection.abort()
        case nil:
            break
        }
    }

    /// Discovery sees a peer.
    func sighted(_ peer: NearbyPeer) {
        guard let id = peer.peerID, peers[id] != nil else { return }
        for address in peer.addresses.reversed() { peers[id]?.addAddress(address) }
    }

    /// Keeps track of the peers nearby, and invites new ones at once.
    func watchNearby() async {
        while !Task.isCancelled {
            do throws(PeerError) {
                for try await found in PeerBrowsing(hub: self) {
                    let before = nearby
                    nearby = Dictionary(found.map { ($0.id, $0) }) { $1 }
                    for peer in found {
                        let isNew = before[peer.id].map { $0.ports != peer.ports } ?? true
                        await inviteIfWanted(peer, isNew: isNew)
                    }
                }
            } catch {
                board.report(.discoveryFailed(error))
            }
            guard (try? await clock.sleep(for: Self.invitationPause)) != nil else { return }
        }
    }

    /// Invites again those whose connection has failed.
    func inviteNearby() async {
        while (try? await clock.sleep(for: Self.invitationPause)) != nil {
            for peer in nearby.values.sorted(by: { $0.id < $1.id }) { await inviteIfWanted(peer, isNew: false) }
        }
    }

    /// How long to wait after a failed connection.
    private static let invitationPause: Duration = .seconds(5)

    private func inviteIfWanted(_ peer: NearbyPeer, isNew: Bool) async {
        guard let id = peer.peerID, id != localID, !isFull(besides: id), peers[id]?.isBlocked != true else { return }
        switch peers[id]?.state {
        // A person has answered, or has not: asking again and again would not change that.
        case .disconnected(.failed(let error))? where error.code == .notTrusted || error.code == .timedOut:
            guard isNew else { return }
        case nil, .disconnected(.lost)?, .disconnected(.failed)?: break
        // Whoever has left or declined is asked again when it appears anew.
        case .disconnected(.left)?, .disconnected(.declined)?, .disconnected(.leftByUs)?:
            guard isNew else { return }
        default: return
        }
        guard peers[id]?.meeting.wish == nil, peers[id]?.meeting.incoming == nil, peers[id]?.link == nil else { return }
        if configuration.invites == .trustedFound {
            let trust = try? await callOut { [configuration] in
                try await configuration.trust.trust(of: id, callingItself: peer.displayName)
            }
            guard case .trusted? = trust else { return }
        }
        let destination = Destination(addresses: peer.addresses, expected: ExpectedPeer(id: id), name: peer.displayName)
        spawn {
            _ = try? await self.invite(destination, id, context: nil, timeout: .seconds(30), isAutomatic: true)
        }
    }
}
