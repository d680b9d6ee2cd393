import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Makes the parts of the map that receivers ask for: one at a time, and a part once for all who ask for the same soon after.
final class CutOffers: Sendable {
    /// How many parts are kept that no transfer uses.
    ///
    /// A receiver that comes back after a broken connection finds its part, and parts do not fill the disk.
    private static let keptCount = 2

    private struct Part {
        var regionID: UUID
        var rule: CutRule
        var source: RegionSource
    }

    private let sources: [RegionSource]
    private let store: RegionStore
    private let person: any Person
    /// The parts that were made last, the latest last.
    private let latest = Mutex<[Part]>([])
    /// Held by the task that makes a part; those that wait block no thread.
    private let making = AsyncLock()

    /// Creates it for the sources of one region, or of several.
    init(of sources: [RegionSource], in store: RegionStore, person: any Person) {
        (self.sources, self.store, self.person) = (sources, store, person)
    }

    /// Makes what a receiver has asked for in its invitation.
    ///
    /// - Parameter id: The region that it has picked; nil for the only one.
    /// - Returns: The part, or the whole.
    /// - Throws: ``SendingError/notOffered``; `RegionStoreError` if the part has no tiles, or cannot be written;
    ///   `CancellationError` if the receiver has left.
    func source(for invitation: Invitation, _ id: UUID? = nil) async throws -> any ResourceSource {
        guard let source = sources.first(where: { id == nil || $0.manifest.id == id }) else {
            throw SendingError.notOffered
        }
        guard let context = invitation.context else { return source }
        let rule = try source.rule(for: try CutRequest(parsing: context))
        return try await making.take {
            let known = latest.withLock { parts in
                parts.first { $0.regionID == source.manifest.id && $0.rule == rule }
            }
            if let known { return known.source }
            let part = try person.cutting(source.region, for: invitation.peer) { report in
                try source.cut(rule, in: store, progress: report)
            }
            person.tell(.sending(.outside(part, receiver: invitation.peer)))
            latest.withLock { parts in
                parts =
                    parts.suffix(Self.keptCount - 1) + [Part(regionID: source.manifest.id, rule: rule, source: part)]
            }
            return part
        }
    }
}
