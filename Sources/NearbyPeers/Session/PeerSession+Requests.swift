public import FoundationEssentials
import NIOCore
public import PeerCore
import PeerProtocol

extension PeerSession {
    /// Sends a request to a peer, and waits for the answer.
    ///
    /// Short requests go together over one stream, long ones over another, so a long one delays no short one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: The peer.
    ///   - timeout: How long to wait for the answer; more than 0.
    /// - Returns: The answer.
    /// - Throws: `PeerError` with `PeerError.Code.declined` and the peer's reason, `PeerError.Code.timedOut`,
    ///   `PeerError.Code.notConnected`, `PeerError.Code.invalidArgument`; `PeerError.Code.outcomeUnknown` if the link ended before
    ///   the answer arrived. `PeerError.Code.notUnderstood` or `PeerError.Code.unsupportedVersion` if the peer's configuration does
    ///   not name the type, or only an older version; nothing was sent then.
    public func request<Request: PeerRequest>(
        _ request: Request,
        from peer: PeerID,
        timeout: Duration = .seconds(15)
    ) async throws(PeerError) -> Request.Response {
        guard timeout > .zero else {
            throw PeerError(.invalidArgument, "The time-out of a request must be longer than 0 seconds.")
        }
        let (name, version) = try MessageCoding.type(Request.messageName, version: Request.messageVersion)
        let payload = try MessageCoding.json(of: request, for: "request “\(name.text)”")
        let link = try states.linked(peer)
        guard let known = link.peerTypes[name.text] else { throw .notUnderstood(name.text) }
        guard version <= known else { throw .unsupportedVersion(of: name.text, known: known) }
        let answer = try await link.ask(name, version: version, payload, until: link.clock.now + timeout)
        guard let response = MessageCoding.value(Request.Response.self, in: answer) else {
            throw PeerError(.protocolViolation, "The answer to “\(name.text)” cannot be read.")
        }
        return response
    }

    /// The requests of one type; read by one reader.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader, or if the configuration does not
    ///   name the type.
    public func requests<Request: PeerRequest>(_ type: Request.Type) throws(PeerError) -> IncomingRequests<Request> {
        let name = try LinkName.checked(type.messageName)
        return IncomingRequests(reader: try RequestReader(name.text, inboxes) { [states] in states.report($0) })
    }

    /// Answers the requests of a type until the task is cancelled or the session ends.
    ///
    /// If the peer no longer waits, the task of `body` is cancelled. If `body` throws a ``RequestRefusal``, the peer is told its code
    /// and its message, and if it throws a `PeerError`, its message. Of other errors, the peer is told nothing but that there was one.
    ///
    /// `body` begins in the task that reads the requests, and goes on in a task of its own when it waits for something for the first
    /// time. A closure that works for long without waiting delays the requests behind it, until the library has noticed.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - maximum: How many requests are answered at the same time.
    ///   - body: Returns the answer.
    /// - Throws: As ``requests(_:)``.
    public func answer<Request: PeerRequest>(
        _ type: Request.Type,
        atOnce maximum: Int = 16,
        _ body: @escaping @Sendable (Request, PeerID) async throws -> Request.Response
    ) async throws(PeerError) {
        let requests = try requests(type)
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            var pace = HandlerPace()
            for await request in requests {
                if count >= max(1, maximum) {
                    await group.next()
                    count -= 1
                }
                count += 1
                let handler = HandlerTask()
                if pace.runsAtOnce() {
                    let begin = ContinuousClock.now
                    group.addImmediateTask { await handler.run { await Self.answer(request, body) } }
                    pace.ran(for: ContinuousClock.now - begin)
                } else {
                    group.addTask { await handler.run { await Self.answer(request, body) } }
                }
                if !handler.hasEnded { request.whenWithdrawn { handler.cancel() } }
            }
            group.cancelAll()
        }
    }

    private static func answer<Request: PeerRequest>(
        _ request: IncomingRequest<Request>,
        _ body: @escaping @Sendable (Request, PeerID) async throws -> Request.Response
    ) async {
        do {
            try request.answer(await body(request.request, request.peer))
        } catch let refusal as RequestRefusal {
            request.refuse(refusal)
        } catch let error as PeerError {
            request.refuse(RequestRefusal(message: error.message))
        } catch {
            request.refuse(RequestRefusal(message: "The other side could not answer."))
        }
    }

    /// Opens a stream of bytes, in both directions.
    ///
    /// If the link has too many open streams, or too many unread bytes in its streams, the call waits until a stream ends or is
    /// read. There is no time limit; cancel the task to stop waiting.
    ///
    /// - Parameters:
    ///   - name: The name that the other side sees, 1 to 255 bytes.
    ///   - peer: The peer.
    ///   - metadata: Data for the application at the other side, at most 4,096 bytes.
    /// - Returns: The stream.
    /// - Throws: `PeerError` with `PeerError.Code.notConnected`, `PeerError.Code.invalidArgument` or `PeerError.Code.cancelled`.
    public func openStream(
        named name: String,
        to peer: PeerID,
        metadata: Data = Data()
    ) async throws(PeerError) -> PeerStream {
        let link = try states.linked(peer)
        let number = try await link.openStream(named: name, metadata: ByteBuffer(bytes: metadata))
        return PeerStream(name: name, metadata: metadata, number: number, link: link)
    }

    /// The streams that peers open; read by one reader at a time.
    ///
    /// Without a reader, each stream is refused. With a reader, up to 64 streams of each peer wait for it. When the reader is
    /// released, waiting streams are refused, and another reader may follow.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader.
    public func streams() throws(PeerError) -> IncomingStreams {
        IncomingStreams(reader: try inboxes.readStreams())
    }
}
