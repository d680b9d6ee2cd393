/// The first byte of a frame; ``Frame`` says what each type means. (Wire format, "Frame types".)
package enum FrameType: UInt8, Hashable, Sendable, CaseIterable {
    case hello = 0x01
    case ping = 0x02
    case pong = 0x03
    case cancel = 0x05
    case failure = 0x06

    case invite = 0x10
    case accept = 0x11
    case decline = 0x12

    case pairingCommitment = 0x18
    case pairingNonce = 0x19
    case pairingReveal = 0x1A
    case pairingConfirmation = 0x1B

    case manifest = 0x20
    case selection = 0x21
    case digests = 0x22
    case request = 0x23
    case data = 0x24
    case confirmation = 0x25
    case done = 0x26
    case acknowledgement = 0x27
    case pieceQuery = 0x28
    case pieceList = 0x29
    case rangeRequest = 0x2A
    case digestQuery = 0x2B
    case turn = 0x2C
    case catalogue = 0x2D
    case pick = 0x2E

    case link = 0x30
    case members = 0x31
    case open = 0x32
    case droppable = 0x33
    case bytes = 0x34
    case credit = 0x35
    case end = 0x36
    case resource = 0x37

    case lanes = 0x38
    case join = 0x39
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
