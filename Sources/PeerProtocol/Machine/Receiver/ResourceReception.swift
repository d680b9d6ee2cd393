/// The resources that a receiver wants, from the selection until all of them are stored.
///
/// Each goes through its own steps. A method that takes a frame throws what the frame does wrong; one that takes an event of
/// the driver returns `none` where the event has no meaning.
struct ResourceReception: Sendable {
    private enum Resource {
        /// Its digest list is awaited.
        case wanted
        /// Its digest list is proved; what is missing is being found out.
        case listed
        /// Pages of missing chunks are compared with those of an older version.
        case searching(PageRequestStateMachine)
        /// Its missing chunks are on the way.
        case requested(ChunkCursor)
        /// The same, over several connections.
        case striped(StripedArrival)
        /// It is whole and stored.
        case stored

        /// Whether everything that was asked for has begun to come.
        var hasArrived: Bool {
            switch self {
            case .requested(let cursor): cursor.isAtEnd
            case .striped(let arrival): arrival.isAtEnd
            case .wanted, .listed, .searching, .stored: false
            }
        }

        /// Whether bytes are awaited that were asked for.
        var isAwaitingData: Bool {
            switch self {
            case .requested(let cursor): !cursor.isAtEnd
            case .striped: true
            case .searching(let search): search.isAwaitingPages
            case .wanted, .listed, .stored: false
            }
        }
    }

    /// What was offered.
    let manifest: Manifest
    private let maximumPageCount: Int
    private var resources: [Int: Resource]
    /// The digest list of which some parts have come.
    private var list: DigestListAssembler?
    /// The resource whose data arrive; they are never mixed with another's.
    private var arriving: Int?
    /// Whether the sender has asked for lanes, so that data may come over several connections.
    private var isStriped = false
    /// The resources of which everything was handed out to several connections.
    private var allDispatched: Set<Int> = []

    /// Creates the reception of resources of which nothing has come.
    ///
    /// - Parameters:
    ///   - manifest: What was offered.
    ///   - wanted: The positions of the resources that are wanted.
    ///   - maximumPageCount: The most pages to ask for the digests of at once.
    init(_ manifest: Manifest, wanted: [Int], maximumPageCount: Int) {
        self.manifest = manifest
        self.maximumPageCount = maximumPageCount
        self.resources = Dictionary(uniqueKeysWithValues: wanted.map { ($0, .wanted) })
    }

    /// Whether the sender owes bytes that were asked for, or the rest of a digest list.
    var isAwaitingData: Bool {
        list != nil || resources.values.contains(where: \.isAwaitingData)
    }

    /// Whether every resource is stored.
    var isStored: Bool {
        resources.values.allSatisfy { resource in
            if case .stored = resource { true } else { false }
        }
    }

    /// A part of a digest list came.
    mutating func receivedDigests(
        _ part: DigestListPart
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedDigests {
        guard case .wanted = resources[part.resource] else { throw .unexpected(.digests) }
        let entry = manifest.entries[part.resource]
        if list == nil { list = DigestListAssembler(resource: part.resource, entry: entry) }
        guard list?.append(part) == true else {
            throw ProtocolError(.unexpectedFrame, "The other side sent digests that are not the next ones.")
        }
        guard let list, list.isComplete else { return .awaitNextPart }
        self.list = nil
        guard list.isProved else {
            throw ProtocolError(
                .digestMismatch,
                "The list of digests of the \(entry.kind) does not match the manifest."
            )
        }
        resources[part.resource] = .listed
        return .locateChunks(part.resource, list.digests)
    }

    /// The driver has found out which chunks of a resource are missing.
    mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns
    ) -> ReceiverStateMachine.OnChunksLocated {
        guard case .listed = resources[resource] else { return .none }
        guard !comparable.ranges.isEmpty else { return request(missing, of: resource) }
        let search = PageRequestStateMachine(
            layout: manifest.entries[resource].layout,
            missing: missing,
            comparable: comparable,
            maximumPageCount: maximumPageCount
        )
        return advance(search, of: resource)
    }

