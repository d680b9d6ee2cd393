import FoundationEssentials
import PeerProtocol
import PeerStorage
import Synchronization

/// Finds out how much of an offered region would be transferred, before a person accepts it.
///
/// It finds what ``IncomingRegion`` would find, but creates no workspace and copies nothing. It trusts a file that was not
/// written to since it was last hashed (``FileStamp``), and so reads little.
final class RegionSurvey: OfferSurvey {
    /// Tells running calls that their result is no longer needed.
    private final class StopMark: Sendable {
        let isSet = Mutex(false)
    }

    let byteCounts: [ResourceKind: UInt64]
    let kindsToCompare: Set<ResourceKind>
    private let resources: [ResourceKind: ResourceSurvey]
    private let stopMark: StopMark

    /// Begins a survey; nil if no part of the region is in the store, or if a running transfer receives the same files.
    init?(_ store: RegionStore, of regionID: UUID, _ entries: [ManifestEntry]) throws {
        let stopMark = StopMark()
        var (byteCounts, resources): ([ResourceKind: UInt64], [ResourceKind: ResourceSurvey]) = ([:], [:])
        for entry in entries {
            var resource = ResourceSurvey(store: store, regionID: regionID, entry: entry) {
                stopMark.isSet.withLock { $0 }
            }
            if entry.kind.isKeptUnfinished {
                switch try store.folders.keptPart(of: entry) {
                case .inUse: return nil
                case .kept(let data): resource.partial = data
                case .none: break
                }
            }
            switch try resource.finding() {
            case .nothingIsHere: break
            case .everythingIsHere: byteCounts[entry.kind] = 0
            case .partsMayBeHere: resources[entry.kind] = resource
            }
        }
        guard !byteCounts.isEmpty || !resources.isEmpty else { return nil }
        self.byteCounts = byteCounts
        self.kindsToCompare = Set(resources.keys)
        self.resources = resources
        self.stopMark = stopMark
    }

    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        guard let resource = resources[entry.kind], digests.count == entry.layout.chunkCount else {
            return entry.layout.allChunks
        }
        let missing = try resource.missingChunks(digests)
        found.withLock { $0[entry.kind] = digests }
        return missing
    }

    /// The digests of the resources of which the missing chunks were found.
    private let found = Mutex<[ResourceKind: [ContentDigest]]>([:])

    func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis? {
        guard missing.chunkCount > 0, entry.kind.isFile, let resource = resources[entry.kind],
            let digests = found.withLock({ $0[entry.kind] })
        else { return nil }
        return try resource.files(digests).deltaBasis(for: missing)
    }

    func stop() {
        stopMark.isSet.withLock { $0 = true }
    }
}
