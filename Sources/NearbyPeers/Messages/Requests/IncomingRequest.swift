import PeerCore
import PeerProtocol

/// A request of a peer.
///
/// If a request is neither answered nor refused, the peer gives it up after its time-out.
///
/// See <doc:AskingAndAnswering> for an example.
public struct IncomingRequest<Request: PeerRequest>: Sendable {
    /// The request.
    public var request: Request
    /// The peer that asks.
    public var peer: PeerID

    let pending: Inboxes.PendingRequest

    /// Answers the request.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the answer is too long,
    ///   `PeerError.Code.peerCancelled` if the peer no longer waits.
    public func answer(_ response: Request.Response) throws(PeerError) {
        let payload = try MessageCoding.json(of: response, for: "answer to “\(Request.messageName)”")
        try pending.link.answer(pending.request.number, payload)
    }

    /// Refuses the request; nothing happens if the peer no longer waits.
    ///
    /// - Parameter refusal: What the peer is told.
    public func refuse(_ refusal: RequestRefusal) {
        pending.link.refuse(pending.request.number, refusal.end)
    }

    /// Calls `cancel` when the peer withdraws the request; at once if it has done so, or if the request is over.
    func whenWithdrawn(_ cancel: @escaping @Sendable () -> Void) {
        pending.link.whenWithdrawn(pending.request.number, cancel)
    }
}
