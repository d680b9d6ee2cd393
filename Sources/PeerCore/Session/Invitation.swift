public import FoundationEssentials
public import PeerProtocol

/// A peer asks for what a sender offers.
public struct Invitation: Sendable {
    /// Who asks.
    public var peer: RemotePeer
    /// What is asked for.
    public var manifest: Manifest
    /// Anything that the application at the other side sent along.
    public var context: Data?
}

/// The answer to an invitation.
public enum InvitationAnswer: Sendable {
    case accept
    case decline(Refusal)
}

/// What a sender offers to a receiver.
///
/// Nothing of it is on the receiver's disk yet.
public struct TransferOffer: Sendable {
    /// Who offers.
    public var peer: RemotePeer
    /// What is offered.
    public var manifest: Manifest
}

/// The answer to an offer.
public enum OfferAnswer: Sendable {
    /// Take these kinds of what is offered.
    case accept(Set<ResourceKind>)
    case decline(Refusal)
}
