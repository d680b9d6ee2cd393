import NIOCore

/// The resources that a receiver is offered, and then those that it wants, until all of them are stored.
///
/// Before the selection, it asks for lists alone: those of chunk digests, and those of pieces.
/// Each goes through its own steps. A method that takes a frame throws what the frame does wrong; one that takes an event of
/// the driver returns `none` where the event has no meaning.
struct ResourceReception: Sendable {
    private static let unrequestedList = ProtocolError(
        .unexpectedFrame,
        "The other side sent a list of pieces that was not requested."
    )
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
    private var keptLists: [Int: [ReceivedPieceList]] = [:]
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
            && (lists.isArriving || surveys.values.contains(where: \.isAwaitingData)
                || resources.values.contains(where: \.isAwaitingData))
    }

    /// Whether every resource is stored.
    var isStored: Bool {
        resources.values.allSatisfy { resource in
            if case .stored = resource { true } else { false }
        }
    }

    /// Asks for the digest lists of these kinds before the selection, once; kinds that are not offered do not count.
    mutating func startSurvey(_ kinds: Set<ResourceKind>) -> ReceiverStateMachine.OnSurveyStarted {
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
            if search.isAwaitingList { surveys[position] = search }
            resources[position] = .listed
        }
        resources = resources.filter { wanted.contains($0.key) }
        keptLists = keptLists.filter { wanted.contains($0.key) }
        lists.expect(
            wanted.filter { if case .unlisted = resources[$0] { true } else { false } }
        )
    }

    /// A part of a digest list came.
    mutating func receivedDigests(
        _ part: DigestListPart
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedDigests {
        guard let digests = try lists.received(part), case .unlisted = resources[part.resource] else {
            return .awaitNextPart
        }
        resources[part.resource] = .listed
        return .locateChunks(part.resource, digests)
    }

    /// The driver has located the chunks of a resource that are present; after the selection, it has also copied them.
    mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns
    ) -> ReceiverStateMachine.OnChunksLocated {
        guard case .listed = resources[resource] else { return .none }
        let search = PieceRequestStateMachine(
            layout: manifest.entries[resource].layout,
            missing: missing,
            comparable: comparable,
            lists: hasSelection ? keptLists.removeValue(forKey: resource) ?? [] : []
        )
        return advance(search, of: resource)
    }

    /// A part of a list of pieces came.
    mutating func receivedPieceList(
        _ part: PieceListPart
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedPieceList {
        // The answers come in the order of the queries.
        if var survey = surveys.removeValue(forKey: part.resource) {
            // The rest of a list is awaited, although it counts no more.
            if try survey.received(part) == nil { surveys[part.resource] = survey }
            return .none
        }
        guard case .searching(var search) = resources[part.resource] else {
            // Without any query, the frame is out of turn.
            throw hasSelection || resources.values.contains(where: \.isSearching)
                ? Self.unrequestedList : .unexpected(.pieceList)
        }
        // Taken out of the dictionary, because a change would copy what has come.
        resources[part.resource] = nil
        let list = try search.received(part)
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
    ) -> ReceiverStateMachine.OnChunksLocated {
        guard case .searching(var search) = resources[resource] else { return .none }
        guard hasSelection else {
            guard search.comparedForSurvey(chunks, missing: missing) else { return .none }
            // What is not kept would cross twice.
            let kept = keptLists.values.joined().reduce(0) { $0 + $1.bytes.readableBytes }
            if kept >= Self.maximumKeptLength { search.stop() }
            return advance(search, of: resource, isComplete: kept < Self.maximumKeptLength)
        }
        guard search.compared(chunks, missing: missing) else { return .none }
        resources[resource] = .searching(search)
        return .sendRangeRequests(resource, search.wanted(of: chunks), missing)
    }

    /// The driver has put together the chunks whose bytes came, but for those that do not match their digest.
    mutating func chunksAssembled(_ resource: Int, except failed: ChunkRuns) -> ReceiverStateMachine.OnChunksLocated {
        guard case .searching(var search) = resources[resource], search.assembled(except: failed) else { return .none }
        return advance(search, of: resource)
    }

    /// Begins the next round of a search, or asks for what it has left.
    private mutating func advance(
        _ search: PieceRequestStateMachine,
        of resource: Int,
        isComplete: Bool = true
    ) -> ReceiverStateMachine.OnChunksLocated {
        var search = search
        let step = search.next()
        if case .end = step, hasSelection { return request(search.missingChunks, of: resource) }
        resources[resource] = .searching(search)
        switch step {
        case .query(let chunks): return .sendPieceQuery(PieceQuery(resource: resource, runs: chunks.ranges))
        case .read(let list): return .readList(resource, list)
        case .end: return .finishEstimate(resource, isComplete: isComplete)
        }
    }

    private mutating func request(_ missing: ChunkRuns, of resource: Int) -> ReceiverStateMachine.OnChunksLocated {
        let request = expect(missing, of: resource)
        return request.runs.isEmpty ? .sendRequestAndStore(request) : .sendRequest(request)
    }

    /// Awaits chunks; returns the request for them.
    private mutating func expect(
        _ missing: ChunkRuns,
        of resource: Int,
        onMainOnly: Bool = false
    ) -> ChunkRequest {
        // The sender reads runs that touch as one.
        let runs = missing.joined
        let layout = manifest.entries[resource].layout
        resources[resource] = .requested(ChunkArrival(runs, layout: layout, isForMainOnly: onMainOnly))
        return ChunkRequest(resource: resource, runs: runs.ranges)
    }

    /// A data frame begins on a connection.
    mutating func receivedData(
        _ header: DataHeader,
        on connection: Int
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedData {
        guard arriving == nil || arriving == header.resource,
            let action = takeData(header, on: connection)
        else {
            throw ProtocolError(.unexpectedFrame, "The other side sent data that was not requested.")
        }
        resourceOfFrame[connection] = header.resource
        return action
    }

    /// Takes the next requested piece; nil if it is another one.
    private mutating func takeData(_ header: DataHeader, on connection: Int) -> ReceiverStateMachine.OnReceivedData? {
        let resource = header.resource
        switch resources[resource] {
        case .requested(var arrival):
            // Taken out of the dictionary, because a change would copy it otherwise.
            resources[resource] = nil
            let isStriped = isStriped && !arrival.isForMainOnly
            guard isStriped || connection == ConnectionNumber.main,
                arrival.begin(header, on: connection, isStriped: isStriped)
            else { return nil }
            resources[resource] = .requested(arrival)
            arriving = resource
            return .keep(resource)
        case .searching(var search):
            guard connection == ConnectionNumber.main, search.received(header) else { return nil }
            resources[resource] = .searching(search)
            arriving = search.isAwaitingData ? resource : nil
            return .assemble(resource)
        case .unlisted, .listed, .stored, nil:
            return nil
        }
    }

    /// Bytes of the last data frame on a connection came.
    mutating func receivedBytes(_ count: Int, on connection: Int) -> ReceiverStateMachine.OnReceivedBytes {
        guard let resource = resourceOfFrame[connection] else { return .none }
        switch resources[resource] {
        case .requested(var arrival):
            resources[resource] = nil
            arrival.receivedBytes(count, on: connection)
            resources[resource] = .requested(arrival)
            guard arrival.isComplete else { return .keep(resource) }
            arriving = nil
            return .keepAndStore(resource)
        case .searching:
            return .assemble(resource)
        case .unlisted, .listed, .stored, nil:
            return .none
        }
    }

    /// A lane has ended.
    mutating func laneEnded(_ lane: Int) -> ReceiverStateMachine.OnLaneEnded {
        guard let resource = resourceOfFrame.removeValue(forKey: lane),
            case .requested(var arrival) = resources[resource]
        else { return .none }
        arrival.connectionEnded(lane)
        resources[resource] = .requested(arrival)
        return .forget(resource)
    }

    /// The sender asks for lanes.
    mutating func receivedLanes(_ invitation: LaneInvitation) -> ReceiverStateMachine.OnReceivedLanes {
        isStriped = true
        return .openLanes(invitation)
    }

    /// The sender has handed out everything of a resource to its connections.
    mutating func receivedAllDispatched(
        _ frame: AllDispatched
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedAllDispatched {
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
    mutating func lanesEnded(_ resource: Int) -> ReceiverStateMachine.OnLanesEnded {
        guard allDispatched.contains(resource), case .requested(let arrival) = resources[resource],
            !arrival.isComplete
        else { return .none }
        return .sendRequest(expect(arrival.missingChunks, of: resource, onMainOnly: true))
    }

    /// The driver has stored a complete resource.
    mutating func resourceStored(_ resource: Int) -> ReceiverStateMachine.OnResourceStored {
        guard resources[resource]?.hasArrived == true else { return .none }
        resources[resource] = .stored
        if arriving == resource { arriving = nil }
        return .sendConfirmation(Confirmation(resource: resource, digest: manifest.entries[resource].digest))
    }
}
