import PeerCore
import PeerProtocol

extension PeerState: CustomStringConvertible {
    /// The state in a few words, for a log or a first screen.
    ///
    /// The reasons are the peer's words: escape the text before you show it.
    public var description: String {
        switch self {
        case .connecting(let stage): "connecting (\(stage))"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected(let reason): "disconnected (\(reason))"
        }
    }
}

extension PeerState.Stage: CustomStringConvertible {
    /// The step in a few words, with the digits.
    public var description: String {
        switch self {
        case .dialing: "dialing"
        case .handshaking: "handshaking"
        case .asking: "asking"
        case .comparing(let digits): "comparing \(digits.text)"
        }
    }
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in a few words, with those of the peer.
    public var description: String {
        switch self {
        case .left(let words): words.isEmpty ? "left" : "left: \(words)"
        case .disconnected(let words): words.isEmpty ? "disconnected by the peer" : "disconnected by the peer: \(words)"
        case .endedByUs: "ended by this side"
        case .lost: "lost"
        case .declined(let refusal): refusal.reason.isEmpty ? "declined" : "declined: \(refusal.reason)"
        case .failed(let error): "failed: \(error.message)"
        case .replaced: "replaced by another program with this key"
        }
    }
}
