import NIOPosix

/// Finds out how much of an offer would be transferred, before a person is asked. Nothing is written.
extension ReceiveDriver {
    /// Compares an offer with what is here; returns nil if nothing of it is here, or if that need not be known.
    func survey(_ manifest: Manifest) async -> TransferEstimate? {
        let sink = context.sink
        // The number is only for information, so the offer is shown without it if it cannot be found out.
        let found = try? await context.pool.runIfActive { try sink.survey(of: manifest) }
        guard machine.end == nil, let survey = found else { return nil }
        guard case .sendDigestQuery(let query) = machine.startSurvey(survey.kindsToCompare) else {
            return TransferEstimate(manifest, byteCounts: survey.byteCounts)
        }
        lifecycle.arm(.survey, after: lifecycle.configuration.surveyTimeout)
        lifecycle.arm(.comparison, after: lifecycle.configuration.comparisonNotice)
        lifecycle.send(.digestQuery(query))
        return await withCheckedContinuation { waiting in
            runningSurvey = RunningSurvey(survey, of: manifest, for: waiting)
        }
    }

    /// Tells the person that the comparison takes longer.
    func noteComparison() {
        runningSurvey?.isNoticed = true
        context.report(peer, .transfer(.comparing))
    }

    /// Ends the comparison, complete or not.
    func endSurvey() {
        guard let running = runningSurvey else { return }
        runningSurvey = nil
        lifecycle.disarm(.survey)
        lifecycle.disarm(.comparison)
        if running.isNoticed { context.report(peer, .transfer(.connected)) }
        running.finish()
    }

    /// Finds out which chunks of a resource are missing.
    func surveyChunks(of position: Int, _ digests: [ContentDigest]) async {
        guard let running = runningSurvey, let entry = running.entry(position) else { return }
        let (survey, layout) = (running.survey, entry.layout)
        let found = try? await context.pool.runIfActive {
            let missing = try survey.missingChunks(of: entry, digests: digests)
            return (missing, try survey.deltaBasis(of: entry, for: missing))
        }
        guard let (missing, older) = found else { return endSurvey(of: position, isLimit: true) }
        runningSurvey?.found(position, missing: missing.byteCount(in: layout), older: older)
        let comparable = older?.chunks ?? .none
        guard comparable.ranges.isEmpty || mayQueryPages else { return endSurvey(of: position, isLimit: true) }
        // If the time is over, the sender is asked nothing more.
        guard runningSurvey != nil else { return }
        perform(machine.chunksSurveyed(position, missing: missing, comparable: comparable))
    }

    /// Compares pages of a resource with the older version.
    func surveyPages(of position: Int, _ chunks: ChunkRuns, _ digests: [PageDigest]) async {
        guard let running = runningSurvey, let entry = running.entry(position), let older = running.older(position)
        else { return }
        let comparison = PageComparison(layout: entry.layout, chunks: chunks, digests: digests)
        let differing = try? await context.pool.runIfActive { comparison.differingPages { older.bytes(in: $0) } }
        guard let differing, runningSurvey != nil else { return }
        let same = chunks.byteCount(in: entry.layout) - differing.byteCount(in: entry.layout)
        runningSurvey?.found(position, same: same)
        perform(machine.pagesSurveyed(position))
    }

    /// Whether queries for pages may tell the sender which chunks are here.
    ///
    /// The person has not agreed to the offer yet. So only a sender whose key is known learns that.
    private var mayQueryPages: Bool {
        guard conversation.state.features.contains(Hello.pagesFeature), let peer else { return false }
        if case .trusted = peer.trust { return true }
        return peer.admittedByLink
    }

    private func perform(_ action: ReceiverStateMachine.OnSurveyAdvanced) {
        switch action {
        case .sendPageQuery(let query): lifecycle.send(.pageQuery(query))
        case .finish(let position): endSurvey(of: position, isLimit: false)
        case .none: break
        }
    }

    private func endSurvey(of position: Int, isLimit: Bool) {
        runningSurvey?.end(position, isLimit: isLimit)
        if runningSurvey?.isComplete == true { endSurvey() }
    }
}
