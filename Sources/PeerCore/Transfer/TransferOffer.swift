public import PeerProtocol

/// A sender's offer.
///
/// Nothing has been written to the receiver's disk yet.
public struct TransferOffer: Sendable {
    /// The sender.
    public var peer: RemotePeer
    /// The offered resources.
    public var manifest: Manifest
    /// The digits that people compare; nil if the two sides trust each other, a share link names the sender, or the
    /// connection is in plain text and cannot be protected.
    ///
    /// The receiver knows the digits before the person on the other side answers, and reports them as
    /// ``TransferState/pairing(_:)``.
    public var pairing: PairingDigits?
    /// Whether the person on the other side has confirmed the digits.
    ///
    /// Only then can the peer become trusted.
    public var isPairingConfirmedByPeer = false
    /// How much of the offer has to be transferred; nil if the receiver has nothing of it, or if the estimate is not shown.
    public var estimate: TransferEstimate?
    /// What the sender says of the place that this side would have, and of its network; nil if it says nothing.
    ///
    /// The time is that for everything that is offered.
    public var turn: TransferTurn?
    /// The name of the network interface of this side's connection; nil if it is not known.
    public var interface: String?

    package init(
        peer: RemotePeer,
        manifest: Manifest,
        pairing: PairingDigits? = nil,
        isPairingConfirmedByPeer: Bool = false,
        estimate: TransferEstimate? = nil,
        turn: TransferTurn? = nil,
        interface: String? = nil
    ) {
        self.peer = peer
        self.manifest = manifest
        self.pairing = pairing
        self.isPairingConfirmedByPeer = isPairingConfirmedByPeer
        self.estimate = estimate
        self.turn = turn
        self.interface = interface
    }
}

/// The answer to an offer.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum OfferAnswer: Sendable {
    /// Accept resources of these kinds.
    case accept(Set<ResourceKind>)
    /// Accept resources of these kinds; a person has compared the digits, and they are the same on both screens.
    ///
    /// The peer becomes trusted if the person on the other side has confirmed the digits too. Without
    /// ``TransferOffer/pairing``, the same as ``accept(_:)``.
    case acceptAndPin(Set<ResourceKind>)
    /// Reject the offer, with a reason that the person on the other side sees.
    case decline(Refusal)

    /// The accepted kinds; nil if the offer is declined.
    package var kinds: Set<ResourceKind>? {
        switch self {
        case .accept(let kinds), .acceptAndPin(let kinds): kinds
        case .decline: nil
        }
    }
}
