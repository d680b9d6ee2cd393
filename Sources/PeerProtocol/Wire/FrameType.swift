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
    /// The receiver asks for the digests of the pages of chunks.
    case pageQuery = 0x28
    /// The digests of these pages.
    case pageDigests = 0x29
    /// The pages that the receiver lacks.
    case pageRequest = 0x2A
    /// The receiver asks for lists of chunk digests before it answers the offer.
    case digestQuery = 0x2B

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
            .lanes, .join, .allDispatched:
            limits.maximumControlLength
        }
    }
}
