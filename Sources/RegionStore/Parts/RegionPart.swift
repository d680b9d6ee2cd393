import GRDB
import PeerProtocol
import PeerStorage

/// All that the store knows of one kind of resource: how it is offered, checked, reused and merged.
///
/// The rest of the store treats all kinds alike and asks the part where they differ. ``RegionParts/all`` lists the parts.
/// Most kinds build on ``DatabaseFilePart`` or ``ItemListPart``.
protocol RegionPart: Sendable {
    /// The kind.
    var kind: ResourceKind { get }

    /// What a message calls the content of the resource: `recorded hikes`.
    var title: String { get }

    /// Where the bytes of the resource come from and where they go.
    var form: PartForm { get }

    /// Whether a region begins with this part. The other parts can only be added to a region that the store has.
    var definesRegion: Bool { get }

    // MARK: Sending

    /// Reads what a region has of this kind, in the transaction that reads everything else.
    ///
    /// - Throws: ``RegionStoreError`` if it cannot be sent.
    func read(into offer: inout OfferDraft, _ database: Database) throws

    /// Says in the description of a region whether this part is sent.
    func describe(_ region: inout Region, isSent: Bool)

    // MARK: Being offered

    /// Checks what a manifest says of this kind, before any byte arrives.
    ///
    /// - Parameters:
    ///   - entry: The resource; nil if none of this kind is offered.
    ///   - region: What the manifest says of the region.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/refused`` if the manifest contradicts itself.
    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws

    /// How many bytes the commit needs on the disk in addition to the resource itself.
    func spaceToMerge(_ entry: ManifestEntry) -> UInt64

    // MARK: Receiving

    /// Prepares the store for a resource that is about to arrive.
    func beginArrival(of entry: ManifestEntry, in store: RegionStore) throws

    /// Copies the chunks that the store already has into the arriving resource.
    ///
    /// - Returns: The chunks that are still missing.
    func reuse(_ missing: ChunkRuns, _ local: ResourceReuse) throws -> ChunkRuns

    /// Checks that a resource which arrived is what the manifest says.
    ///
    /// - Throws: ``RegionStoreError``: ``ResourceValidator/examine(_:_:)`` says what becomes of it.
    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws

    // MARK: Commit

    /// Changes the row of the region before anything is merged; called for every part, whether or not it arrived.
    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws

    /// Merges a resource that arrived and was checked into the region.
    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts
}

/// Where the bytes of a resource come from and where they go.
enum PartForm: CaseIterable, Sendable {
    /// A file in the region's folder, sent and stored as it is.
    case file
    /// A small list, written from the database when the region is offered and merged item by item.
    case list
    /// A large file that is written from the database when the region is offered and merged into it. Archives are merged
    /// last: their content belongs to items of the lists.
    case archive
}

extension RegionPart {
    var definesRegion: Bool { false }

    func describe(_ region: inout Region, isSent: Bool) {}

    func spaceToMerge(_ entry: ManifestEntry) -> UInt64 { 0 }

    func beginArrival(of entry: ManifestEntry, in store: RegionStore) {}

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) {}
}
