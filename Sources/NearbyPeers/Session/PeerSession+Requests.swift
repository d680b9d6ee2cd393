public import FoundationEssentials
import NIOCore
public import PeerCore
import PeerProtocol

extension PeerSession {
    /// Sends a request to a peer, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: The peer.
    ///   - timeout: How long to wait for the answer.
    /// - Returns: The answer.
    /// - Throws: `PeerError` with `PeerError.Code.declined` and the peer's reason, `PeerError.Code.timedOut`,
    ///   `PeerError.Code.notConnected`; `PeerError.Code.outcomeUnknown` if the link ended before the answer arrived.
    public func request<Request: PeerRequest>(
        _ request: Request,
        from peer: PeerID,
        timeout: Duration = .seconds(15)
    ) async throws(PeerError) -> Request.Response {
        let name = try LinkName.checked(Request.messageName)
        let message = try MessageCoding.encode(request, named: name, version: Request.messageVersion)
        let link = try states.linked(peer)
        if let known = link.peerTypes[name.text], Int(known) < Request.messageVersion {
            throw PeerError(.unsupportedVersion, "The other side supports only version \(known) of “\(name.text)”.")
        }
        let deadline = link.clock.now + timeout
        let stream = try await link.ask(message, named: name, until: deadline)
        let answer: Message
        do throws(PeerError) {
            answer = try await link.answer(to: stream, until: deadline)
        } catch {
            // The peer need not work on an answer that is no longer awaited.
            link.cancel(stream, .cancelled, "")
            throw error
        }
        guard let response = MessageCoding.decode(Request.Response.self, from: answer) else {
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
    /// If the peer no longer waits, the task of `body` is cancelled. If `body` throws a `PeerError`, the peer is told its
    /// message as the reason of the refusal.
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
            for await request in requests {
                if count >= max(1, maximum) {
                    await group.next()
                    count -= 1
                }
                group.addTask { await Self.answer(request, body) }
                count += 1
            }
            group.cancelAll()
        }
    }

    private static func answer<Request: PeerRequest>(
        _ request: IncomingRequest<Request>,
        _ body: @escaping @Sendable (Request, PeerID) async throws -> Request.Response
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                do {
                    try request.answer(await body(request.request, request.peer))
                } catch let error as PeerError {
                    request.refuse(error.message)
                } catch {
                    request.refuse("The other side could not answer.")
                }
            }
            // The answer and the refusal end the waiting, too.
            await request.withdrawal()
            group.cancelAll()
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
