import NearbyPeers
import PeerTestSupport

/// The events of a session as texts.
final class EventLog: Sendable {
    private let log = Locked<[String]>([])

    var texts: [String] { log.withLock { $0 } }

    init(_ session: PeerSession) {
        let events = session.events()
        let log = log
        Task {
            for await event in events {
                if case .linksChanged = event { continue }
                let text =
                    switch event {
                    case .changed(let peer, _): Self.text(peer.state)
                    case .returned: "returned"
                    case .notUnderstood(let message, let version, _): "not understood \(message) \(version)"
                    case .unread(let message, _): "unread \(message)"
                    case .announcement, .discoveryFailed, .refused, .linksChanged: "discovery"
                    }
                log.withLock { $0.append(text) }
            }
        }
    }

    private static func text(_ state: PeerState) -> String {
        switch state {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected: "disconnected"
        }
    }
}
