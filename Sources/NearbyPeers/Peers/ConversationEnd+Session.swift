import PeerCore
import PeerProtocol

/// What the end of a conversation means for a session.
extension Conversation.End {
    /// Why there is no link; nil if one side has declined, or if the connection was closed in good order.
    func error(cause: (any Error)?) -> PeerError? {
        switch self {
        case .cancelledByPeer(let word): return word.disconnects == true ? .disconnectedByPeer : .peerLeft
        case .failedByPeer(let failure): return PeerError(failedLink: failure)
        case .violated: return PeerError(self) ?? .notConnected
        case .failed:
            let error = cause as? PeerError ?? PeerError(self) ?? .notConnected
            return error.code == .timedOut ? .tooSlow : error
        case .declined, .declinedByPeer, .completed, .cancelled, .connectionLost: return nil
        }
    }

    /// Why there is no link any more, if the connection carried it.
    func reason(_ error: PeerError) -> DisconnectReason {
        if case .cancelledByPeer(let word) = self { DisconnectReason(word) } else { .failed(error) }
    }

    /// The end for the log: without reasons that a peer has chosen.
    var logText: String {
        switch self {
        case .declined(let refusal): "declined: \(refusal.code)"
        case .declinedByPeer(let refusal): "declined by the peer: \(refusal.code)"
        case .failedByPeer(let failure): "the peer failed: \(failure.code)"
        case .violated(let error): "the peer broke the protocol: \(error)"
        case .failed: "failed"
        case .completed, .cancelled, .cancelledByPeer, .connectionLost: "closed"
        }
    }
}

extension DisconnectReason {
    /// What a peer says when it ends a link.
    init(_ word: Cancellation) {
        self = word.disconnects == true ? .disconnected(word.reason) : .left(word.reason)
    }
}

extension Refusal {
    static let full = Refusal(.busy, "The other machine is already connected to as many machines as it accepts.")
    static let notInvited = Refusal(.notTrusted, "No member of the group has introduced this machine.")
    static let disconnected = Refusal(.declined, "The other machine has disconnected this machine.")
    static let leaving = Refusal(.other, "The other side is leaving.")
    static let notCompared = Refusal(.notTrusted, "The digits were not compared, or were not the same.")
    static let digitsDiffer = Refusal(.notTrusted, "The digits were not the same.")
    static let nobodyAnswers = Refusal(.busy, "The other side does not accept invitations at the moment.")

    /// What the peer is told when its connection does not carry a link.
    init(_ decline: Decline) {
        switch decline {
        case .crossed(let count, let epoch):
            self.init(.crossed, "Another connection is used.")
            (connectionCount, self.epoch) = (count, epoch)
        case .over(let count, let epoch):
            self.init(.over, "The link has ended.")
            (connectionCount, self.epoch) = (count, epoch)
        case .replaced: self.init(.replaced, "Another program with the same key has replaced this one.")
        case .refused: self.init(.declined, "The other side refused the connection.")
        }
    }
}
