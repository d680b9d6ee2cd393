public import FoundationEssentials
public import PeerProtocol

/// A peer asks for what a sender offers.
public struct Invitation: Sendable {
    /// Who asks.
    ///
    /// With ``RemotePeer/admittedByLink``, the person has consented by giving the link away: accept without asking.
    public var peer: RemotePeer
    /// What is asked for.
    public var manifest: Manifest
    /// Anything that the application at the other side sent along.
    public var context: Data?
    /// The digits to compare with the other screen; nil if both sides know one another, a link admits the peer, or the
    /// session is in plain text and nothing protects it.
    public var pairing: PairingDigits?
}

/// The answer to an invitation.
public enum InvitationAnswer: Sendable {
    /// Let the peer in this once.
    ///
    /// A peer that is neither trusted nor admitted by a link counts as let in without a person: it gets one of fewer places
    /// and less time for its answer.
    case accept
    /// Let the peer in; a person has compared the digits and they are the same on both screens.
    ///
    /// The peer is pinned as soon as the person at the other side has said so, too. Without
    /// ``Invitation/pairing``, the same as ``accept``.
    case acceptAndPin
    /// Send the peer away.
    case decline(Refusal)

    /// Whether a person has let the peer in.
    var isByPerson: Bool {
        if case .acceptAndPin = self { true } else { false }
    }
}

/// What a sender offers to a receiver.
///
/// Nothing of it is on the receiver's disk yet.
public struct TransferOffer: Sendable {
    /// Who offers.
    public var peer: RemotePeer
    /// What is offered.
    public var manifest: Manifest
    /// The digits to compare with the other screen; nil if both sides know one another, a link names the sender, or the
    /// session is in plain text and nothing protects it.
    ///
    /// They are known, and reported as ``TransferState/pairing(_:)``, before the sender's person has answered.
    public var pairing: PairingDigits?
    /// Whether the person at the other side has said that the digits are the same; only then can the peer be pinned.
    public var isPairingConfirmedByPeer = false
}

/// The answer to an offer.
public enum OfferAnswer: Sendable {
    /// Take these kinds of what is offered.
    case accept(Set<ResourceKind>)
    /// Take these kinds; a person has compared the digits and they are the same on both screens.
    ///
    /// The peer is pinned if the person at the other side has said so, too. Without ``TransferOffer/pairing``, the same as
    /// ``accept(_:)``.
    case acceptAndPin(Set<ResourceKind>)
    /// Take nothing.
    case decline(Refusal)

    /// The kinds that are taken; nil for none.
    package var kinds: Set<ResourceKind>? {
        switch self {
        case .accept(let kinds), .acceptAndPin(let kinds): kinds
        case .decline: nil
        }
    }
}
