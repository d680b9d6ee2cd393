import PeerCore
import RegionStore

/// Refuses what cannot be stored, and what may not be replaced without a question.
extension OfferPrompt {
    /// Without a question, only a known sender may replace a local map or routing database, and only by a newer one of the same
    /// area and signer.
    func checkWhatIsReplaced(_ report: OfferReport) throws {
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
        case .olderMap, .unknownAge:
            let ages = replacement.ages?.words ?? ""
            let age = replacement.ages?.age == .older ? "an older map" : "a map of unknown age"
            throw Self.needsQuestion(
                "The map of “\(local.name)” is not replaced by \(age) without a question (\(ages))."
            )
        case .anotherSigner:
            throw Self.needsQuestion("The map of “\(local.name)” would lose the signature that it has.")
        case nil:
            return
        }
    }

    private static func needsQuestion(_ what: String) -> CommandError {
        CommandError(
            .declined,
            what,
            remedy: "Receive it in a terminal without --yes, or leave out the map with --only."
        )
    }

    func check(_ report: OfferReport) throws {
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
        // Without a person, the rule leaves out the map alone.
        guard rule != nil || report.replacement?.hasTooManyTiles != true else {
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
