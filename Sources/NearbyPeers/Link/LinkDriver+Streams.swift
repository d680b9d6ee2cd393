import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// Streams of bytes, and offers of resources.
extension LinkDriver {
    /// Sends a notice about a resource; returns false if the link has ended, or if too many notices wait.
    func tell(_ notice: ResourceNotice) -> Bool {
        guard let payload = try? notice.encoded() else { return false }
        return update { state in
            guard state.failure == nil else { return false }
            return state.streams.send(Record(.resource, payload: payload)) == .queued
        }
    }

    /// Whether the last records of members were sent, and there is room for more.
    var takesMembers: Bool { inspect { $0.failure == nil && !$0.streams.hasMembers && $0.streams.hasControlRoom } }

    /// Sends lists of members.
    func tell(members payloads: [ByteBuffer]) {
        update { state in
            guard state.failure == nil else { return }
            for payload in payloads { _ = state.streams.send(Record(.members, payload: payload)) }
        }
    }

    /// Sends lists of members ahead of everything that waits, because the link ends right after them.
    func tell(lastMembers payloads: [ByteBuffer]) {
        update { state in
            let records = payloads.map { Record(.members, payload: $0) }
            write(records.filter { state.records.send($0, isLast: true) == .write }.map { .record($0) }, &state)
        }
    }

    /// Opens a stream.
    func openStream(named name: String, metadata: ByteBuffer) async throws(PeerError) -> UInt32 {
        try await wait(for: .room) { state throws(PeerError) in
            try self.check(state)
            switch state.streams.open(.bytes, named: name, metadata: metadata) {
            case .full: return nil
            case .refuse: throw .streamNameNotAllowed
            case .use(let stream):
                state.handles.open.insert(stream)
                return stream
            }
        }
    }

    /// Accepts a stream that the other side has opened.
    func accept(_ stream: UInt32) {
        update { state in
            state.handles.untakenStreams.remove(stream)
            state.streams.accept(stream)
        }
    }

    /// Writes bytes; waits while the other side does not read.
    func write(_ bytes: ByteBuffer, to stream: UInt32) async throws(PeerError) {
        // While the last burst is being written, the bytes only have to wait for the next one.
        let isQueued = changeQuietly { state in
            guard state.carrier?.isWriting == true, state.failure == nil else { return false }
            return state.streams.write(bytes, to: stream) == .queued
        }
        if isQueued { return }
        try await wait(for: .room) { state throws(PeerError) in
            try self.check(state)
            switch state.streams.write(bytes, to: stream) {
            case .queued: return ()
            case .full: return nil
            case .tooLong, .refuse: throw .ended(state.handles.ends[stream])
            }
        }
    }

    /// The application has released a stream; `isFinished` says whether it has finished the stream before.
    func letGo(of stream: UInt32, isFinished: Bool) {
        update { state in
            // Other links that end may need the room.
            _ = state.leftovers.takeBytes(stream)
            guard state.failure == nil, state.handles.open.contains(stream) else { return }
            if state.streams.hasReceivedAll(stream) {
                // A reader that stops at the end has done what it should, so it does not make the writer fail.
                state.streams.finish(stream)
                forget(stream, &state)
            } else if isFinished {
                discard(stream, &state)
            } else {
                cancel(stream, .cancelled, "", &state)
            }
        }
    }

    /// Drops all further bytes of a stream: unread, they would fill its window and stop the other side.
    private func discard(_ stream: UInt32, _ state: inout LinkState) {
        state.handles.open.remove(stream)
        // If the other side has ended the stream already, no more bytes arrive.
        if state.handles.ends.removeValue(forKey: stream) == nil { state.handles.discarded.insert(stream) }
        drop(stream, &state)
    }

    /// Drops the received bytes of a stream without a reader.
    func drop(_ stream: UInt32, _ state: inout LinkState) {
        _ = state.streams.readBytes(stream, atMost: .max, at: clock.now, roundTrip: state.roundTrip)
    }

    /// Cancels a stream in both directions.
    func cancel(_ stream: UInt32, _ code: StreamEnd.Code, _ reason: String) {
        update { cancel(stream, code, reason, &$0) }
    }

    private func cancel(_ stream: UInt32, _ code: StreamEnd.Code, _ reason: String, _ state: inout LinkState) {
        guard state.failure == nil else { return }
        state.streams.cancel(stream, code: code, reason: reason)
        forget(stream, &state)
        state.waits.wake(.stream(stream))
        state.waits.wake(.acknowledgement)
    }

    func forget(_ stream: UInt32, _ state: inout LinkState) {
        state.handles.open.remove(stream)
        state.handles.ends[stream] = nil
        state.handles.untakenStreams.remove(stream)
    }

    /// Ends the stream in the direction from this side.
    func finish(_ stream: UInt32) { update { $0.streams.finish(stream) } }

    /// Takes received bytes, waiting for them if necessary; nil at the end.
    func read(_ stream: UInt32, atMost maximum: Int) async throws(PeerError) -> ByteBuffer? {
        try await wait(for: .stream(stream)) { state throws(PeerError) -> ByteBuffer?? in
            let bytes = state.streams.readPiece(stream, atMost: maximum, at: self.clock.now, roundTrip: state.roundTrip)
            if bytes.readableBytes > 0 { return .some(bytes) }
            // Bytes that had arrived before the link ended come before its error.
            if let bytes = state.leftovers.takeBytes(stream) { return .some(bytes) }
            if let end = state.handles.ends[stream] {
                guard end.code == .finished else { throw .ended(end) }
                return .some(nil)
            }
            try self.check(state)
            return state.handles.open.contains(stream) ? nil : .some(nil)
        }
    }
}
