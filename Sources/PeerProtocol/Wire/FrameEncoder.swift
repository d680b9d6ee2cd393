import FoundationEssentials
package import NIOCore

/// Writes frames as bytes.
package struct FrameEncoder: Sendable {
    private let preface: Preface
    private let limits: ProtocolLimits

    package init(preface: Preface, limits: ProtocolLimits = .standard) {
        self.preface = preface
        self.limits = limits
    }

    /// Writes the preface.
    package func writePreface(into buffer: inout ByteBuffer) { buffer.writeBytes(preface.bytes) }

    /// Writes a frame.
    ///
    /// Texts for people that are too long are cut at a character; a person at the other side then reads their beginning.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/limitExceeded`` if the peer would refuse it for its length
    ///   or for that of a part of it.
    package func write(_ frame: Frame, into buffer: inout ByteBuffer) throws(ProtocolError) {
        let frame = frame.shorteningTexts(to: limits)
        guard frame.isWithin(limits) else {
            throw ProtocolError(.limitExceeded, "A \(frame.type) frame has more or longer entries than allowed.")
        }
        let start = buffer.writerIndex
        FrameHeader(rawType: frame.type.rawValue, payloadLength: 0).write(into: &buffer)
        let payloadStart = buffer.writerIndex
        try writePayload(of: frame, into: &buffer)
        let length = buffer.writerIndex - payloadStart
        let maximum = frame.type.maximumPayloadLength(limits)
        guard length <= maximum else {
            buffer.moveWriterIndex(to: start)
            throw ProtocolError(.limitExceeded, "A \(frame.type) frame of \(length) bytes is longer than \(maximum).")
        }
        buffer.setInteger(UInt32(truncatingIfNeeded: length), at: payloadStart - 4)
    }

    /// Writes everything that precedes the bytes of a data frame; exactly `header.length` bytes must follow.
    package func writeDataHeader(_ header: DataHeader, into buffer: inout ByteBuffer) {
        FrameHeader(rawType: FrameType.data.rawValue, payloadLength: DataHeader.byteCount + header.length)
            .write(into: &buffer)
        header.write(into: &buffer)
    }

    private func writePayload(of frame: Frame, into buffer: inout ByteBuffer) throws(ProtocolError) {
        switch frame {
        case .hello(let hello): try writeJSON(hello, into: &buffer)
        case .ping(let ping), .pong(let ping): try writeJSON(ping, into: &buffer)
        case .cancel(let cancellation): try writeJSON(cancellation, into: &buffer)
        case .failure(let failure): try writeJSON(failure, into: &buffer)
        case .invite(let invitation): try writeJSON(invitation, into: &buffer)
        case .accept, .pairingConfirmation: try writeJSON(Frame.Empty(), into: &buffer)
        case .decline(let refusal): try writeJSON(refusal, into: &buffer)
        case .pairingCommitment(let commitment): try writeJSON(commitment, into: &buffer)
        case .pairingNonce(let disclosure), .pairingReveal(let disclosure): try writeJSON(disclosure, into: &buffer)
        case .manifest(let body): buffer.writeBytes(body)
        case .selection(let selection): try writeJSON(selection, into: &buffer)
        case .digests(let part): part.write(into: &buffer)
        case .request(let request): request.write(into: &buffer)
        case .confirmation(let confirmation): try writeJSON(confirmation, into: &buffer)
        case .done(let completion): try writeJSON(completion, into: &buffer)
        case .acknowledgement(let acknowledgement): try writeJSON(acknowledgement, into: &buffer)
        case .pieceQuery(let query): query.write(into: &buffer)
        case .pieceList(let part): part.write(into: &buffer)
        case .rangeRequest(let request): request.write(into: &buffer)
        case .digestQuery(let query): try writeJSON(query, into: &buffer)
        case .turn(let notice): try writeJSON(notice, into: &buffer)
        case .catalogue(let body): buffer.writeBytes(body)
        case .pick(let pick): try writeJSON(pick, into: &buffer)
        case .lanes(let invitation): try writeJSON(invitation, into: &buffer)
        case .join(let join): try writeJSON(join, into: &buffer)
        case .allDispatched(let allDispatched): try writeJSON(allDispatched, into: &buffer)
        case .link(let terms): buffer.writeImmutableBuffer(try terms.encoded())
        case .record(let record): buffer.writeImmutableBuffer(record.payload)
        case .droppable(let message): buffer.writeImmutableBuffer(message.encoded())
        case .credit(let credit): buffer.writeImmutableBuffer(credit.encoded())
        }
    }

    private func writeJSON(_ value: some Encodable, into buffer: inout ByteBuffer) throws(ProtocolError) {
        buffer.writeBytes(try ControlJSON.encode(value, called: "A control frame"))
    }
}

extension Frame {
    /// The payload of frames that say everything by their type: `{}`.
    struct Empty: Codable {
        private enum CodingKeys: CodingKey {}

        init() {}

        /// Reads an object; whatever it holds is for a later version.
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }

        func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }
    }
}
