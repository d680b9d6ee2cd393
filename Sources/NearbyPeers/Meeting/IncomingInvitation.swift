public import FoundationEssentials
public import PeerCore

/// An invitation from a peer.
///
/// ```swift
/// for await invitation in try session.invitations() {
///     if await person.says("Is \(invitation.digits?.text ?? "") on both screens?") {
///         try await invitation.accept(.same)
///     } else {
///         await invitation.decline()
///     }
/// }
/// ```
///
/// If an invitation is not answered, it is declined when the peer's time-out is over. If its connection breaks before it is
/// answered, it is withdrawn. The peer tries again as long as its time-out allows, and its next attempt is a new invitation,
/// with other digits.
public struct IncomingInvitation: Sendable {
    /// The peer that invites.
    public var peer: RemotePeer
    /// The data that the peer's application has sent with the invitation; nil if there are none.
    public var context: Data?
    /// The digits to compare; nil if the two sides know each other.
    public var digits: PairingDigits?

    let number: Int
    let hub: SessionHub
    let ended: ReadyQueue<Void>

    /// Accepts the invitation; returns when the peer is connected.
    ///
    /// - Parameter comparison: The person's comparison of ``digits``; required if there are digits.
    /// - Throws: `PeerError` with `PeerError.Code.notTrusted` if digits were not compared or are different,
    ///   `PeerError.Code.connectionLost` if the peer is gone, `PeerError.Code.timedOut`.
    public func accept(_ comparison: DigitComparison? = nil) async throws(PeerError) {
        try await hub.accept(number, comparison)
    }

    /// Declines the invitation.
    ///
    /// - Parameter reason: What the peer is told, at most 1,000 bytes.
    public func decline(_ reason: String = "The other side said no.") async {
        await hub.decline(number, Refusal(.declined, reason))
    }

    /// Waits until the peer has withdrawn the invitation, until it is answered, or until the task is cancelled.
    ///
    /// Then remove the question from the screen. Wait in one task at a time.
    public func withdrawal() async { _ = await ended.next() }
}
