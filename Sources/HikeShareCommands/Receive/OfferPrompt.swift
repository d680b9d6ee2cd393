import FoundationEssentials
import HostNetwork
import PeerCore
import RegionSharing
import RegionStore
import Synchronization

/// Decides on an offer, before anything is written.
final class OfferPrompt: Sendable {
    private struct State {
        var region: Region?
        /// Whose digits a person has compared.
        var compared: PeerID?
        var refusal: CommandError?
        var accepted: AcceptedOffer?
        /// What the last reception has done to the map that its region had; nil if that is not known.
        var mapChange: MapChange?
        /// The kinds of which own edits may be replaced, by the regions, if nobody is asked about anything else.
        var givenUp: [UUID: Set<ResourceKind>] = [:]
    }

    private let store: RegionStore
    let kinds: Set<ResourceKind>?
    let routes: RouteSelection
    private let asksForPart: Bool
    let wish: CatalogueWish
    let rule: KeepRule?
    let picked: PickedOffers
    private let acceptsAll: Bool
    private let ownID: PeerID?
    let console: Console
    /// What offered maps would do to those of the store.
    let forecasts = MapForecasts()
    private let state = Mutex(State())

    /// Creates a prompt for these kinds, or all known ones, and these routes.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - kinds: The kinds; nil for all.
    ///   - routes: The hikes and planned routes.
    ///   - asksForPart: Whether a part of the map was asked for.
    ///   - wish: Which region is wanted.
    ///   - rule: What is taken without a person; nil if a person decides.
    ///   - picked: What was picked from a catalogue.
    ///   - acceptsAll: Whether everything is accepted.
    ///   - ownID: The id of this machine; nil if it does not matter.
    ///   - console: Where a person is asked.
    init(
        store: RegionStore,
        kinds: Set<ResourceKind>?,
        routes: RouteSelection,
        asksForPart: Bool = false,
        wish: CatalogueWish = .usual,
        rule: KeepRule? = nil,
        picked: PickedOffers = PickedOffers(),
        acceptsAll: Bool,
        ownID: PeerID? = nil,
        console: Console
    ) {
        self.store = store
        self.kinds = kinds
        self.routes = routes
        self.asksForPart = asksForPart
        self.wish = wish
        self.rule = rule
        self.picked = picked
        self.acceptsAll = acceptsAll
        self.ownID = ownID
        self.console = console
    }

    /// The offered region; nil before an offer has arrived.
    var offeredRegion: Region? { state.withLock { $0.region } }