    /// The digests of pages came.
    mutating func receivedPageDigests(
        _ list: PageDigestList
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedPageDigests {
        guard case .searching(var search) = resources[list.resource],
            let chunks = search.receivedDigests(count: list.digests.count)
        else {
            throw ProtocolError(.unexpectedFrame, "The other side sent digests of pages that were not requested.")
        }
        resources[list.resource] = .searching(search)
        return .comparePages(list.resource, chunks)
    }

    /// The driver has found out which pages differ from the older version's.
    mutating func pagesCompared(_ resource: Int, differing: PageRuns) -> ReceiverStateMachine.OnPagesCompared {
        guard case .searching(var search) = resources[resource], search.compared(differing) else { return .none }
        resources[resource] = .searching(search)
        return .sendPageRequest(PageRequest(resource: resource, runs: differing.ranges))
    }

    /// The driver has put together the chunks whose pages came, but for those that do not match their digest.
    mutating func chunksAssembled(_ resource: Int, except failed: ChunkRuns) -> ReceiverStateMachine.OnChunksLocated {
        guard case .searching(var search) = resources[resource], search.assembled(except: failed) else { return .none }
        return advance(search, of: resource)
    }

    /// Begins the next round of a search, or asks for what it has left.
    private mutating func advance(
        _ search: PageRequestStateMachine,
        of resource: Int
    ) -> ReceiverStateMachine.OnChunksLocated {
        var search = search
        guard let chunks = search.nextQuery() else { return request(search.missingChunks, of: resource) }
        resources[resource] = .searching(search)
        return .sendPageQuery(PageQuery(resource: resource, runs: chunks.ranges))
    }

    private mutating func request(_ missing: ChunkRuns, of resource: Int) -> ReceiverStateMachine.OnChunksLocated {
        let request = expect(missing, of: resource)
        return request.runs.isEmpty ? .sendRequestAndStore(request) : .sendRequest(request)
    }

    /// Awaits chunks over the main connection; returns the request for them.
    private mutating func expect(_ missing: ChunkRuns, of resource: Int) -> ChunkRequest {
        // The sender reads runs that touch as one.
        let runs = missing.joined
        resources[resource] = .requested(ChunkCursor(runs: runs, layout: manifest.entries[resource].layout))
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
        return action
    }

    /// Takes the next piece of what was asked for; nil if it is not that.
    private mutating func takeData(_ header: DataHeader, on connection: Int) -> ReceiverStateMachine.OnReceivedData? {
        let resource = header.resource
        if isStriped, !allDispatched.contains(resource), case .requested(let cursor) = resources[resource] {
            resources[resource] = .striped(StripedArrival(cursor, layout: manifest.entries[resource].layout))
        }
        switch resources[resource] {
        case .striped(var arrival):
            guard arrival.pass(header, on: connection) else { return nil }
            resources[resource] = .striped(arrival)
            arriving = arrival.isAtEnd ? nil : resource
            return arrival.isAtEnd ? .keepAndStore(resource) : .keep(resource)
        case .requested(var cursor):
            guard connection == SessionConnection.main, cursor.pass(offset: header.offset, length: header.length)
            else { return nil }
            resources[resource] = .requested(cursor)
            arriving = cursor.isAtEnd ? nil : resource
            return cursor.isAtEnd ? .keepAndStore(resource) : .keep(resource)
        case .searching(var search):
            guard connection == SessionConnection.main, search.received(header) else { return nil }
            resources[resource] = .searching(search)
            arriving = search.isAwaitingPages ? resource : nil
            return .assemble(resource)
        case .wanted, .listed, .stored, nil:
            return nil
        }
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
            case .requested, .striped, .stored: true
            case .wanted, .listed, .searching, nil: false
            }
        guard isStriped, isRequested, allDispatched.insert(frame.resource).inserted else {
            throw .unexpected(.allDispatched)
        }
        // A lane may be slower than this frame and bring all of it.
        if case .requested(let cursor) = resources[frame.resource], !cursor.isAtEnd {
            let layout = manifest.entries[frame.resource].layout
            resources[frame.resource] = .striped(StripedArrival(cursor, layout: layout))
        }
        return .awaitEndOfLanes(frame.resource)
    }

    /// No lane is left on which anything of a resource could still come that was handed out.
    mutating func lanesEnded(_ resource: Int, missing: ChunkRuns) -> ReceiverStateMachine.OnLanesEnded {
        guard allDispatched.contains(resource), !missing.ranges.isEmpty else { return .none }
        switch resources[resource] {
        case .requested, .striped: return .sendRequest(expect(missing, of: resource))
        case .wanted, .listed, .searching, .stored, nil: return .none
        }
    }

    /// The driver has stored a resource whole.
    mutating func resourceStored(_ resource: Int) -> ReceiverStateMachine.OnResourceStored {
        guard resources[resource]?.hasArrived == true else { return .none }
        resources[resource] = .stored
        if arriving == resource { arriving = nil }
        return .sendConfirmation(Confirmation(resource: resource, digest: manifest.entries[resource].digest))
    }
}
