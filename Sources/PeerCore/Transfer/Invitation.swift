public import FoundationEssentials
public import PeerProtocol

/// A receiver's request for the offer of a sender.
public struct Invitation: Sendable {
    /// The receiver.
    ///
    /// If `RemotePeer.isAdmittedByShareLink` is set, the person consented when they gave the share link away. Accept
    /// without asking.
    public var peer: RemotePeer
    /// The manifest that the receiver asks for.
    public var manifest: Manifest
    /// Data that the application on the other side has sent with the invitation; nil if there are none.
    public var context: Data?
    /// The digits that people compare; nil if the two sides trust each other, a share link admits the peer, or the
    /// connection is in plain text and cannot be protected.
    public var pairing: PairingDigits?
    /// The place that the receiver would have among those that are served over the same network; nil if nothing is known.
    public var turn: TransferTurn?
}

/// The answer to an invitation.
public enum InvitationAnswer: Sendable {
    /// Accept the peer for this transfer.
    ///
    /// If the peer is neither trusted nor admitted by a share link, it gets less time for its answer, and the number of
    /// such peers is limited.
    case accept
    /// Accept the peer; a person has compared the digits, and they are the same on both screens.
    ///
    /// The peer becomes trusted when the person on the other side has confirmed the digits too. Without
    /// ``Invitation/pairing``, the same as ``accept``.
    case acceptAndPin
    /// Reject the peer, with a reason that its person sees.
    case decline(Refusal)

    /// Whether a person has accepted the peer.
    var isByPerson: Bool {
        if case .acceptAndPin = self { true } else { false }
    }
}

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

    /// Creates an offer.
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
