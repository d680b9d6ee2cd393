import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Where an offer is decided on, before anything of it is here.
final class OfferDesk: Sendable {
    private let store: RegionStore
    private let kinds: Set<ResourceKind>?
    private let acceptsAll: Bool
    private let console: Console
    private let region = Mutex<Region?>(nil)
    private let declined = Signpost()

    /// Creates a desk that wants these kinds, or all that are known.
    init(store: RegionStore, kinds: Set<ResourceKind>?, acceptsAll: Bool, console: Console) {
        self.store = store
        self.kinds = kinds
        self.acceptsAll = acceptsAll
        self.console = console
    }

    /// The region that was offered; nil before.
    var offeredRegion: Region? { region.withLock { $0 } }

    /// Whether a person said no.
    var wasDeclined: Bool { declined.isRaised }

    /// Decides on an offer: shows it and asks, unless everything is welcome.
    ///
    /// - Throws: ``CommandError`` if it cannot be taken as it is wanted; `CancellationError` if it is gone.
    func decide(_ offer: TransferOffer) async throws -> OfferAnswer {
        let region = try offer.manifest.description(as: Region.self)
        self.region.withLock { $0 = region }
        let wanted = Set(ResourceKind.shown).intersection(kinds ?? Set(ResourceKind.shown))
        let report = OfferReport(
            peer: offer.peer,
            region: region,
            entries: offer.manifest.entries,
            wanted: wanted.intersection(offer.manifest.entries.map(\.kind))
        )
        try check(report)
        console.emitForPrograms(report)
        if acceptsAll {
            console.note(report.text)
        } else if try await !console.confirm(introduction: report.text, "Receive it?") {
            declined.raise()
            return .decline(Refusal(.declined, "the person there said no."))
        }
        return .accept(report.wanted)
    }

    private func check(_ report: OfferReport) throws {
        guard !report.wanted.isEmpty else {
            throw CommandError(
                .notFound,
                "“\(report.region.name)” is offered without any of the parts that are wanted.",
                remedy: kinds == nil ? nil : "Leave --only out."
            )
        }
        guard !report.wanted.contains(.mbtiles), (try? store.region(report.region.id)) == nil else { return }
        throw CommandError(
            .notFound,
            "“\(report.region.name)” is not in the store of the receiver, and without its map it cannot be.",
            remedy: "Add map to --only, or leave --only out."
        )
    }
}
