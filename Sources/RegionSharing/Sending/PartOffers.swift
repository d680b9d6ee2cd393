import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Makes the parts of the map that receivers ask for: one at a time, and a part once for all who ask for the same soon after.
final class PartOffers: Sendable {
    /// How many parts are kept that no transfer uses.
    ///
    /// A receiver that comes back after a broken connection finds its part, and parts do not fill the disk.
    private static let keptCount = 2

    private struct Part {
        var regionID: UUID
        var wish: CutWish
        var source: RegionSource
    }

    private let sources: [RegionSource]
    private let store: RegionStore
    private let person: any Person
    /// The parts that were made last, the latest last; held while one is made.
    private let latest = Mutex<[Part]>([])

    /// Creates it for the sources of one region, or of several.
    init(of sources: [RegionSource], in store: RegionStore, person: any Person) {
        (self.sources, self.store, self.person) = (sources, store, person)
    }

    /// Makes what a receiver has asked for in its invitation.
    ///
    /// Blocks.
    ///
    /// - Parameters:
    ///   - invitation: The invitation.
    ///   - id: The region that it has picked; nil for the only one.
    /// - Returns: The part, or the whole.
    /// - Throws: ``SendingError/notOffered``; `RegionStoreError` if the part has no tiles, or cannot be written.
    func source(for invitation: Invitation, _ id: UUID? = nil) throws -> any ResourceSource {
        guard let source = sources.first(where: { id == nil || $0.manifest.id == id }) else {
            throw SendingError.notOffered
        }
        guard let context = invitation.context else { return source }
        let wish = try source.wish(try PartRequest(parsing: context))
        return try latest.withLock { parts in
            if let part = parts.first(where: { $0.regionID == source.manifest.id && $0.wish == wish }) {
                return part.source
            }
            let part = try person.cutting(source.region, for: invitation.peer) { report in
                try source.part(wish, in: store, progress: report)
            }
            person.tell(.sending(.outside(part, receiver: invitation.peer)))
            parts = parts.suffix(Self.keptCount - 1) + [Part(regionID: source.manifest.id, wish: wish, source: part)]
            return part
        }
    }
}