    /// Whether a person has compared digits with a sender, in this transfer or before its connection broke.
    func hasCompared(_ peer: PeerID?) -> Bool {
        peer != nil && [picked.compared, state.withLock { $0.compared }].contains(peer)
    }

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
        guard console.canAsk, !acceptsAll, rule == nil else { return false }
        guard let terms = state.withLock({ $0.accepted?.terms }) else { return true }
        return terms.peer == nil || terms.manifest != manifest.digest
    }

    /// Decides on an offer: shows it and asks, unless everything is accepted without a question.
    ///
    /// - Throws: ``CommandError`` if the selected parts are not possible; `CancellationError` if the offer is gone.
    func decide(_ offer: TransferOffer) async throws -> OfferAnswer {
        let (id, peer) = (offer.manifest.id, offer.peer.security.certifiedID)
        let isOneOfSeveral = peer == nil ? picked.contains(id) : picked.contains(id, from: peer)
        state.withLock { $0.refusal = nil }
        do {
            let answer = try await decideAlone(on: offer)
            if answer.kinds == nil { picked.declined(offer.manifest.id) }
            return answer
        } catch let error as CommandError where isOneOfSeveral && (rule == nil || error.code != .changed) {
            // It is no reason to leave out the others.
            picked.declined(offer.manifest.id)
            refuse(error)
            console.warn(ProblemReport(error, severity: .warning))
            return .decline(Refusal(.declined, "it cannot be added there."))
        }
    }

    private func decideAlone(on offer: TransferOffer) async throws -> OfferAnswer {
        // What was picked from the list of this sender stands for nothing else.
        if !picked.contains(offer.manifest.id, from: offer.peer.security.certifiedID) {
            try state.withLock { $0.accepted }?.checkSubstitute(offer)
        }
        let region = try offer.manifest.region()
        let local = try localRegion(for: offer.manifest)
        let terms = AcceptedOffer.Terms(
            peer: offer.peer.security.certifiedID,
            manifest: offer.manifest.digest,
            localMap: local?.mapDigest,
            localRouting: local?.routingDigest,
            signer: region.signature?.signer,
            isPart: region.cut != nil
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
            localMaker: try store.maker(of: local?.signature, ownID: ownID),
            asksForPart: asksForPart,
            estimate: offer.estimate,
            turn: offer.turn,
            network: await NetworkRate.known(of: offer.interface),
            hasCableSocket: NetworkRate.hasCableSocket()
        )
        if let rule, local == nil, !rule.takesNew { return try await keep(report, by: rule) }
        try check(report)
        try checkIsWanted(region, offer.manifest)
        // They are only for the question and for programs.
        if agreedKinds == nil {
            try addChanges(to: &report)
            // Now it is also known how many tiles the maps have together.
            try check(report)
        }
        let answer =
            if let agreedKinds {
                OfferAnswer.accept(agreedKinds)
            } else {
                try await answer(report, to: OfferedRegion(region, offer.manifest))
            }
        guard let accepted = answer.kinds else { return answer }
        let now = try localRegion(for: offer.manifest)
        guard now?.id == local?.id, now?.mapDigest == local?.mapDigest, now?.routingDigest == local?.routingDigest
        else {
            throw CommandError(
                .changed,
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
        guard let local = report.local, report.replacedFiles.contains(.mbtiles), asksPerson,
            let map = report.entries.first(where: { $0.kind == .mbtiles })
        else { return }
        let isPart = report.region.cut != nil
        // It may be the map of another region.
        let known = { try? self.store.change(by: map.digest, of: local.id, isPart: isPart) }
        report.change = forecasts.change(by: map.digest, isPart: isPart) ?? known()
        report.changedRoutes = try routes(report.change, of: local.id)
    }

    /// Whether a person sees offers.
    private var asksPerson: Bool { console.canAsk && !acceptsAll && rule == nil }

    private func routes(_ change: MapChange?, of regionID: UUID) throws -> ChangedRoutes? {
        guard let (tiles, isAll) = change?.difference?.news, !tiles.isEmpty else { return nil }
        return try store.routes(under: tiles, of: regionID, isAll: isAll)
    }

    /// Notes what a reception has done to the map that its region had.
    func note(_ change: MapChange) {
        state.withLock { $0.mapChange = change }
    }

    /// Returns what the last reception has done to the map of its region, and on which routes; nil if that is not known.
    ///
    /// It is forgotten then.
    func takeMapChange(of regionID: UUID) -> (change: MapChange, routes: ChangedRoutes?)? {
        let change = state.withLock { state in
            defer { state.mapChange = nil }
            return state.mapChange
        }
        return change.map { ($0, try? routes($0, of: regionID)) }
    }

    private func answer(_ report: OfferReport, to offered: OfferedRegion) async throws -> OfferAnswer {
        if let rule { return try await keep(report, by: rule) }
        console.emitForPrograms(report)
        let isPicked = picked.isByPerson(offered, from: report.peer.security.certifiedID)
        if isPicked, !needsSecondQuestion(report) {
            console.note(report.text)
            return .accept(report.wanted)
        }
        if acceptsAll {
            try checkWhatIsReplaced(report)
            console.note(report.text)
            return .accept(report.wanted)
        }
        guard console.canAsk, !report.hasNothingNew else { return try decideAlone(report) }
        guard let wanted = try await ask(report) else {
            let isOneOfSeveral = picked.contains(report.region.id)
            refuse(
                CommandError(
                    .declined,
                    isOneOfSeveral
                        ? "You declined “\(report.region.name)”." : "You declined; nothing was received."
                )
            )
            return .decline(Refusal(.declined, "the person there said no."))
        }
        if report.digits != nil { state.withLock { $0.compared = report.peer.security.certifiedID } }
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
    func withPlaces(_ kinds: Set<ResourceKind>, _ local: RegionSummary?) -> Set<ResourceKind> {
        kinds.filter { kind in
            guard let owner = KindWords.of(kind)?.owner, !kinds.contains(owner) else { return true }
            return local.flatMap { region in KindWords.of(owner)?.count(region) } ?? 0 > 0
        }
    }

    /// Decides without a question, by the trust in the sender.
    private func decideAlone(_ report: OfferReport) throws -> OfferAnswer {
        guard report.hasNothingNew || report.peer.isTrusted || report.peer.isAdmittedByShareLink else {
            refuseStranger(report.peer)
            return .decline(.receiverCannotAsk)
        }
        try checkWhatIsReplaced(report)
        console.note(report.text)
        return .accept(report.wanted)
    }

    /// Whether own edits of a kind stay: without a person, they do, whatever the sender says of its edits.
    func keepsOwnEdits(of regionID: UUID, _ kind: ResourceKind) -> Bool {
        rule != nil && state.withLock { $0.givenUp[regionID]?.contains(kind) != true }
    }

    /// Notes that a person lets own edits be replaced.
    func giveUpOwnEdits(_ kinds: Set<ResourceKind>, of regionID: UUID) {
        state.withLock { $0.givenUp[regionID] = kinds }
    }

    /// Notes why this side declines.
    func refuse(_ error: CommandError) {
        state.withLock { $0.refusal = error }
    }

    /// Whether local data may be replaced: a person decides, or the sender is known.
    func mayReplace(_ peer: RemotePeer) -> Bool {
        (console.canAsk && !acceptsAll) || peer.isTrusted || peer.isAdmittedByShareLink
    }

    /// Returns the region of this store to which an offer is added: the one with the same id, or else, if a person agrees, one
    /// with the same map.
    private func localRegion(for manifest: Manifest) throws -> RegionSummary? {
        let regions = try store.regions()
        if let region = regions.first(where: { $0.id == manifest.id }) { return region }
        guard console.canAsk, !acceptsAll, rule == nil,
            let map = ResourceKind.maps.lazy.compactMap({ manifest.entry(of: $0) }).first
        else { return nil }
        return regions.first { $0.mapDigest == map.digest }
    }
}
