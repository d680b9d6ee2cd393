import NIOCore

/// The first byte of a frame. (Wire format, "Frame types".)
package enum FrameType: UInt8, Hashable, Sendable, CaseIterable {
    /// Says who a side is and what it can do.
    case hello = 0x01
    /// Asks for a sign of life.
    case ping = 0x02
    /// Answers a ping.
    case pong = 0x03
    /// A person at one side stops the transfer.
    case cancel = 0x05
    /// Something went wrong at one side, or the other side broke the protocol.
    case failure = 0x06

    /// The receiver asks for a transfer.
    case invite = 0x10
    /// The sender agrees; the manifest follows.
    case accept = 0x11
    /// One side says no.
    case decline = 0x12

    /// The sender commits itself to a nonce.
    case pairingCommitment = 0x18
    /// The receiver's nonce.
    case pairingNonce = 0x19
    /// The sender's nonce, which must match its commitment.
    case pairingReveal = 0x1A
    /// A person has compared the digits.
    case pairingConfirmation = 0x1B

    /// The offer.
    case manifest = 0x20
    /// The receiver accepts the offer, or a part of it.
    case selection = 0x21
    /// A part of the list of a resource's chunk digests.
    case digests = 0x22
    /// The chunks of a resource that the receiver lacks.
    case request = 0x23
    /// Bytes of a resource.
    case data = 0x24
    /// The receiver has stored a resource.
    case confirmation = 0x25
    /// The sender has sent everything.
    case done = 0x26
    /// The receiver has committed everything.
    case acknowledgement = 0x27
    /// The receiver asks for the pieces of chunks.
    case pieceQuery = 0x28
    /// A part of the list of these pieces.
    case pieceList = 0x29
    /// The bytes of pieces that the receiver lacks.
    case rangeRequest = 0x2A
    /// The receiver asks for lists of chunk digests before it answers the offer.
    case digestQuery = 0x2B
    /// The receiver's place among those that the sender serves.
    case turn = 0x2C
    /// The sender has several offers.
    case catalogue = 0x2D
    /// The receiver says which of them it wants.
    case pick = 0x2E

    /// Makes the connection carry a link.
    case link = 0x30
    /// What a member knows of the members of the group.
    case members = 0x31
    /// A stream of a link begins.
    case open = 0x32
    /// A message that is sent at once or not at all.
    case droppable = 0x33
    /// Bytes of a stream.
    case bytes = 0x34
    /// An acknowledgement of records, and how much streams may carry.
    case credit = 0x35
    /// A stream ends.
    case end = 0x36
    /// A word on a resource that a side offers or is offered.
    case resource = 0x37

    /// The sender asks for further connections.
    case lanes = 0x38
    /// The first frame of such a connection: the transfer that it belongs to.
    case join = 0x39
    /// The sender has assigned all requested chunks of a resource to connections.
    case allDispatched = 0x3A

    /// The types that a receiver skips if it does not know them, 0x80 to 0xFF.
    package static let ignorable: ClosedRange<UInt8> = 0x80...0xFF

    /// The longest payload of a frame of this type, in bytes.
    func maximumPayloadLength(_ limits: ProtocolLimits) -> Int {
        switch self {
        case .manifest:
            limits.maximumManifestLength
        case .catalogue:
            limits.maximumCatalogueLength
        case .digests:
            DigestListPart.prefixLength + ContentDigest.byteCount * DigestListPart.maximumCount
        case .request:
            ChunkRequest.prefixLength + ChunkRequest.maximumBitmapLength
        case .pieceQuery:
            PieceQuery.prefixLength + PieceQuery.runLength * PieceQuery.maximumRunCount
        case .pieceList:
            PieceListPart.prefixLength + PieceListPart.maximumLength
        case .rangeRequest:
            RangeRequest.prefixLength + RangeRequest.runLength * RangeRequest.maximumRunCount
        case .data:
            DataHeader.byteCount + limits.maximumDataLength
        case .link:
            LinkTerms.maximumLength
        case .members:
            MemberList.maximumLength
        case .open:
            StreamOpening.maximumLength
        case .droppable:
            DroppableMessage.maximumLength
        case .bytes:
            StreamBytes.prefixLength + StreamBytes.maximumLength
        case .credit:
            Credit.maximumLength
        case .end:
            StreamEnd.maximumLength
        case .resource:
            ResourceNotice.maximumLength
        case .hello, .ping, .pong, .cancel, .failure, .invite, .accept, .decline, .pairingCommitment, .pairingNonce,
            .pairingReveal, .pairingConfirmation, .selection, .confirmation, .done, .acknowledgement, .digestQuery,
            .turn, .pick, .lanes, .join, .allDispatched:
            limits.maximumControlLength
        }
    }
}

/// The eight bytes before every payload: type, flags, two reserved bytes, length. (Wire format, "Frames".)
struct FrameHeader: Hashable, Sendable {
    static let byteCount = 8

    /// The first byte, known or not.
    var rawType: UInt8
    /// The length of the payload in bytes.
    var payloadLength: Int

    /// Reads a header; nil if fewer than eight bytes are there.
    ///
    /// - Throws: ``ProtocolError`` if a flag or a reserved byte is set, which version 1 forbids.
    static func read(from buffer: inout ByteBuffer) throws(ProtocolError) -> FrameHeader? {
        guard buffer.readableBytes >= byteCount,
            let (rawType, flags, reserved, length) = buffer.readMultipleIntegers(
                as: (UInt8, UInt8, UInt16, UInt32).self
            )
        else { return nil }
        guard flags == 0, reserved == 0 else {
            throw ProtocolError(.invalidFrame, "A frame has flags that this version does not know.")
        }
        return FrameHeader(rawType: rawType, payloadLength: Int(length))
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(rawType, UInt8(0), UInt16(0), UInt32(truncatingIfNeeded: payloadLength))
    }
}

/// The first eight bytes that each side sends. (Wire format, "Connection".)
///
/// They tell an application's connections from anything else, and plain text from TLS, whose first byte is 0x16.
package struct Preface: Hashable, Sendable {
    /// The length of every preface in bytes.
    package static let byteCount = 8

    /// The first byte of a TLS connection: a handshake record.
    package static let firstByteOfTLS: UInt8 = 0x16

    /// The application's name.
    package let application: String

    /// The bytes: the first seven characters of the name in upper case, filled up with spaces, and a line feed.
    package let bytes: [UInt8]

    /// Creates the preface of an application.
    ///
    /// - Parameter application: The name of the application's service type, such as `hikeshare`.
    package init(application: String) {
        self.application = application
        let name = application.uppercased().utf8.prefix(Self.byteCount - 1)
        let spaces = Array(repeating: UInt8(ascii: " "), count: Self.byteCount - 1 - name.count)
        self.bytes = name + spaces + [UInt8(ascii: "\n")]
    }

    /// The error of a peer that sends anything else.
    package var mismatch: ProtocolError {
        ProtocolError(
            .notHikeshare,
            "The other side does not speak \(application)'s protocol. Check the address and the port."
        )
    }
}
