/// What a receiver asks about an offer before it answers: digest lists, and digests of pages.
///
/// It asks for no bytes of a resource. A method that takes a frame throws what the frame does wrong; one that takes an event
/// of the driver returns `none` where the event has no meaning.
struct OfferInquiry: Sendable {
    /// What was offered.
    let manifest: Manifest
    private let maximumPageCount: Int
    private var hasBegun = false
    private var lists: DigestLists
    /// The resources whose lists have come and whose missing chunks are not yet known.
    private var listed: Set<Int> = []
    /// The comparison of pages, by resource.
    private var searches: [Int: PageRequestStateMachine] = [:]

    /// Creates an inquiry that has asked nothing.
    init(_ manifest: Manifest, maximumPageCount: Int) {
        self.manifest = manifest
        self.maximumPageCount = maximumPageCount
        self.lists = DigestLists(manifest)
    }

    /// Asks for the digest lists of these kinds, once; kinds that are not offered do not count.
    mutating func begin(_ kinds: Set<ResourceKind>) -> ReceiverStateMachine.OnSurveyStarted {
        let positions = manifest.entries.indices.filter { kinds.contains(manifest.entries[$0].kind) }
        guard !hasBegun, !positions.isEmpty else { return .none }
        hasBegun = true
        lists.expect(positions)
        return .sendDigestQuery(DigestQuery(kinds: positions.map { manifest.entries[$0].kind }))
    }

    /// A part of a digest list came.
    mutating func receivedDigests(
        _ part: DigestListPart
    ) throws(ProtocolError) -> ReceiverStateMachine.OnReceivedDigests {
        guard let digests = try lists.received(part, keeping: true) else { return .awaitNextPart }
        listed.insert(part.resource)
        return .surveyChunks(part.resource, digests)
    }

    /// The driver has found out which chunks of a resource are missing.
    mutating func chunksSurveyed(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns
    ) -> ReceiverStateMachine.OnSurveyAdvanced {
        guard listed.remove(resource) != nil else { return .none }
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
        guard var search = searches[list.resource], let chunks = search.receivedDigests(count: list.digests.count)
        else {
            // Without any query, the frame is out of turn.
            throw searches.isEmpty ? .unexpected(.pageDigests) : .unrequestedPageDigests
        }
        searches[list.resource] = search
        return .surveyPages(list.resource, chunks)
    }

    /// The driver has compared the pages.
    mutating func pagesSurveyed(_ resource: Int) -> ReceiverStateMachine.OnSurveyAdvanced {
        guard var search = searches[resource], search.comparedForSurvey() else { return .none }
        return advance(search, of: resource)
    }

    private mutating func advance(
        _ search: PageRequestStateMachine,
        of resource: Int
    ) -> ReceiverStateMachine.OnSurveyAdvanced {
        var search = search
        let query = search.nextQuery()
        searches[resource] = search
        return query.map { .sendPageQuery(PageQuery(resource: resource, runs: $0.ranges)) } ?? .finish(resource)
    }

    /// Ends the inquiry: what is wanted is received.
    ///
    /// Answers that are still on the way come first.
    func reception(of wanted: [Int]) -> ResourceReception {
        var lists = lists
        lists.keep(wanted)
        lists.expect(wanted)
        return ResourceReception(
            manifest,
            wanted: wanted,
            lists: lists,
            surveys: searches.filter { $0.value.isAwaitingDigests },
            maximumPageCount: maximumPageCount
        )
    }
}

extension ProtocolError {
    /// Digests of pages came that no query asked for.
    static let unrequestedPageDigests = ProtocolError(
        .unexpectedFrame,
        "The other side sent digests of pages that were not requested."
    )
}
