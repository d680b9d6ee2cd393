/// What a sender answers before the receiver has answered the offer: digest lists, and digests of pages.
///
/// The receiver asks for lists once, and for the pages of each chunk at most once. So what it can make the sender read, and
/// how much of it can wait, is bounded.
struct OfferResponse: Sendable {
    private let manifest: Manifest
    private let maximumPageCount: Int
    /// The resources whose lists the receiver has asked for; nil before it has asked.
    private var queried: Set<Int>?
    private var pages: [Int: PageResponseStateMachine] = [:]

    /// Creates a value for a receiver that has asked nothing.
    init(_ manifest: Manifest, maximumPageCount: Int) {
        self.manifest = manifest
        self.maximumPageCount = maximumPageCount
    }

    /// The resources whose lists were sent or will be.
    var listed: Set<Int> { queried ?? [] }

    /// Whether pages of a resource are being hashed.
    func isHashing(_ resource: Int) -> Bool {
        pages[resource]?.isIdle == false
    }

    /// The receiver asks for digest lists.
    mutating func receivedDigestQuery(
        _ query: DigestQuery
    ) throws(ProtocolError) -> SenderStateMachine.OnReceivedDigestQuery {
        let positions = manifest.positions(of: query.kinds)
        guard queried == nil, let positions, !positions.isEmpty else {
            throw ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.")
        }
        queried = positions
        return .sendDigests(positions.sorted())
    }

    /// The receiver asks for the page digests of chunks.
    mutating func receivedPageQuery(
        _ query: PageQuery
    ) throws(ProtocolError) -> SenderStateMachine.OnReceivedPageQuery {
        guard queried != nil else { throw .unexpected(.pageQuery) }
        var round = pages[query.resource] ?? PageResponseStateMachine()
        guard listed.contains(query.resource),
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
        guard var round = pages[resource], round.hashedForSurvey() else { return .none }
        pages[resource] = round
        return .sendPageDigests(PageDigestList(resource: resource, digests: digests))
    }
}

extension Manifest {
    /// Returns the positions of the resources of these kinds; nil if one is not offered or is there twice.
    func positions(of kinds: [ResourceKind]) -> Set<Int>? {
        var positions: Set<Int> = []
        for kind in kinds {
            guard let position = entries.firstIndex(where: { $0.kind == kind }), positions.insert(position).inserted
            else { return nil }
        }
        return positions
    }
}
