import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The timers of connections and members.
extension SessionHub {
    private static let interval: Duration = .milliseconds(250)
    private static let addressInterval: Duration = .seconds(5)

    /// Checks the timers of all connections and members until the session ends.
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
            act(number) { $0.tick(at: now) }
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
}
