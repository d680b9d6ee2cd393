import NIOConcurrencyHelpers
import NIOPosix

/// Locates the chunks that are present: once for each resource, before or after the person's answer. Nothing is written.
extension ReceiveDriver {
    /// Estimates how much of an offer would be transferred; nil if nothing of it is present, or if the estimate is not shown.
    func estimate(_ manifest: Manifest) async -> TransferEstimate? {
        guard context.showsEstimate(manifest) else { return nil }
        let sink = context.sink
        // The number is only for information, so the offer is shown without it if it cannot be found out.
        let found = try? await context.pool.runIfActive { try sink.presence(of: manifest) }
        guard machine.end == nil, let found, !found.isEmpty else { return nil }
        var running = RunningEstimate(manifest)
        for (position, entry) in manifest.entries.enumerated() {
            switch found[entry.kind] {
            case .whole(let located):
                reception.whole[position] = located
                running.estimate.set(located.missing.byteCount(in: entry.layout), of: entry.kind, isLimit: false)
            case .partial:
                running.begin(position, entry)
            case nil:
                break
            }
        }
        guard case .sendDigestQuery(let query) = machine.startSurvey(Set(running.open.values.map(\.kind))) else {
            return running.estimate
        }
        lifecycle.arm(.survey, after: lifecycle.configuration.surveyTimeout)
        lifecycle.arm(.comparison, after: lifecycle.configuration.comparisonNotice)
        lifecycle.send(.digestQuery(query))
        return await withCheckedContinuation { waiting in
            running.waiting = waiting
            runningEstimate = running
        }
    }

    /// Tells the person that the comparison takes longer.
    func noteComparison() {
        runningEstimate?.isNoticed = true
        context.report(peer, .transfer(.comparing))
    }

    /// Ends the estimate, complete or not; what is being located goes on.
    func endEstimate() {
        guard let running = runningEstimate else { return }
        runningEstimate = nil
        lifecycle.disarm(.survey)
        lifecycle.disarm(.comparison)
        if running.isNoticed { context.report(peer, .transfer(.connected)) }
        running.waiting?.resume(returning: running.estimate)
    }

    /// Locates the chunks of a resource before the offer is answered.
    ///
    /// Not in turn with what arrives: the sender may leave while a slow disk is read. But one resource after the other, because a
    /// search needs memory for each chunk.
    func locateEarly(_ position: Int) async {
        let offer = reception.manifest?.id
        if !searches.take() { await withCheckedContinuation { searches.wait($0) } }
        defer { searches.pass() }
        // Another offer may be at hand.
        guard machine.end == nil, reception.manifest?.id == offer, let arrival = reception.arrivals[position] else {
            return
        }
        let located = try? await locate(arrival)
        await inTurn {
            guard machine.end == nil, reception.manifest?.id == offer,
                let isWanted = reception.arrivals[position]?.note(located)
            else { return }
            // The person may have answered meanwhile.
            if isWanted { await begin(position) } else { await compareEarly(position, located) }
        }
    }

    /// Locates the chunks of a resource.
    func locate(_ arrival: ArrivingResource) async throws -> LocatedChunks {
        let (entry, digests) = (arrival.entry, arrival.digests)
        let (sink, isStopped) = (context.sink, reception.isStopped)
        guard let manifest = reception.manifest else { return LocatedChunks(missing: entry.layout.allChunks) }
        var located = try await context.pool.runIfActive {
            try sink.locate(entry, of: manifest, digests: digests) { isStopped.withLockedValue { $0 } }
        }
        if !conversation.state.features.contains(Hello.piecesFeature) { located.older = nil }
        return located
    }

    /// Adds what was located to the estimate, and compares pieces if the sender may know which chunks are present.
    private func compareEarly(_ position: Int, _ located: LocatedChunks?) async {
        guard let entry = runningEstimate?.open[position] else { return }
        guard let missing = located?.missing else { return endEstimate(of: position, isLimit: true) }
        runningEstimate?.estimate.set(missing.byteCount(in: entry.layout), of: entry.kind, isLimit: true)
        let comparable = located?.older?.chunks ?? .none
        guard comparable.ranges.isEmpty || mayQueryPieces else { return endEstimate(of: position, isLimit: true) }
        await perform(machine.chunksLocated(position, missing: missing, comparable: comparable))
    }

    /// Whether queries for pieces may tell the sender which chunks are present.
    ///
    /// The person has not agreed to the offer yet. So only a sender whose key is known learns that.
    private var mayQueryPieces: Bool {
        guard let peer else { return false }
        return peer.trust.isAdmitted || peer.isAdmittedByShareLink
    }

    /// Ends the estimate of a resource.
    func endEstimate(of position: Int, isLimit: Bool) {
        runningEstimate?.end(position, isLimit: isLimit)
        if runningEstimate?.open.isEmpty == true { endEstimate() }
    }
}

/// An estimate until everything is compared or the time is over.
struct RunningEstimate {
    /// The result so far: what is not compared counts as a whole.
    var estimate: TransferEstimate
    /// The resources that are not compared completely, by their positions.
    private(set) var open: [Int: ManifestEntry] = [:]
    /// Whether the person was told that the comparison takes longer.
    var isNoticed = false
    /// Takes the result.
    var waiting: CheckedContinuation<TransferEstimate, Never>?

    init(_ manifest: Manifest) { estimate = TransferEstimate(manifest) }

    /// Notes that a resource is to be compared.
    mutating func begin(_ position: Int, _ entry: ManifestEntry) {
        open[position] = entry
        estimate.set(entry.size, of: entry.kind, isLimit: true)
    }

    /// Notes that so many bytes of missing chunks are present, and which pieces are not.
    mutating func found(_ position: Int, same: UInt64, _ comparison: PieceComparison) {
        guard let entry = open[position] else { return }
        let count = estimate.byteCount(of: [entry.kind])
        estimate.set(count - min(count, same), of: entry.kind, isLimit: true)
        if !comparison.list.keys.isEmpty { estimate.add(differing: comparison.differingKeys, of: entry.kind) }
    }

    /// Ends the comparison of a resource; `isLimit` says whether less than it found may be transferred.
    mutating func end(_ position: Int, isLimit: Bool) {
        guard let entry = open.removeValue(forKey: position) else { return }
        estimate.set(estimate.byteCount(of: [entry.kind]), of: entry.kind, isLimit: isLimit)
    }
}
