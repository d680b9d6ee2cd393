import NIOCore
import PeerCore
import PeerProtocol

/// Requests of this side, and answers to requests of the other side.
extension LinkDriver {
    /// Sends a request.
    ///
    /// - Returns: The number of its stream.
    /// - Throws: ``PeerError`` if it cannot be sent before the deadline.
    func ask(
        _ request: Message,
        named name: LinkName,
        until deadline: ContinuousClock.Instant
    ) async throws(PeerError) -> UInt32 {
        try await wait(for: .room, until: deadline) { state throws(PeerError) in
            try self.check(state)
            switch state.streams.open(.request, named: name.text) {
            case .full: return nil
            case .refuse: throw .notConnected
            case .use(let stream):
                state.handles.open.insert(stream)
                guard case .queued = state.streams.write(request, to: stream) else {
                    // The opening was not sent yet, so the stream disappears without a trace.
                    state.streams.cancel(stream)
                    self.forget(stream, &state)
                    throw .messageTooLong(request.payload.readableBytes, state.streams.peer.maximumMessageLength)
                }
                state.streams.finish(stream)
                return stream
            }
        }
    }

    /// Waits for the answer to a request.
    ///
    /// - Throws: ``PeerError`` if the request was refused, or if the link or the time ends first.
    func answer(to stream: UInt32, until deadline: ContinuousClock.Instant) async throws(PeerError) -> Message {
        try await wait(for: .stream(stream), until: deadline, isReady: false) { state throws(PeerError) in
            let message: Message?
            do throws(ProtocolError) {
                message = try state.nextMessage(stream)
            } catch {
                self.violate(&state, error)
                throw .unanswered(PeerError(.protocolViolation, error.message, cause: error))
            }
            if let message {
                self.forget(stream, &state)
                return message
            }
            if let end = state.handles.ends[stream] {
                self.forget(stream, &state)
                throw .refused(end)
            }
            if let failure = state.failure { throw .unanswered(failure) }
            return nil
        }
    }

    /// Takes a complete request; nil if the other side has withdrawn it.
    func takeRequest(_ stream: UInt32) -> Message? {
        update { state in
            do throws(ProtocolError) {
                return try state.streams.readMessage(stream)
            } catch {
                violate(&state, error)
                return nil
            }
        }
    }

    /// Answers a request.
    ///
    /// - Throws: ``PeerError`` if the answer is too long, or if the request was withdrawn.
    func sendAnswer(_ answer: Message, to stream: UInt32) throws(PeerError) {
        let outcome: Result<Void, PeerError> = update { state in
            if let failure = state.failure { return .failure(failure) }
            // Ends the task that waits for a withdrawal.
            state.waits.wake(.stream(stream))
            switch state.streams.write(answer, to: stream) {
            case .queued:
                state.streams.finish(stream)
                forget(stream, &state)
                return .success(())
            case .full, .tooLong:
                state.streams.cancel(stream, code: .tooLarge, reason: "The answer is too long.")
                forget(stream, &state)
                return .failure(
                    .messageTooLong(answer.payload.readableBytes, state.streams.peer.maximumMessageLength)
                )
            case .refuse:
                forget(stream, &state)
                return .failure(.requestWithdrawn)
            }
        }
        try outcome.get()
    }

    /// Waits until the other side withdraws a request, or the link ends.
    func withdrawal(of stream: UInt32) async throws(PeerError) {
        try await wait(for: .stream(stream), isReady: false) { state throws(PeerError) in
            guard state.failure == nil, state.handles.open.contains(stream) else { return () }
            guard let end = state.handles.ends[stream], end.code != .finished else { return nil }
            return ()
        }
    }

    /// Cancels a stream in both directions.
    func cancel(_ stream: UInt32, _ code: StreamEnd.Code, _ reason: String) {
        update { state in
            guard state.failure == nil else { return }
            state.streams.cancel(stream, code: code, reason: reason)
            forget(stream, &state)
            state.waits.wake(.stream(stream))
            state.waits.wake(.acknowledgement)
        }
    }

    func forget(_ stream: UInt32, _ state: inout LinkState) {
        state.handles.open.remove(stream)
        state.handles.ends[stream] = nil
        state.handles.requests.remove(stream)
        state.handles.untakenStreams.remove(stream)
    }

    /// Forgets a stream that has ended in both directions and that the application has released.
    func release(_ stream: UInt32) {
        update { forget(stream, &$0) }
    }
}
