package import FoundationEssentials

/// One frame, but for data frames, whose bytes never gather in memory: see ``FrameDecoder``.
package enum Frame: Hashable, Sendable {
    /// Says who a side is and what it can do.
    case hello(Hello)
    /// Asks for a sign of life.
    case ping(Ping)
    /// Answers a ping.
    case pong(Ping)
    /// A person at one side stops the transfer.
    case cancel(Cancellation)
    /// Something went wrong at one side, or the other side broke the protocol.
    case failure(Failure)
    /// The receiver asks for a transfer.
    case invite(InvitationRequest)
    /// The sender agrees; the manifest follows.
    case accept
    /// One side says no.
    case decline(Refusal)
    /// The sender commits itself to a nonce.
    case pairingCommitment(PairingCommitment)
    /// The receiver's nonce.
    case pairingNonce(PairingDisclosure)
    /// The sender's nonce, which must match its commitment.
    case pairingReveal(PairingDisclosure)
    /// A person has compared the digits.
    case pairingConfirmation
    /// A manifest's body, not yet parsed: ``Manifest/init(parsing:limits:)``.
    case manifest(Data)
    /// The receiver accepts the offer, or a part of it.
    case selection(ResourceSelection)
    /// A part of the list of a resource's chunk digests.
    case digests(DigestListPart)
    /// The chunks of a resource that the receiver lacks.
    case request(ChunkRequest)
    /// The receiver has stored a resource.
    case confirmation(Confirmation)
    /// The sender has sent everything.
    case done(Completion)
    /// The receiver has committed everything.
    case acknowledgement(Acknowledgement)
    /// The receiver asks for the pieces of chunks.
    case pieceQuery(PieceQuery)
    /// A part of the list of these pieces.
    case pieceList(PieceListPart)
    /// The bytes of pieces that the receiver lacks.
    case rangeRequest(RangeRequest)
    /// The receiver asks for lists of chunk digests before it answers the offer.
    case digestQuery(DigestQuery)
    /// The receiver's place among those that the sender serves.
    case turn(TurnNotice)
    /// A catalogue's body, not yet parsed: ``Catalogue/init(parsing:limits:)``.
    case catalogue(Data)
    /// The receiver says which of several offers it wants.
    case pick(OfferPick)
    /// The sender asks for further connections.
    case lanes(LaneInvitation)
    /// The first frame of such a connection: the transfer that it belongs to.
    case join(LaneJoin)
    /// The sender has assigned all requested chunks of a resource to connections.
    case allDispatched(AllDispatched)
    /// Makes the connection carry a link.
    case link(LinkTerms)
    /// A numbered frame of a link, not yet parsed.
    case record(Record)
    /// A message that is sent at once or not at all.
    case droppable(DroppableMessage)
    /// An acknowledgement of records, and how much streams may carry.
    case credit(Credit)

    /// The frame's type.
    package var type: FrameType {
        switch self {
        case .hello: .hello
        case .ping: .ping
        case .pong: .pong
        case .cancel: .cancel
        case .failure: .failure
        case .invite: .invite
        case .accept: .accept
        case .decline: .decline
        case .pairingCommitment: .pairingCommitment
        case .pairingNonce: .pairingNonce
        case .pairingReveal: .pairingReveal
        case .pairingConfirmation: .pairingConfirmation
        case .manifest: .manifest
        case .selection: .selection
        case .digests: .digests
        case .request: .request
        case .confirmation: .confirmation
        case .done: .done
        case .acknowledgement: .acknowledgement
        case .pieceQuery: .pieceQuery
        case .pieceList: .pieceList
        case .rangeRequest: .rangeRequest
        case .digestQuery: .digestQuery
        case .turn: .turn
        case .catalogue: .catalogue
        case .pick: .pick
        case .lanes: .lanes
        case .join: .join
        case .allDispatched: .allDispatched
        case .link: .link
        case .record(let record): record.kind.frameType
        case .droppable: .droppable
        case .credit: .credit
        }
    }

    /// Whether every part has an allowed length; the length of the whole is checked against the type's maximum.
    func isWithin(_ limits: ProtocolLimits) -> Bool {
        switch self {
        case .hello(let hello): hello.isWithin(limits)
        case .cancel(let cancellation): cancellation.isWithin(limits)
        case .failure(let failure): failure.isWithin(limits)
        case .invite(let invitation): invitation.isWithin(limits)
        case .decline(let refusal): refusal.isWithin(limits)
        case .selection(let selection): selection.isWithin(limits)
        case .digestQuery(let query): query.isWithin(limits)
        case .turn(let notice): notice.isPossible
        case .pick(let pick): pick.isWithin(limits)
        case .acknowledgement(let acknowledgement): acknowledgement.isWithin(limits)
        case .lanes(let invitation): invitation.isWithin(limits)
        case .request(let request): request.hasOnlyPossibleChunks
        case .link(let terms): terms.isWithinBounds
        case .droppable(let message): message.isValid
        case .credit(let credit): credit.limits.count <= Credit.maximumCount
        case .ping, .pong, .accept, .pairingCommitment, .pairingNonce, .pairingReveal,
            .pairingConfirmation, .manifest, .digests, .confirmation, .done, .pieceQuery, .pieceList,
            .rangeRequest, .catalogue, .join, .allDispatched, .record:
            true
        }
    }

    /// Returns the frame with its texts for people cut to their allowed length.
    func shorteningTexts(to limits: ProtocolLimits) -> Frame {
        let maximum = limits.maximumTextLength
        switch self {
        case .hello(var hello):
            hello.displayName = hello.displayName.prefix(utf8Count: limits.maximumDisplayNameLength)
            hello.platform = hello.platform.prefix(utf8Count: maximum)
            hello.software = hello.software.prefix(utf8Count: maximum)
            return .hello(hello)
        case .cancel(var cancellation):
            cancellation.reason = cancellation.reason.prefix(utf8Count: maximum)
            return .cancel(cancellation)
        case .failure(var failure):
            failure.message = failure.message.prefix(utf8Count: maximum)
            failure.remedy = failure.remedy?.prefix(utf8Count: maximum)
            return .failure(failure)
        case .decline(var refusal):
            refusal.reason = refusal.reason.prefix(utf8Count: maximum)
            return .decline(refusal)
        case .ping, .pong, .invite, .accept, .pairingCommitment, .pairingNonce, .pairingReveal,
            .pairingConfirmation, .manifest, .selection, .digests, .request, .confirmation, .done, .acknowledgement,
            .pieceQuery, .pieceList, .rangeRequest, .digestQuery, .turn, .catalogue, .pick, .lanes, .join,
            .allDispatched, .link, .record, .droppable, .credit:
            return self
        }
    }
}
