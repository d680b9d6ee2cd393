import FoundationEssentials
import HostNetwork
import PeerCore
import RegionStore
import Synchronization

/// Decides on an offer, before anything is written.
final class OfferPrompt: Sendable {
    private struct State {
        var region: Region?
        var isCompared = false
        var refusal: CommandError?
        var accepted: AcceptedOffer?
    }

    private let store: RegionStore
    private let kinds: Set<ResourceKind>?
    private let routes: RouteSelection
    private let asksForPart: Bool
    private let acceptsAll: Bool
    private let ownID: PeerID?
    private let console: Console
    private let state = Mutex(State())

    /// Creates a prompt for these kinds, or all known ones, and these routes.
    init(
        store: RegionStore,
        kinds: Set<ResourceKind>?,
        routes: RouteSelection,
        asksForPart: Bool = false,
        acceptsAll: Bool,
        ownID: PeerID? = nil,
        console: Console
    ) {
        self.store = store
        self.kinds = kinds
        self.routes = routes
        self.asksForPart = asksForPart
        self.acceptsAll = acceptsAll
        self.ownID = ownID
        self.console = console
    }

    /// The offered region; nil before an offer has arrived.
    var offeredRegion: Region? { state.withLock { $0.region } }

    /// Whether a person has compared digits.
    var wasCompared: Bool { state.withLock { $0.isCompared } }

    /// The authenticated sender of the last accepted offer; nil if there is none.
    var agreedPeer: PeerID? { state.withLock { $0.accepted?.terms.peer } }

    /// The accepted map; nil if there is none.
    var agreedMap: ContentDigest? { state.withLock { $0.accepted?.map } }

    /// Whether an offer was accepted.
    var hasAgreed: Bool { state.withLock { $0.accepted != nil } }

    /// The reason why this side declined; nil if it did not.
    var refusal: CommandError? { state.withLock { $0.refusal } }

    /// Whether a person will be asked about an offer.
    func asks(about manifest: Manifest) -> Bool {
        guard console.canAsk, !acceptsAll else { return false }
        guard let terms = state.withLock({ $0.accepted?.terms }) else { return true }
        return terms.peer == nil || terms.manifest != manifest.digest
    }

    /// Decides on an offer: shows it and asks, unless everything is accepted without a question.
    ///
    /// - Throws: ``CommandError`` if the selected parts are not possible; `CancellationError` if the offer is gone.
    func decide(_ offer: TransferOffer) async throws -> OfferAnswer {
        try state.withLock { $0.accepted }?.checkSubstitute(offer)
        let region = try offer.manifest.region()
        let local = try localRegion(for: offer.manifest)
        let terms = AcceptedOffer.Terms(
            peer: offer.peer.security.certifiedID,
            manifest: offer.manifest.digest,
            localMap: local?.mapDigest,
            localRouting: local?.routingDigest
        )
        let agreedKinds = state.withLock { state -> Set<ResourceKind>? in
            state.region = region
            guard let accepted = state.accepted, accepted.covers(offer, terms, acceptsAll: acceptsAll) else {
                return nil
            }
            return accepted.kinds
        }
        let wanted = Set(ResourceKind.shown).intersection(kinds ?? Set(ResourceKind.shown))
            .intersection(offer.manifest.entries.map(\.kind))
        var report = OfferReport(
            peer: offer.peer,
            region: region,
            entries: offer.manifest.entries,
            wanted: withPlaces(wanted, local),
            digits: offer.pairing,
            local: local,
            edits: local == nil ? [] : try store.offeredEdits(of: region),
            itemsStay: !mayReplace(offer.peer),
            routes: routes,
            maker: try store.maker(of: region.signature, ownID: ownID),
            asksForPart: asksForPart,
            estimate: offer.estimate,
            turn: offer.turn,
            network: offer.interface.flatMap { NetworkRate(of: $0) },
            hasCableSocket: NetworkRate.hasCableSocket()
        )
        try check(report)
        // They are only for the question and for programs.
        if agreedKinds == nil { try addChanges(to: &report) }
        let answer =
            if let agreedKinds { OfferAnswer.accept(agreedKinds) } else { try await answer(report) }
        guard let accepted = answer.kinds else { return answer }
        let now = try localRegion(for: offer.manifest)
        guard now?.id == local?.id, now?.mapDigest == local?.mapDigest, now?.routingDigest == local?.routingDigest
        else {
            throw CommandError(
                .declined,
                "“\(region.name)” changed on this machine while you were asked.",
                remedy: "Run the command again to see what would be replaced now."
            )
        }
        if let local, local.id != region.id { _ = try store.adopt(region.id, for: local.id) }
        state.withLock {
            $0.accepted = AcceptedOffer(terms: terms, kinds: accepted, entries: offer.manifest.entries)
        }
        return answer
    }

    /// Finds the tiles that differ, and the hikes and planned routes of the store on which they lie.
    private func addChanges(to report: inout OfferReport) throws {
        guard let local = report.local, let estimate = report.estimate else { return }
        let numbers = estimate.differingNumbers(of: .mbtiles)
        guard !numbers.isEmpty else { return }
        report.changedTiles = TileSet(numbers: numbers)
        let isAll = estimate.differingCount(of: .mbtiles) == numbers.count
        report.changedRoutes = try store.routes(under: report.changedTiles, of: local.id, isAll: isAll)
    }

