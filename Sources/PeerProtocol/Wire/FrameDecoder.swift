import FoundationEssentials
package import NIOCore

/// Reads frames from bytes as they arrive.
///
/// It never asks for more memory than the limit of the current frame, and for none for the bytes of data frames,
/// which it passes on as they come. After it has thrown, it throws the same error for ever.
package struct FrameDecoder: Sendable {
    /// What the decoder finds in the bytes.
    package enum Output: Hashable, Sendable {
        /// The preface is whole and right.
        case preface
        /// A frame of any type but data.
        case frame(Frame)
        /// A data frame begins.
        case dataHeader(DataHeader)
        /// Some bytes of the data frame that began last, in order.
        case data(ByteBuffer)
    }

    private enum State {
        /// Awaits the preface.
        case preface
        /// Awaits the header of a frame.
        case header
        /// Awaits the whole payload of a frame.
        case payload(FrameHeader)
        /// Awaits the header of the bytes of a data frame.
        case dataHeader(FrameHeader)
        /// Passes on the bytes of a data frame.
        case data(remaining: Int)
        /// Skips the payload of an unknown frame.
        case skipping(remaining: Int)
        /// Final.
        case failed(ProtocolError)
    }

    private let preface: Preface
    private let limits: ProtocolLimits
    private var state: State = .preface
    /// The length of the current frame, or else of the last one, with its header.
    package private(set) var frameLength = 0

    /// Whether frames may be longer than control frames, as far as their types allow; data frames always may.
    ///
    /// Many peers may connect, and each of them could begin such a frame. A peer that may not send one yet is refused.
    package var takesLongFrames = true

    /// Whether the beginning of a frame has come and its rest has not; the bytes of data frames do not count.
    package var awaitsRestOfFrame: Bool {
        switch state {
        case .payload, .dataHeader: true
        case .preface, .header, .data, .skipping, .failed: false
        }
    }

    package init(preface: Preface, limits: ProtocolLimits = .standard) {
        self.preface = preface
        self.limits = limits
    }

    /// Reads the next thing from `buffer`; nil if more bytes are needed.
    ///
    /// - Throws: ``ProtocolError`` if the bytes are not of this protocol or are beyond its limits.
    package mutating func next(from buffer: inout ByteBuffer) throws(ProtocolError) -> Output? {
        do {
            while true {
                switch try step(&buffer) {
                case .output(let output): return output
                case .needsMoreBytes: return nil
                case .again: continue
                }
            }
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// The length of everything in a data frame that precedes its bytes.
    package static let dataHeaderLength = FrameHeader.byteCount + DataHeader.byteCount

    /// Returns whether ``next(from:)`` finds a whole header of a data frame, or bytes of one, at the beginning of a buffer.
    ///
    /// Then what it returns has no slice of the buffer but ``Output/data(_:)``.
    package func findsData(in buffer: ByteBuffer) -> Bool {
        switch state {
        case .data: buffer.readableBytes > 0
        case .dataHeader: buffer.readableBytes >= DataHeader.byteCount
        case .header:
            buffer.readableBytes >= Self.dataHeaderLength
                && buffer.getInteger(at: buffer.readerIndex) == FrameType.data.rawValue
        case .preface, .payload, .skipping, .failed: false
        }
    }

    /// How many of the next bytes belong in a buffer of their own, so that the payload of a long frame fills it; nil if a short frame,
    /// or one of data, is next.
    ///
    /// - `unread`: The number of bytes of the frame that were not read yet.
    package func lengthOfLongFrame(in bytes: ByteBuffer, behind unread: Int) -> Int? {
        switch state {
        case .payload(let header) where header.payloadLength >= Self.longLength: return header.payloadLength - unread
        case .header where unread == 0:
            guard let word = bytes.getInteger(at: bytes.readerIndex, as: UInt64.self) else { return nil }
            let header = FrameHeader(word: word)
            guard header.payloadLength >= Self.longLength, header.rawType != FrameType.data.rawValue else { return nil }
            return FrameHeader.byteCount + header.payloadLength
        default: return nil
        }
    }

    /// The length of a payload for which a buffer of its own is worth the cost.
    private static let longLength = 8 * 1024

    private enum Step {
        /// Something is whole.
        case output(Output)
        /// Nothing can be read yet.
        case needsMoreBytes
        /// The state has changed; there may be more to read.
        case again
    }

    private mutating func step(_ buffer: inout ByteBuffer) throws(ProtocolError) -> Step {
        switch state {
        case .preface:
            return try readPreface(&buffer)
        case .header:
            guard let header = try FrameHeader.read(from: &buffer) else { return .needsMoreBytes }
            state = try nextState(for: header)
            return .again
        case .payload(let header):
            guard let payload = buffer.readSlice(length: header.payloadLength) else { return .needsMoreBytes }
            state = .header
            return .output(.frame(try Self.frame(header.rawType, payload, limits)))
        case .dataHeader(let header):
            guard let (resource, offset) = buffer.readMultipleIntegers(as: (UInt32, UInt64).self) else {
                return .needsMoreBytes
            }
            let length = header.payloadLength - DataHeader.byteCount
            state = .data(remaining: length)
            return .output(.dataHeader(DataHeader(resource: Int(resource), offset: offset, length: length)))
        case .data(let remaining):
            guard let slice = buffer.readSlice(length: min(remaining, buffer.readableBytes)), slice.readableBytes > 0
            else { return .needsMoreBytes }
            let left = remaining - slice.readableBytes
            state = left == 0 ? .header : .data(remaining: left)
            return .output(.data(slice))
        case .skipping(let remaining):
            let skipped = min(remaining, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: skipped)
            guard skipped == remaining else {
                state = .skipping(remaining: remaining - skipped)
                return .needsMoreBytes
            }
            state = .header
            return .again
        case .failed(let error):
            throw error
        }
    }

    private mutating func readPreface(_ buffer: inout ByteBuffer) throws(ProtocolError) -> Step {
        guard preface.bytes.starts(with: buffer.readableBytesView.prefix(Preface.byteCount)) else {
            throw preface.mismatch
        }
        guard buffer.readableBytes >= Preface.byteCount else { return .needsMoreBytes }
        buffer.moveReaderIndex(forwardBy: Preface.byteCount)
        state = .header
        return .output(.preface)
    }

    private mutating func nextState(for header: FrameHeader) throws(ProtocolError) -> State {
        frameLength = FrameHeader.byteCount + header.payloadLength
        guard let type = FrameType(rawValue: header.rawType) else {
            guard FrameType.ignorable.contains(header.rawType) else {
                throw ProtocolError(.invalidFrame, "The other side sent a frame of the unknown type \(header.rawType).")
            }
            try check(header.payloadLength, atMost: limits.maximumControlLength)
            return .skipping(remaining: header.payloadLength)
        }
        let maximum = type.maximumPayloadLength(limits)
        let mayBeLong = takesLongFrames || type == .data
        try check(header.payloadLength, atMost: mayBeLong ? maximum : min(maximum, limits.maximumControlLength))
        guard type == .data else { return .payload(header) }
        guard header.payloadLength > DataHeader.byteCount else {
            throw ProtocolError(.invalidFrame, "The other side sent a data frame without data.")
        }
        return .dataHeader(header)
    }

    private func check(_ length: Int, atMost maximum: Int) throws(ProtocolError) {
        guard length <= maximum else {
            throw ProtocolError(
                .limitExceeded,
                "The other side sent a frame of \(length) bytes; at most \(maximum) are allowed."
            )
        }
    }
}

extension FrameDecoder {
    private static func frame(
        _ rawType: UInt8,
        _ payload: ByteBuffer,
        _ limits: ProtocolLimits
    ) throws(ProtocolError) -> Frame {
        let frame = try frame(rawType, payload)
        guard frame.isWithin(limits) else {
            throw ProtocolError(.limitExceeded, "The other side sent a frame with more or longer entries than allowed.")
        }
        guard case .hello(let hello) = frame else { return frame }
        guard hello.hasFeatureNames else {
            throw ProtocolError(.invalidFrame, "The other side names a feature with characters that are not allowed.")
        }
        guard hello.hasNeededIncarnation else {
            throw ProtocolError(.invalidFrame, "The other side has the feature “sessions”, but sends no incarnation.")
        }
        return frame
    }

    private static func frame(_ rawType: UInt8, _ payload: ByteBuffer) throws(ProtocolError) -> Frame {
        switch FrameType(rawValue: rawType) {
        case .hello: return .hello(try json(payload))
        case .ping: return .ping(try json(payload))
        case .pong: return .pong(try json(payload))
        case .cancel: return .cancel(try json(payload))
        case .failure: return .failure(try json(payload))
        case .invite: return .invite(try json(payload))
        case .accept:
            let _: Frame.Empty = try json(payload)
            return .accept
        case .decline: return .decline(try json(payload))
        case .pairingCommitment: return .pairingCommitment(try json(payload))
        case .pairingNonce: return .pairingNonce(try json(payload))
        case .pairingReveal: return .pairingReveal(try json(payload))
        case .pairingConfirmation:
            let _: Frame.Empty = try json(payload)
            return .pairingConfirmation
        case .manifest: return .manifest(Data(payload.readableBytesView))
        case .selection: return .selection(try json(payload))
        case .digests: return .digests(try read(payload, .digests, DigestListPart.read))
        case .request: return .request(try read(payload, .request, ChunkRequest.read))
        case .confirmation: return .confirmation(try json(payload))
        case .done: return .done(try json(payload))
        case .acknowledgement: return .acknowledgement(try json(payload))
        case .pieceQuery: return .pieceQuery(try read(payload, .pieceQuery, PieceQuery.read))
        case .pieceList: return .pieceList(try read(payload, .pieceList, PieceListPart.read))
        case .rangeRequest: return .rangeRequest(try read(payload, .rangeRequest, RangeRequest.read))
        case .digestQuery: return .digestQuery(try json(payload))
        case .turn: return .turn(try json(payload))
        case .catalogue: return .catalogue(Data(payload.readableBytesView))
        case .pick: return .pick(try json(payload))
        case .lanes: return .lanes(try json(payload))
        case .join: return .join(try json(payload))
        case .allDispatched: return .allDispatched(try json(payload))
        case .link: return .link(try LinkTerms(decoding: payload))
        case .droppable: return .droppable(try DroppableMessage(decoding: payload))
        case .credit: return .credit(try Credit(decoding: payload))
        case .members, .open, .bytes, .end, .resource, .data, nil:
            guard let kind = Record.Kind(rawValue: rawType) else {
                throw ProtocolError(.invalidFrame, "The other side sent a frame that cannot be read.")
            }
            return .record(Record(kind, payload: payload))
        }
    }

    private static func json<Value: Decodable>(_ payload: ByteBuffer) throws(ProtocolError) -> Value {
        let data = Data(payload.readableBytesView)
        return try ControlJSON.decode(Value.self, from: data, called: "The other side sent a frame that")
    }

    private static func read<Value>(
        _ payload: ByteBuffer,
        _ type: FrameType,
        _ read: (ByteBuffer) -> Value?
    ) throws(ProtocolError) -> Value {
        if let value = read(payload) { return value }
        throw ProtocolError(.invalidFrame, "The other side sent a \(type) frame that cannot be read.")
    }
}
