public import PeerProtocol

/// A look at the storage before a person accepts an offer: how much of the offer would be transferred.
///
/// A survey only reads, and takes no lock that a running transfer needs. Its methods may block.
public protocol OfferSurvey: Sendable {
    /// The number of bytes that would be transferred of the resources for which no digests are needed.
    ///
    /// A resource that is neither here nor in ``kindsToCompare`` would be transferred as a whole.
    var byteCounts: [ResourceKind: UInt64] { get }

    /// The kinds of which the storage may have a part, so that their digests are needed.
    var kindsToCompare: Set<ResourceKind> { get }

    /// Returns the chunks of a resource that would be transferred: those that
    /// ``IncomingTransfer/missingChunks(of:digests:)`` would return.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - digests: The digests of its chunks, which match the digest of the entry.
    /// - Returns: Runs of chunks, possibly none.
    /// - Throws: An error if existing data cannot be read. The resource then counts as a whole.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns

    /// Returns the older version of a resource that ``IncomingTransfer/deltaBasis(of:for:)`` would return.
    ///
    /// Called after ``missingChunks(of:digests:)``, with its result. The default implementation returns nil.
    ///
    /// - Parameters:
    ///   - entry: The resource.
    ///   - missing: The chunks that would be transferred.
    /// - Returns: The older version; nil if there is none, or if it cannot be read.
    /// - Throws: An error if existing data cannot be read. The missing chunks then count as a whole.
    func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis?

    /// Announces that the result is no longer needed. Running calls may then end early, with any error.
    ///
    /// Must return immediately. The default implementation does nothing.
    func stop()
}

extension OfferSurvey {
    /// Returns nil.
    public func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis? { nil }

    /// Does nothing.
    public func stop() {}
}
