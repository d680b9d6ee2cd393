import FoundationEssentials
import PeerCore
import RegionStore

/// Decides on one of several offers, and without a person.
extension OfferPrompt {
    /// How long a question waits while `receive --keep` runs.
    private static let patience: Duration = .seconds(120)

    /// Declines the offers of a machine that is not trusted, because nobody can be asked.
    func refuseStranger(_ peer: RemotePeer) {
        refuse(
            CommandError(
                .notTrusted,
                "“\(peer.displayName)” is not trusted, and without a terminal the program cannot ask you.",
                remedy:
                    "Use the sender's share link, trust the machine with 'hikeshare peers trust ID', or use --yes."
            )
        )
    }

    /// Whether a person who has picked the region from a list must see what would be lost here.
    func needsSecondQuestion(_ report: OfferReport) -> Bool {
        guard let local = report.local else { return false }
        // Under another id, it is the rest of the offer that goes to the region here.
        if local.id != report.region.id || report.edits.contains(where: \.replaces) { return true }
        // That nothing is new is only what the sender says.
        if report.change?.union?.isNothing == true { return true }
        guard let replacement = report.replacement, !replacement.files.isEmpty else { return false }
        if replacement.losesSigner || replacement.objection(isSenderKnown: true) != nil { return true }
        return replacement.ages?.age == .same && !replacement.addsToMap
    }

    /// Checks that the only offer of a sender is one of the regions that are wanted.
    func checkIsWanted(_ region: Region, _ manifest: Manifest) throws {
        guard case .named(let names) = wish, !picked.contains(region.id) else { return }
        let offered = [OfferedRegion(region, manifest)]
        guard !names.contains(where: { RegionStore.offered(offered, matching: $0).count == 1 }) else { return }
        throw CommandError(
            .notFound,
            "The sender offers “\(region.name)”, and not “\(names.first ?? "")”.",
            remedy: "Receive without --region to see the offer."
        )
    }

    /// Decides without a person, who is asked only about own edits.
    func keep(_ report: OfferReport, by rule: KeepRule) async throws -> OfferAnswer {
        let peer = report.peer
        func leave(_ reason: KeepRule.Reason, _ kinds: Set<ResourceKind> = []) {
            let ages = report.replacement?.ages
            console.emit(KeepLeftOutReport(peer: peer, region: report.region, reason: reason, kinds: kinds, ages: ages))
        }
        giveUpOwnEdits([], of: report.region.id)
        switch rule.decision(KeepRule.Facts(report)) {
        case .take(let kinds, let leftOut):
            for reason in leftOut { leave(reason, report.wanted.subtracting(kinds)) }
            return .accept(kinds)
        case .ask(let kinds, let own, let leftOut):
            for reason in leftOut { leave(reason, report.wanted.subtracting(kinds)) }
            let words = Wording.list(ResourceKind.shown.filter(own.contains).map(\.words))
            if console.canAsk,
                try await console.confirmGivingWay(
                    introduction: report.text,
                    "Replace your edited \(words) by newer ones?",
                    within: Self.patience
                ) == true
            {
                giveUpOwnEdits(own, of: report.region.id)
                return .accept(kinds)
            }
            // They stay when the rest of their list is merged.
            leave(.ownEdits, own)
            return .accept(kinds)
        case .decline(let reason):
            // What is not here is no news.
            if reason != .notHere { leave(reason) }
            return decline("it updates nothing there.")
        }
    }

    private func decline(_ reason: String) -> OfferAnswer {
        refuse(CommandError(.declined, "Nothing was taken."))
        return .decline(Refusal(.declined, reason))
    }
}

extension KeepRule.Facts {
    /// What an offer would do to the store.
    init(_ report: OfferReport) {
        let replacement = report.replacement
        self.init(
            isTrusted: report.peer.isTrusted,
            isHere: report.local != nil,
            wanted: report.wanted,
            replacedFiles: report.replacedFiles,
            coversAnotherArea: replacement?.coversAnotherArea ?? false,
            addsToMap: replacement?.addsToMap ?? false,
            hasTooManyTiles: replacement?.hasTooManyTiles ?? false,
            mapAge: replacement?.ages?.age,
            losesSigner: replacement?.losesSigner ?? false,
            ownEdits: Set(report.edits.filter { $0.replaces && $0.isOwn }.map(\.edit.kind))
        )
    }
}

extension Refusal {
    /// The receiver cannot ask anyone about a machine that it does not trust.
    static let receiverCannotAsk = Refusal(
        .notTrusted,
        "the receiver does not trust this machine and cannot ask anyone."
    )
}
