import NIOCore

/// The resources that a receiver is offered, and then those that it wants, until all of them are stored.
///
/// Before the selection, it asks for lists alone: those of chunk digests, and those of pieces.
/// Each goes through its own steps. A method that takes a frame throws what the frame does wrong; one that takes an event of
/// the driver returns `none` where the event has no meaning.
struct ResourceReception: Sendable {
    /// How far a resource has come.
    private enum Resource {
        /// Its digest list has not come.
        case unlisted
        /// Its digest list is verified; the chunks that this side has are being located or copied.
        case listed([ContentDigest])
        /// Pieces of missing chunks are looked for.
        case searching(PieceRequestStateMachine)
        /// Its missing chunks are on the way, or have all come.
        case requested(ResourceAssembly)
        /// It is whole and stored.
        case stored

        /// What comes of it; nil if nothing was asked for.
        var assembly: ResourceAssembly? {
            switch self {
            case .searching(let search): search.assembly
            case .requested(let assembly): assembly
            case .unlisted, .listed, .stored: nil
            }
        }
    }

    /// How many bytes of lists of pieces are kept from before the selection.
    private static let maximumKeptLength = 6 << 20

    /// What was offered.
    let manifest: Manifest
    private var resources: [Int: Resource]
    private var lists: DigestLists
    /// Whether digest lists were queried before the selection.
    private var hasAsked = false
    /// Whether the selection was sent.
    private(set) var hasSelection = false
    /// The queries for pieces that were sent before the selection and are not answered, by resource.
    private var surveys: [Int: PieceRequestStateMachine] = [:]
    /// The lists of pieces that came before the selection, by resource.
    private var keptLists: [Int: [PieceList.Received]] = [:]
    /// The resource whose data arrive; they are never mixed with another's.
    private var arriving: Int?
    /// The resource of the last frame on each connection.
    private var resourceOfFrame: [Int: Int] = [:]
    /// Whether the sender has asked for lanes, so that data may come over several connections.
    private var isStriped = false
    /// The resources whose chunks the sender has divided among several connections.
    private var allDispatched: Set<Int> = []

    /// Creates the reception of an offer before any query about it.
    init(_ manifest: Manifest) {
        self.manifest = manifest
        self.lists = DigestLists(manifest)
        self.resources = Dictionary(uniqueKeysWithValues: manifest.entries.indices.map { ($0, .unlisted) })
    }

    /// Whether the sender owes bytes that were asked for, or the rest of a list of digests or of pieces.
    var isAwaitingData: Bool {
        hasSelection
            && (lists.isArriving || surveys.values.contains { $0.assembly.awaitsData }
                || resources.values.contains { $0.assembly?.awaitsData == true })
    }

    /// Whether every resource is stored.
    var isStored: Bool {
        resources.values.allSatisfy { resource in
            if case .stored = resource { true } else { false }
        }
    }

    /// Asks for the digest lists of these kinds before the selection, once; kinds that are not offered do not count.
    mutating func startSurvey(_ kinds: Set<ResourceKind>) -> ReceiverStateMachine.Action {
        let positions = manifest.entries.indices.filter { kinds.contains(manifest.entries[$0].kind) }
        guard !hasSelection, !hasAsked, !positions.isEmpty else { return .none }
        hasAsked = true
        lists.expect(positions)
        return .sendDigestQuery(DigestQuery(kinds: positions.map { manifest.entries[$0].kind }))
    }

    /// Only these resources are wanted.
    ///
    /// Answers to what was asked before are still on the way, and come first.
    mutating func select(_ wanted: [Int]) {
        hasSelection = true
        for case (let position, .searching(let search)) in resources {
            if search.assembly.awaitsList { surveys[position] = search }
            resources[position] = .listed(search.assembly.digests)
        }
        resources = resources.filter { wanted.contains($0.key) }
        keptLists = keptLists.filter { wanted.contains($0.key) }
        lists.expect(
            wanted.filter { if case .unlisted = resources[$0] { true } else { false } }
        )
    }

