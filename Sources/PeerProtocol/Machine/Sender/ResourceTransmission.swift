import NIOCore

/// The resources that are offered to a receiver, and then those that it has selected, until all of them are confirmed.
///
/// Before the selection, the receiver asks for lists once, and for the pieces of each chunk at most once. So what it can make the
/// sender read, and how much of it can wait, is bounded.
///
/// A method that takes a frame throws what the frame does wrong; one that takes an event of the driver returns `none` where
/// the event has no meaning.
struct ResourceTransmission: Sendable {
    private static let unallowedDigests = ProtocolError(
        .unexpectedFrame,
        "The other side requested digests that it may not request."
    )

    private static let unallowedQuery = ProtocolError(
        .unexpectedFrame,
        "The other side asked for pieces that it may not ask for."
    )

    private let manifest: Manifest
    /// The positions of the resources that the receiver wants; nil before the selection.
    private(set) var wanted: Set<Int>?
    /// The positions of those whose lists it has asked for before the selection; nil if it has not asked.
    private var queried: Set<Int>?
    /// The chunks that the receiver lacks, by resource.
    private var requested: [Int: ChunkRuns] = [:]
    /// The resources whose chunks were divided among several connections and have not been requested again.
    private var allDispatched: Set<Int> = []
    private var sent: Set<Int> = []
    private var confirmed: Set<Int> = []
    /// The queries for pieces before the selection, by resource.
    private var surveys: [Int: PieceResponseStateMachine] = [:]
    /// Those after it, and the requests for bytes of pieces, by resource.
    private var pieces: [Int: PieceResponseStateMachine] = [:]

    /// Creates the transmission of an offer about which the receiver has said nothing.
    init(_ manifest: Manifest) { self.manifest = manifest }

    /// The receiver asks for digest lists before its selection.
    mutating func receivedDigestQuery(
        _ query: DigestQuery
    ) throws(ProtocolError) -> SenderStateMachine.Action {
        guard wanted == nil else { throw .unexpected(.digestQuery) }
        let positions = positions(of: query.kinds)
        guard queried == nil, let positions, !positions.isEmpty else { throw Self.unallowedDigests }
        queried = positions
        return .sendDigests(positions.sorted())
    }

    /// The receiver says what it wants.
    ///
    /// - Returns: The wanted resources whose digest lists it has not asked for before, in the manifest's order.
    mutating func select(_ selection: ResourceSelection) throws(ProtocolError) -> [Int] {
        guard let wanted = positions(of: selection.kinds) else {
            throw ProtocolError(.unexpectedFrame, "The other side requested something that was not offered.")
        }
        self.wanted = wanted
        return wanted.subtracting(queried ?? []).sorted()
    }

    /// Whether all requests are answered.
    var isSent: Bool { sent == wanted }

    /// Whether the receiver has every resource.
    var isConfirmed: Bool { confirmed == wanted }

    /// The receiver says which chunks of a resource it lacks.
    mutating func receivedRequest(
        _ request: ChunkRequest
    ) throws(ProtocolError) -> SenderStateMachine.Action {
        guard wanted?.contains(request.resource) == true, pieces[request.resource]?.isIdle != false,
            let runs = manifest.entries[request.resource].layout.runs(validating: request.runs),
            takes(runs, of: request.resource)
        else { throw ProtocolError(.unexpectedFrame, "The other side requested chunks that do not exist.") }
        return .sendChunks(request.resource, runs)
    }

    /// Takes the one request for a resource, and a second one only for chunks that a lane has lost.
    private mutating func takes(_ runs: ChunkRuns, of resource: Int) -> Bool {
        guard let first = requested[resource] else {
            requested[resource] = runs
            return true
        }
        // Removing the mark allows one more request for each time that everything was handed out. So a receiver cannot
        // make the sender send the same chunks without end.
        guard !confirmed.contains(resource), !runs.ranges.isEmpty, allDispatched.remove(resource) != nil else {
            return false
        }
        // A lane can only lose what was handed out, so chunks that were not requested before cannot be lost.
        return RangeSet(first.ranges).isSuperset(of: RangeSet(runs.ranges))
    }

    /// The receiver asks for the pieces of chunks.
    mutating func receivedPieceQuery(
        _ query: PieceQuery
    ) throws(ProtocolError) -> SenderStateMachine.Action {
        let isEarly = wanted == nil
        guard !isEarly || queried != nil else { throw .unexpected(.pieceQuery) }
        var round = (isEarly ? surveys : pieces)[query.resource] ?? PieceResponseStateMachine()
        // Pieces are looked for before chunks are requested. Afterwards they would only be work for the sender.
        guard (wanted ?? queried)?.contains(query.resource) == true, requested[query.resource] == nil,
            let chunks = round.received(query, manifest.entries[query.resource].layout)
        else { throw Self.unallowedQuery }
        if isEarly { surveys[query.resource] = round } else { pieces[query.resource] = round }
        return .listPieces(query.resource, chunks)
    }

    /// The driver has listed the pieces of the first of the chunks that were queried last.
    mutating func piecesListed(
        _ resource: Int,
        _ list: ByteBuffer,
        until end: Int
    ) -> SenderStateMachine.Action {
        // Queries are answered in order, so those that came before the selection are first.
        if surveys[resource]?.listed(until: end) != true, pieces[resource]?.listed(until: end) != true { return .none }
        return .sendPieceList(PieceListPart.parts(of: list, resource: resource))
    }

    /// The receiver says which bytes of pieces it lacks.
    mutating func receivedRangeRequest(
        _ request: RangeRequest
    ) throws(ProtocolError) -> SenderStateMachine.Action {
        var round = pieces[request.resource] ?? PieceResponseStateMachine()
        guard wanted?.contains(request.resource) == true, requested[request.resource] == nil,
            let runs = round.received(request, manifest.entries[request.resource].layout)
        else { throw ProtocolError(.unexpectedFrame, "The other side requested bytes that it may not request.") }
        pieces[request.resource] = round
        return .sendRanges(request.resource, runs)
    }

    /// The driver has sent the bytes of a request for bytes of pieces.
    mutating func rangesSent(_ resource: Int) -> SenderStateMachine.Action {
        pieces[resource]?.sent()
        return .none
    }

    /// The driver has handed out all requested chunks of a resource.
    mutating func chunksDispatched(_ resource: Int) -> SenderStateMachine.Action {
        guard requested[resource] != nil, !sent.contains(resource) else { return .none }
        allDispatched.insert(resource)
        return .sendAllDispatched(AllDispatched(resource: resource))
    }

    /// The driver has sent all requested chunks of a resource; false if none were requested.
    mutating func chunksSent(_ resource: Int) -> Bool {
        guard requested[resource] != nil else { return false }
        sent.insert(resource)
        return true
    }

    /// The receiver has a resource whole and verified; false if it may not say so.
    mutating func receivedConfirmation(_ confirmation: Confirmation) -> Bool {
        let position = confirmation.resource
        return requested[position] != nil && manifest.entries[position].digest == confirmation.digest
            && confirmed.insert(position).inserted
    }

    /// Returns the positions of the resources of these kinds; nil if one is not offered or is there twice.
    private func positions(of kinds: [ResourceKind]) -> Set<Int>? {
        var positions: Set<Int> = []
        for kind in kinds {
            guard let position = manifest.entries.firstIndex(where: { $0.kind == kind }),
                positions.insert(position).inserted
            else { return nil }
        }
        return positions
    }
}
