import FoundationEssentials
import PeerCore
import RegionStore

/// Picks from the regions of a sender that offers several.
struct CataloguePrompt: Sendable {
    var store: RegionStore
    /// What is wanted.
    var wish: CatalogueWish
    var acceptsAll: Bool
    /// What is taken without a person; nil if a person picks.
    var rule: KeepRule?
    var picked: PickedOffers
    /// Decides on the single offers.
    var offers: OfferPrompt
    var console: Console

    /// Answers a catalogue: shows it and asks, unless what is wanted is clear.
    ///
    /// - Throws: ``CommandError`` if what is wanted is not there, or nobody can be asked; `CancellationError` if the sender is gone.
    func decide(_ offer: CatalogueOffer) async throws -> CatalogueAnswer {
        let peer = offer.peer.security.certifiedID
        let left = picked.left(of: peer, among: offer.catalogue.ids)
        // The person has compared the digits before the connection broke.
        guard left.isEmpty else { return .pick(left) }
        let regions = try store.regions()
        var report = CatalogueReport(
            peer: offer.peer,
            items: offer.catalogue.regions.map { CatalogueItem($0, regions) },
            digits: offer.pairing
        )
        report.unreadableCount = offer.catalogue.ids.count + offer.catalogue.unreadableCount - report.items.count
        report.usual = CatalogueWish.usual.ids(of: report.items)
        console.emitForPrograms(report)
        // Another sender takes the place of the one whose offer was accepted; of its list, only the same map is wanted.
        if offer.pairing == nil, let map = offers.agreedMap, offers.agreedPeer != peer,
            let same = report.items.first(where: { $0.region.mapDigest == map })
        {
            return .pick([same.region.id])
        }
        if let rule { return keep(rule, report, peer) }
        let isKnown = offer.peer.isTrusted || offer.peer.isAdmittedByShareLink
        if acceptsAll || !console.canAsk {
            guard acceptsAll || isKnown else { return notTrusted(report) }
            return try pickWanted(report, peer)
        }
        if wish != .usual, offer.pairing == nil { return try pickWanted(report, peer) }
        return try await ask(report, peer)
    }

    private func pickWanted(_ report: CatalogueReport, _ peer: PeerID?) throws -> CatalogueAnswer {
        console.note(report.text)
        let ids = try wanted(report)
        guard !ids.isEmpty else {
            throw CommandError(
                .notFound,
                "Nothing in the list of “\(report.peer.displayName)” is new for this machine.",
                remedy: "Name what you want with --region, or take everything with --all."
            )
        }
        return pick(ids, report, peer, isCompared: false)
    }

    /// Selects what the options name.
    private func wanted(_ report: CatalogueReport) throws -> [UUID] {
        var missing: [String] = []
        let ids = wish.ids(of: report.items) { missing.append($0) }
        for name in missing {
            let error = CommandError(
                .notFound,
                "“\(report.peer.displayName)” offers no region “\(name)”, or several of that name.",
                remedy: "Receive without --region to see the list."
            )
            guard !ids.isEmpty else { throw error }
            console.warn(ProblemReport(error, severity: .warning))
        }
        return ids
    }

    private func ask(_ first: CatalogueReport, _ peer: PeerID?) async throws -> CatalogueAnswer {
        var report = first
        if wish != .usual {
            let ids = try wanted(report)
            report.offeredCount = report.items.count
            report.items = ids.compactMap { id in first.items.first { $0.region.id == id } }
            report.usual = ids
        }
        // An empty line must not stand for a comparison of the digits.
        if report.digits != nil { report.usual = console.window == nil ? [] : report.usual }
        var introduction: DisplayText = report.text
        while true {
            let line = try await console.ask(
                introduction: introduction,
                report.question,
                form: report.form,
                rings: true
            )
            guard let line else { return declined() }
            switch CatalogueAnswerLine(line, to: report.items, usual: report.usual) {
            case .ids(let ids): return pick(ids, report, peer, isCompared: report.digits != nil, isByPerson: true)
            case .none: return declined()
            case .unclear(let word):
                let range: DisplayText = report.items.count > 1 ? "1 to \(report.items.count)" : "1"
                introduction =
                    "\(DisplayText(quoting: word)) is none of them: type numbers (\(range)), all, none, or a name."
            }
        }
    }

    private func pick(
        _ ids: [UUID],
        _ report: CatalogueReport,
        _ peer: PeerID?,
        isCompared: Bool,
        isByPerson: Bool = false
    ) -> CatalogueAnswer {
        let list = report.items.map(\.region)
        picked.pick(ids, of: list, from: peer, isCompared: isCompared, isByPerson: isByPerson)
        return isByPerson ? .pickAndPin(ids) : .pick(ids)
    }

    /// Takes what updates the store.
    private func keep(_ rule: KeepRule, _ report: CatalogueReport, _ peer: PeerID?) -> CatalogueAnswer {
        guard report.peer.isTrusted else { return notTrusted(report) }
        let ids = rule.picks(report.items)
        guard !ids.isEmpty else {
            picked.giveUp()
            offers.refuse(CommandError(.declined, "Nothing was taken."))
            return .decline(Refusal(.declined, "nothing of it updates what the receiver has."))
        }
        return pick(ids, report, peer, isCompared: false)
    }

    private func declined() -> CatalogueAnswer {
        picked.giveUp()
        offers.refuse(CommandError(.declined, "You declined; nothing was received."))
        return .decline(Refusal(.declined, "the person there said no."))
    }

    private func notTrusted(_ report: CatalogueReport) -> CatalogueAnswer {
        picked.giveUp()
        offers.refuseStranger(report.peer)
        return .decline(.receiverCannotAsk)
    }
}

extension CatalogueItem {
    /// Compares an offered region with those of a store.
    init(_ region: OfferedRegion, _ regions: [RegionSummary]) {
        self.init(
            region: region,
            novelty: RegionNovelty(of: region, among: regions),
            localName: RegionNovelty.local(for: region, among: regions)?.name
        )
    }
}