    /// A part of a digest list came.
    mutating func receivedDigests(_ part: DigestListPart) throws(ProtocolError) -> ReceiverStateMachine.Action {
        guard let digests = try lists.received(part), case .unlisted = resources[part.resource] else { return .none }
        resources[part.resource] = .listed(digests)
        return .locateChunks(part.resource, digests)
    }

    /// The driver has located the chunks of a resource that are present; after the selection, it has also copied them.
    mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns
    ) -> ReceiverStateMachine.Action {
        guard case .listed(let digests) = resources[resource] else { return .none }
        let search = PieceRequestStateMachine(
            ResourceAssembly(layout: manifest.entries[resource].layout, digests: digests),
            missing: missing,
            comparable: comparable,
            lists: hasSelection ? keptLists.removeValue(forKey: resource) ?? [] : []
        )
        return advance(search, of: resource)
    }

    /// A part of a list of pieces came.
    mutating func receivedPieceList(_ part: PieceListPart) throws(ProtocolError) -> ReceiverStateMachine.Action {
        // The answers come in the order of the queries.
        if var survey = surveys.removeValue(forKey: part.resource) {
            // The rest of a list is awaited, although it counts no more.
            if try survey.assembly.received(part) == nil { surveys[part.resource] = survey }
            return .none
        }
        guard case .searching(var search) = resources[part.resource] else {
            // Without any query, the frame is out of turn.
            let mayCome = hasSelection || resources.values.contains { if case .searching = $0 { true } else { false } }
            throw mayCome ? .unrequestedList : .unexpected(.pieceList)
        }
        // Taken out of the dictionary, because a change would copy what has come.
        resources[part.resource] = nil
        let list = try search.assembly.received(part)
        resources[part.resource] = .searching(search)
        guard let list else { return .none }
        if !hasSelection { keptLists[part.resource, default: []].append(list) }
        return .readList(part.resource, list)
    }

    /// The driver has read a list and looked for its pieces.
    mutating func piecesCompared(
        _ resource: Int,
        _ chunks: ChunkRuns,
        missing: ByteRuns
    ) -> ReceiverStateMachine.Action {
        guard case .searching(var search) = resources[resource] else { return .none }
        guard hasSelection else {
            guard search.comparedForSurvey(chunks, missing: missing) else { return .none }
            // What is not kept would be transferred twice.
            let kept = keptLists.values.joined().reduce(0) { $0 + $1.bytes.readableBytes }
            if kept >= Self.maximumKeptLength { search.stop() }
            return advance(search, of: resource, isComplete: kept < Self.maximumKeptLength)
        }
        guard let ready = search.compared(chunks, missing: missing) else { return .none }
        resources[resource] = .searching(search)
        return .sendRangeRequests(resource, search.wanted(of: chunks), missing, ready: ready)
    }

    /// The driver has combined chunks of a resource with what is present, and these of them do not match their digest.
    mutating func chunksCombined(_ resource: Int, except failed: [Int]) -> ReceiverStateMachine.Action {
        guard case .searching(var search) = resources[resource] else { return .none }
        let hasEnded = search.combined(except: failed)
        resources[resource] = .searching(search)
        return hasEnded ? advance(search, of: resource) : .none
    }

    /// Begins the next round of a search, or asks for what it has left.
    private mutating func advance(
        _ search: PieceRequestStateMachine,
        of resource: Int,
        isComplete: Bool = true
    ) -> ReceiverStateMachine.Action {
        var search = search
        let step = search.next()
        if case .end = step, hasSelection {
            let request = expect(search.missingChunks, of: resource, in: search.assembly)
            return request.runs.isEmpty ? .sendRequestAndStore(request) : .sendRequest(request)
        }
        resources[resource] = .searching(search)
        switch step {
        case .query(let chunks): return .sendPieceQuery(PieceQuery(resource: resource, runs: chunks.ranges))
        case .read(let list): return .readList(resource, list)
        case .end: return .finishEstimate(resource, isComplete: isComplete)
        }
    }

    /// Awaits chunks; returns the request for them.
    private mutating func expect(
        _ missing: ChunkRuns,
        of resource: Int,
        in assembly: ResourceAssembly,
        onMainOnly: Bool = false
    ) -> ChunkRequest {
        // The sender reads runs that touch as one.
        let runs = missing.joined
        var assembly = assembly
        assembly.expectChunks(runs, onMainOnly: onMainOnly)
        resources[resource] = .requested(assembly)
        return ChunkRequest(resource: resource, runs: runs.ranges)
    }

    /// A data frame begins on a connection.
    mutating func receivedData(
        _ header: DataHeader,
        on connection: Int
    ) throws(ProtocolError) -> ReceiverStateMachine.Action {
        let resource = header.resource
        guard arriving == nil || arriving == resource else { throw .unrequestedData }
        // Taken out of the dictionary, because a change would copy what is gathered otherwise.
        switch resources[resource] {
        case .requested(var assembly):
            resources[resource] = nil
            try assembly.received(header, on: connection, isStriped: isStriped)
            resources[resource] = .requested(assembly)
            arriving = resource
        case .searching(var search):
            resources[resource] = nil
            try search.assembly.received(header, on: connection)
            arriving = search.assembly.awaitsData ? resource : nil
            resources[resource] = .searching(search)
        case .unlisted, .listed, .stored, nil:
            throw .unrequestedData
        }
        resourceOfFrame[connection] = resource
        return .none
    }

    /// Bytes of the last data frame on a connection came.
    mutating func receivedBytes(
        _ buffers: [ByteBuffer],
        on connection: Int
    ) throws(ProtocolError) -> ReceiverStateMachine.Action {
        guard let resource = resourceOfFrame[connection] else { return .none }
        let gathered: ResourceAssembly.Gathered
        var isWhole = false
        switch resources[resource] {
        case .requested(var assembly):
            resources[resource] = nil
            gathered = try assembly.received(buffers, on: connection)
            isWhole = assembly.isComplete
            resources[resource] = .requested(assembly)
        case .searching(var search):
            resources[resource] = nil
            gathered = try search.assembly.received(buffers)
            resources[resource] = .searching(search)
        case .unlisted, .listed, .stored, nil:
            return .none
        }
        if isWhole { arriving = nil }
        return switch gathered {
        case .chunks(let chunks): .keep(resource, chunks, isWhole: isWhole)
        case .pieces(let chunks): .combine(resource, chunks)
        }
    }

    /// A lane has ended.
    mutating func laneEnded(_ lane: Int) {
        guard let resource = resourceOfFrame.removeValue(forKey: lane),
            case .requested(var assembly) = resources[resource]
        else { return }
        resources[resource] = nil
        assembly.connectionEnded(lane)
        resources[resource] = .requested(assembly)
    }

    /// The sender asks for lanes.
    mutating func receivedLanes(_ invitation: LaneInvitation) -> ReceiverStateMachine.Action {
        isStriped = true
        return .openLanes(invitation)
    }

    /// The sender has handed out everything of a resource to its connections.
    mutating func receivedAllDispatched(
        _ frame: AllDispatched
    ) throws(ProtocolError) -> ReceiverStateMachine.Action {
        let isRequested =
            switch resources[frame.resource] {
            case .requested, .stored: true
            case .unlisted, .listed, .searching, nil: false
            }
        guard isStriped, isRequested, allDispatched.insert(frame.resource).inserted else {
            throw .unexpected(.allDispatched)
        }
        return .awaitEndOfLanes(frame.resource)
    }

    /// All lanes that could still carry bytes of a resource have ended.
    mutating func lanesEnded(_ resource: Int) -> ReceiverStateMachine.Action {
        guard allDispatched.contains(resource), case .requested(let assembly) = resources[resource],
            !assembly.isComplete
        else { return .none }
        return .sendRequest(expect(assembly.missingChunks, of: resource, in: assembly, onMainOnly: true))
    }

    /// The driver has stored a complete resource.
    mutating func resourceStored(_ resource: Int) -> ReceiverStateMachine.Action {
        guard case .requested(let assembly) = resources[resource], assembly.isComplete else { return .none }
        resources[resource] = .stored
        if arriving == resource { arriving = nil }
        return .sendConfirmation(Confirmation(resource: resource, digest: manifest.entries[resource].digest))
    }
}
