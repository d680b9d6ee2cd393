import NIOCore
import PeerCore
import PeerProtocol

/// The requests of one type that peers send; ends when the session ends.
///
/// See <doc:AskingAndAnswering> for an example.
public struct IncomingRequests<Request: PeerRequest>: AsyncSequence, Sendable {
    /// A request to answer.
    public typealias Element = IncomingRequest<Request>
    /// Reading does not fail: a request that cannot be read is refused.
    public typealias Failure = Never

    let reader: RequestReader

    /// Creates an iterator; all iterators share the requests.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for requests.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: RequestReader

        /// Returns the next request; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> IncomingRequest<Request>? {
            await next(isolation: nil)
        }

        /// Returns the next request; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> IncomingRequest<Request>? {
            while let (message, pending) = await reader.next() {
                if let request = MessageCoding.decode(Request.self, from: message) {
                    return IncomingRequest(request: request, peer: pending.link.peer, pending: pending)
                }
                reader.refuse(message, pending)
            }
            return nil
        }
    }
}

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
        let name = try LinkName.checked(Request.messageName)
        let message = try MessageCoding.encode(response, named: name, version: Request.messageVersion)
        try pending.link.sendAnswer(message, to: pending.stream)
    }

    /// Refuses the request.
    ///
    /// - Parameter reason: What the peer is told, at most 1,000 bytes.
    public func refuse(_ reason: String) {
        pending.link.cancel(pending.stream, .refused, reason)
    }

    /// Waits until the peer has withdrawn the request.
    func withdrawal() async {
        try? await pending.link.withdrawal(of: pending.stream)
    }
}

/// Reads the requests of one type, from all peers in the order in which they arrive.
final class RequestReader: Sendable {
    private let name: String
    private let inboxes: Inboxes
    private let queue: ReadyQueue<Inboxes.PendingRequest>
    private let report: @Sendable (PeerEvent) -> Void

    init(_ name: String, _ inboxes: Inboxes, report: @escaping @Sendable (PeerEvent) -> Void) throws(PeerError) {
        self.name = name
        self.inboxes = inboxes
        self.report = report
        self.queue = try inboxes.readRequests(name)
    }

    deinit {
        inboxes.stopReadingRequests(name)
    }

    func next() async -> (Message, Inboxes.PendingRequest)? {
        while let pending = await queue.next() {
            guard let message = pending.link.takeRequest(pending.stream) else { continue }
            guard case .json(_, let version) = message.form, version <= inboxes.requestVersion(of: name) ?? 0 else {
                refuse(message, pending)
                continue
            }
            return (message, pending)
        }
        return nil
    }

    func refuse(_ message: Message, _ pending: Inboxes.PendingRequest) {
        var version = 0
        if case .json(_, let number) = message.form { version = Int(number) }
        if pending.link.allowsReport(name) {
            report(.notUnderstood(message: name, version: version, from: pending.link.peer))
        }
        pending.link.cancel(pending.stream, .refused, "The other side does not understand this request.")
    }
}
