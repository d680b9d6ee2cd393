/// The resources that a receiver has selected, until all of them are confirmed.
///
/// A method that takes a frame throws what the frame does wrong; one that takes an event of the driver returns `none` where
/// the event has no meaning.
struct ResourceTransmission: Sendable {
    private let manifest: Manifest
    private let maximumPageCount: Int
    /// The positions of the resources that the receiver wants.
    let wanted: Set<Int>
    /// The chunks that the receiver lacks, by resource.
    private var requested: [Int: ChunkRuns] = [:]
    /// The resources whose chunks were divided among several connections and have not been requested again.
    private var allDispatched: Set<Int> = []
    private var sent: Set<Int> = []
    private var confirmed: Set<Int> = []
    /// What the receiver asked before its selection.
    private var survey: OfferResponse
    /// The rounds of comparing pages, by resource.
    private var pages: [Int: PageResponseStateMachine] = [:]

    /// Creates the transmission of what a receiver wants.
    ///
    /// - Parameters:
    ///   - manifest: What was offered.
    ///   - selection: What the receiver says.
    ///   - survey: What it asked before.
    ///   - maximumPageCount: The most pages that it may ask for the digests of at once.
    /// - Throws: ``ProtocolError`` if the selection has something that was not offered, or something twice.
    init(
        _ manifest: Manifest,
        _ selection: ResourceSelection,
        after survey: OfferResponse,
        maximumPageCount: Int
    ) throws(ProtocolError) {
        guard let wanted = manifest.positions(of: selection.kinds) else {
            throw ProtocolError(.unexpectedFrame, "The other side requested something that was not offered.")
        }
        self.manifest = manifest
        self.survey = survey
        self.maximumPageCount = maximumPageCount
        self.wanted = wanted
    }

    /// The wanted resources whose digest lists the receiver has not asked for before, in the manifest's order.
    var unlisted: [Int] { wanted.subtracting(survey.listed).sorted() }

    /// Whether all requests are answered.
    var isSent: Bool { sent == wanted }

    /// Whether the receiver has every resource.
    var isConfirmed: Bool { confirmed == wanted }

    /// The receiver says which chunks of a resource it lacks.
    mutating func receivedRequest(
        _ request: ChunkRequest
    ) throws(ProtocolError) -> SenderStateMachine.OnReceivedRequest {
        guard wanted.contains(request.resource), pages[request.resource]?.isIdle != false,
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

    /// The receiver asks for the page digests of chunks.
    mutating func receivedPageQuery(
        _ query: PageQuery
    ) throws(ProtocolError) -> SenderStateMachine.OnReceivedPageQuery {
        var round = pages[query.resource] ?? PageResponseStateMachine()
        // Pages are compared before chunks are requested. Afterwards they would only be work for the sender.
        guard wanted.contains(query.resource), requested[query.resource] == nil,
            let chunks = round.received(
                query,
                manifest.entries[query.resource].layout,
                maximumPageCount: maximumPageCount
            )
        else { throw ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.") }
        pages[query.resource] = round
        return .hashPages(query.resource, chunks)
    }

    /// The driver has hashed the pages of the chunks that were queried last.
    mutating func pagesHashed(_ resource: Int, _ digests: [PageDigest]) -> SenderStateMachine.OnPagesHashed {
        // Queries are answered in order, so those that came before the selection are first.
        if survey.isHashing(resource) { return survey.pagesHashed(resource, digests) }
        guard var round = pages[resource], round.hashed() else { return .none }
        pages[resource] = round
        return .sendPageDigests(PageDigestList(resource: resource, digests: digests))
    }

    /// The receiver says which of the pages it lacks.
    mutating func receivedPageRequest(
        _ request: PageRequest
    ) throws(ProtocolError) -> SenderStateMachine.OnReceivedPageRequest {
        guard wanted.contains(request.resource), var round = pages[request.resource],
            let (runs, chunks) = round.received(request, manifest.entries[request.resource].layout)
        else { throw ProtocolError(.unexpectedFrame, "The other side requested pages that it may not request.") }
        pages[request.resource] = round
        return .sendPages(request.resource, runs, of: chunks)
    }

    /// The driver has handed out all requested chunks of a resource.
    mutating func chunksDispatched(_ resource: Int) -> SenderStateMachine.OnChunksDispatched {
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
}
