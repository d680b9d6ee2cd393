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
#if compiler(>=6.3)
@nonexhaustive
#endif
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
    var isByPerson: Bool { if case .acceptAndPin = self { true } else { false } }
}
