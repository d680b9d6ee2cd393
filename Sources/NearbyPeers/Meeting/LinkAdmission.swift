import PeerCore
import PeerProtocol

/// Which invitations are accepted or declined without a question to the application.
extension AdmissionPolicy.Rule {
    /// The reason to decline an invitation before a person is asked; nil if there is none.
    func refusal(of request: InvitationRequest, isWanted: Bool, isFull: Bool) -> Refusal? {
        // The conversation has checked the token already. A correct token admits the peer without further questions.
        if request.token != nil { return nil }
        if case .closed(let reason) = self, !isWanted { return Refusal(.declined, reason) }
        return isFull ? .full : nil
    }

    /// Whether the invitation of a peer is accepted without a question.
    func welcomes(_ remote: RemotePeer, hasDigits: Bool, isMember: Bool) -> Bool {
        if remote.isAdmittedByShareLink || isMember && !hasDigits { return true }
        return switch (self, remote.trust) {
        case (.everyone, _): true
        case (.trusted, .trusted), (.trusted, .known): !hasDigits
        case (.trusted, _), (.ask, _), (.closed, _): false
        }
    }
}

/// What becomes of a peer's request for a link.
enum LinkAdmission: Hashable, Sendable {
    /// The meeting of the two sides decides.
    case admitted
    /// The request waits: a member may have introduced this side to the peer before it introduces the peer to this side.
    case awaitsIntroduction
    /// Other peers have all slots.
    case full

    /// Decides about the request of a peer, which is known if it is a member, has a link, or was admitted on this connection.
    init(isKnown: Bool, hasSlot: Bool, isInRoster: Bool, isFull: Bool) {
        // Members are accepted beyond the limit, because two members may invite at the same time. Refusing one would tear the mesh.
        self = !isKnown ? .awaitsIntroduction : isFull && !hasSlot && !isInRoster ? .full : .admitted
    }
}

extension PeerRelation {
    /// Whether the certificate handler is asked again, because the peer was introduced after the first answer.
    ///
    /// The first answer was for another relation: the application may refuse introduced peers only.
    func needsNewAnswer(after first: PeerRelation?) -> Bool {
        if case .introduced = self { first == .invitesUs } else { false }
    }
}
