import GRDB
import PeerProtocol
import PeerStorage
import RegionModel

/// One kind of resource: how it is offered, checked, reused and merged.
///
/// The rest of the store treats all kinds alike and asks the part where they differ. ``RegionPartList/all`` lists the parts.
/// Most kinds build on ``FilePart`` or ``ItemListPart``.
protocol RegionPart: Sendable {
    var kind: ResourceKind { get }

    /// The name of the content in messages, such as `recorded hikes`.
    var title: String { get }

    /// The storage of the resource.
    var form: PartForm { get }

    /// Whether this part can create a region. Other parts can only be added to an existing region.
    var definesRegion: Bool { get }

    // MARK: Sending

    /// Reads the content of a region of this kind, in the transaction that reads all parts.
    func read(into offer: inout OfferDraft, _ database: Database) throws

    /// Sets in the description of a region whether this part is sent.
    func describe(_ region: inout Region, isSent: Bool)

    /// Leaves out of an offer what does not lie in a part of its map. Parts with the owners of items come first.
    func cut(_ source: RegionSource, _ cut: inout ItemCut) throws

    // MARK: Being offered

    /// Checks the manifest's entry of this kind, before any byte is requested.
    ///
    /// - Parameter entry: The resource; nil if none of this kind is offered.
    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws

    /// The number of bytes that the commit needs on the disk in addition to the resource itself.
    func spaceToMerge(_ entry: ManifestEntry) -> UInt64

    /// Finds out, without the digests of its chunks, whether the store has the offered resource or parts of it.
    ///
    /// Only reads, as ``locate(_:_:_:_:)`` does.
    ///
    /// - Returns: What is there; nil if nothing is.
    func presence(_ local: LocalSearch) throws -> LocalPresence?

    /// Locates the missing chunks that ``copyChunks(_:_:)`` will copy; `places` says where the others are.
    ///
    /// Called if ``presence(_:)`` does not find the whole resource.
    func locate(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        _ local: LocalSearch,
        _ places: LocalPlaces
    ) throws -> LocatedChunks

    // MARK: Receiving

    /// Prepares the store for an incoming resource.
    func beginArrival(of entry: ManifestEntry, in store: RegionStore) throws

    /// Copies what was located into the incoming resource; the chunks that are still missing stay in `local`.
    func copyChunks(_ places: LocalPlaces, _ local: inout LocalCopy) throws

    /// Checks that a received resource has the content that the manifest describes.
    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws

    // MARK: Commit

    /// Changes the row of the region before anything is merged. Called for every part, received or not.
    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws

    /// Merges a checked resource into the region.
    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts
}

/// The storage of a resource.
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

    func cut(_ source: RegionSource, _ cut: inout ItemCut) {}

    func spaceToMerge(_ entry: ManifestEntry) -> UInt64 { 0 }

    func locate(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        _ local: LocalSearch,
        _ places: LocalPlaces
    ) throws -> LocatedChunks {
        LocatedChunks(missing: missing, places: places)
    }

    func beginArrival(of entry: ManifestEntry, in store: RegionStore) {}

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) {}
}
