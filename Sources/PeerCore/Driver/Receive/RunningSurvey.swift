/// The comparison of an offer with what is here, until everything is compared or the time is over.
struct RunningSurvey {
    /// A resource that is being compared.
    private struct Resource {
        let entry: ManifestEntry
        /// The older version; nil if there is none.
        var older: DeltaBasis?
        /// The number of bytes that would be transferred, by what is known.
        var byteCount: UInt64
    }

    /// Reads what is here.
    let survey: any OfferSurvey
    /// The result so far: what is not compared counts as a whole.
    private(set) var estimate: TransferEstimate
    /// The resources that are not compared completely, by their positions.
    private var resources: [Int: Resource] = [:]
    /// Whether the person was told that the comparison takes longer.
    var isNoticed = false
    /// Takes the result.
    private let waiting: CheckedContinuation<TransferEstimate, Never>

    /// Creates a comparison of which nothing is known but what needs no digests.
    init(
        _ survey: any OfferSurvey,
        of manifest: Manifest,
        for waiting: CheckedContinuation<TransferEstimate, Never>
    ) {
        self.survey = survey
        self.waiting = waiting
        self.estimate = TransferEstimate(manifest, byteCounts: survey.byteCounts)
        for (position, entry) in manifest.entries.enumerated() where survey.kindsToCompare.contains(entry.kind) {
            resources[position] = Resource(entry: entry, byteCount: entry.size)
            estimate.set(entry.size, of: entry.kind, isLimit: true)
        }
    }

    /// Whether nothing is left to compare.
    var isComplete: Bool { resources.isEmpty }

    /// A resource that is being compared; nil if there is none at this position.
    func entry(_ position: Int) -> ManifestEntry? { resources[position]?.entry }

    /// The older version of a resource that is being compared; nil if there is none.
    func older(_ position: Int) -> DeltaBasis? { resources[position]?.older }

    /// Notes which chunks of a resource are missing, and the older version.
    mutating func found(_ position: Int, missing: UInt64, older: DeltaBasis?) {
        guard let entry = entry(position) else { return }
        resources[position] = Resource(entry: entry, older: older, byteCount: missing)
        estimate.set(missing, of: entry.kind, isLimit: true)
    }

    /// Notes that pages of missing chunks are the same in the older version.
    mutating func found(_ position: Int, same: UInt64) {
        guard var resource = resources[position] else { return }
        resource.byteCount -= min(resource.byteCount, same)
        resources[position] = resource
        estimate.set(resource.byteCount, of: resource.entry.kind, isLimit: true)
    }

    /// Ends the comparison of a resource; `isLimit` says whether less than it found may be transferred.
    mutating func end(_ position: Int, isLimit: Bool) {
        guard let resource = resources.removeValue(forKey: position) else { return }
        estimate.set(resource.byteCount, of: resource.entry.kind, isLimit: isLimit)
    }

    /// Hands over the result.
    func finish() {
        survey.stop()
        waiting.resume(returning: estimate)
    }
}