    private func answer(_ report: OfferReport) async throws -> OfferAnswer {
        console.emitForPrograms(report)
        if acceptsAll {
            try checkWhatIsReplaced(report)
            console.note(report.text)
            return .accept(report.wanted)
        }
        guard console.canAsk, !report.hasNothingNew else { return try decideAlone(report) }
        guard let wanted = try await ask(report) else {
            refuse(CommandError(.declined, "You declined; nothing was received."))
            return .decline(Refusal(.declined, "the person there said no."))
        }
        state.withLock { $0.isCompared = report.digits != nil }
        return .acceptAndPin(wanted)
    }

    /// Asks a person, who may deselect parts and is then asked again; nil if the person declines.
    private func ask(_ report: OfferReport) async throws -> Set<ResourceKind>? {
        let offered = report.wanted
        var report = report
        var introduction = console.introduction(of: report)
        while true {
            let line = try await console.ask(
                introduction: introduction,
                report.question,
                form: report.form,
                rings: true
            )
            if Answer.isYes(line) { return report.wanted }
            guard let line, !Answer.isNo(line) else { return nil }
            var narrowed = report
            let named = KindSelection(answer: line)?.kinds ?? []
            narrowed.wanted = withPlaces(offered.intersection(named), report.local)
            do {
                guard !narrowed.wanted.isEmpty else { throw CommandError(.usage, "“\(line)” is no answer here.") }
                try check(narrowed)
                report = narrowed
                introduction = console.introduction(of: report)
                console.emitForPrograms(report)
            } catch let error as CommandError {
                // The offer stands above already; once more, it would push these words out of the window.
                introduction = "\(error.message)"
            }
        }
    }

    /// Returns those of the kinds that can be stored; photos need their waypoints.
    private func withPlaces(_ kinds: Set<ResourceKind>, _ local: RegionSummary?) -> Set<ResourceKind> {
        kinds.filter { kind in
            guard let owner = KindWords.of(kind)?.owner, !kinds.contains(owner) else { return true }
            return local.flatMap { region in KindWords.of(owner)?.count(region) } ?? 0 > 0
        }
    }

    /// Decides without a question, by the trust in the sender.
    private func decideAlone(_ report: OfferReport) throws -> OfferAnswer {
        guard report.hasNothingNew || report.peer.isTrusted || report.peer.admittedByShareLink else {
            refuse(
                CommandError(
                    .notTrusted,
                    "“\(report.peer.displayName)” is not trusted, and without a terminal the program cannot ask you.",
                    remedy:
                        "Use the sender's share link, trust the machine with 'hikeshare peers trust ID', or use --yes."
                )
            )
            return .decline(
                Refusal(.notTrusted, "the receiver does not trust this machine and cannot ask anyone.")
            )
        }
        try checkWhatIsReplaced(report)
        console.note(report.text)
        return .accept(report.wanted)
    }

    private func refuse(_ error: CommandError) {
        state.withLock { $0.refusal = error }
    }

    /// Whether local data may be replaced: a person decides, or the sender is known.
    func mayReplace(_ peer: RemotePeer) -> Bool {
        (console.canAsk && !acceptsAll) || peer.isTrusted || peer.admittedByShareLink
    }

    /// Returns the region of this store to which an offer is added: the one with the same id, or else, if a person agrees, one
    /// with the same map.
    private func localRegion(for manifest: Manifest) throws -> RegionSummary? {
        let regions = try store.regions()
        if let region = regions.first(where: { $0.id == manifest.id }) { return region }
        guard console.canAsk, !acceptsAll,
            let map = ResourceKind.maps.lazy.compactMap({ manifest.entry(of: $0) }).first
        else { return nil }
        return regions.first { $0.mapDigest == map.digest }
    }

    /// Without a question, only a known sender may replace a local map or routing database.
    private func checkWhatIsReplaced(_ report: OfferReport) throws {
        guard let replacement = report.replacement else { return }
        let local = replacement.local
        switch replacement.objection(isSenderKnown: mayReplace(report.peer)) {
        case .untrustedSender:
            throw CommandError(
                .notTrusted,
                "“\(local.name)” already exists with different files, and “\(report.peer.displayName)” "
                    + "is not trusted. Its files cannot replace yours without a question.",
                remedy:
                    "Receive it in a terminal without --yes, use the sender's share link, or remove your region first."
            )
        case .anotherArea:
            throw CommandError(
                .declined,
                "“\(report.region.name)” would replace files of “\(local.name)”, which covers a different area.",
                remedy: "Receive it in a terminal without --yes, or remove “\(local.name)” first."
            )
        case nil:
            return
        }
    }

    private func check(_ report: OfferReport) throws {
        guard !report.wanted.isEmpty else {
            throw CommandError(
                .notFound,
                "The offer of “\(report.region.name)” has none of the parts that were asked for.",
                remedy: kinds == nil ? nil : "Remove --only."
            )
        }
        if let names = routes.names, report.wanted.isDisjoint(with: ResourceKind.routes) {
            throw CommandError(
                .notFound,
                "“\(names[0])” cannot be received, because no hikes or planned routes are included.",
                remedy: "Remove --route, or include hikes and planned routes."
            )
        }
        guard report.replacement?.hasTooManyTiles != true else {
            throw CommandError(
                .storage,
                "The part of “\(report.region.name)” cannot be added to your map, because the two have too many tiles together.",
                remedy: "Receive the whole map, or leave out the map with --only."
            )
        }
        guard report.wanted.isDisjoint(with: ResourceKind.maps), report.local == nil else { return }
        let word = report.region.sealed == nil ? "map" : "sealed"
        throw CommandError(
            .notFound,
            "You do not have “\(report.region.name)” yet, and it cannot be added without its map.",
            remedy: "Add \(word) to --only, or remove --only."
        )
    }
}
