import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// Streams of bytes, and offers of resources.
extension LinkDriver {
    /// Sends a notice about a resource.
    ///
    /// - Returns: Whether it will be sent; false if the link has ended, or if too many notices wait for the peer.
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
    ///
    /// - Throws: ``PeerError`` if the name or the metadata are not allowed, or the link ends.
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
    ///
    /// - Throws: ``PeerError`` if the stream or the link has ended.
    func write(_ bytes: ByteBuffer, to stream: UInt32) async throws(PeerError) {
        try await wait(for: .room) { state throws(PeerError) in
            try self.check(state)
            switch state.streams.write(bytes, to: stream) {
            case .queued: return ()
            case .full: return nil
            case .tooLong, .refuse: throw .ended(state.handles.ends[stream])
            }
        }
    }

    /// Drops all further bytes of a stream, because its reader is gone.
    func discard(_ stream: UInt32) {
        update { state in
            guard state.failure == nil, state.handles.open.remove(stream) != nil else { return }
            // If the other side has ended the stream already, no more bytes arrive.
            if state.handles.ends.removeValue(forKey: stream) == nil { state.handles.discarded.insert(stream) }
            drop(stream, &state)
        }
    }

    /// Drops the received bytes of a stream without a reader.
    func drop(_ stream: UInt32, _ state: inout LinkState) {
        _ = state.streams.readBytes(stream, atMost: .max, at: clock.now, roundTrip: state.roundTrip)
    }

    /// Ends the stream in the direction from this side.
    func finish(_ stream: UInt32) {
        update { $0.streams.finish(stream) }
    }

    /// Takes received bytes, waiting for them if necessary; nil at the end.
    ///
    /// - Throws: ``PeerError`` if the stream was cancelled, or the link ends.
    func read(_ stream: UInt32, atMost maximum: Int) async throws(PeerError) -> ByteBuffer? {
        try await wait(for: .stream(stream)) { state throws(PeerError) -> ByteBuffer?? in
            let bytes = state.streams.readBytes(
                stream,
                atMost: maximum,
                at: self.clock.now,
                roundTrip: state.roundTrip
            )
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
