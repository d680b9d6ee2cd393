import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The timers of connections and members.
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
        if record.request != nil, !record.isOutgoing, !record.digits.hasSentAccept {
            return refuse(number, Refusal(.noAnswer, "There was no answer in time."))
        }
        // Silence is no decision: a last word would end what the peer wants, and its own words may be on the way. The peer can
        // try again when it sees that the connection has ended.
        logger.debug("connection closed: the peer was too slow", metadata: ["peer": "\(record.peer?.short ?? "")"])
        finish(number, nil)
        failed(number, .tooSlow, wasLinked: false)
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
}
