/// The first byte of a frame. (Wire format, "Frame types".)
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
    case pageQuery = 0x28
    case pageDigests = 0x29
    case pageRequest = 0x2A

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
        case .digests:
            DigestListPart.prefixLength + ContentDigest.byteCount * DigestListPart.maximumCount
        case .request:
            ChunkRequest.prefixLength + ChunkRequest.maximumBitmapLength
        case .pageQuery:
            RunList.payloadLength(runCount: PageQuery.maximumRunCount(limits))
        case .pageDigests:
            PageDigestList.prefixLength + PageDigest.byteCount * limits.maximumPageCount
        case .pageRequest:
            RunList.payloadLength(runCount: PageRequest.maximumRunCount(limits))
        case .data:
            DataHeader.byteCount + limits.maximumDataLength
        case .hello, .ping, .pong, .cancel, .failure, .invite, .accept, .decline, .pairingCommitment, .pairingNonce,
            .pairingReveal, .pairingConfirmation, .selection, .confirmation, .done, .acknowledgement, .lanes, .join,
            .allDispatched:
            limits.maximumControlLength
        }
    }
}
