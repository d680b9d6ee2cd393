public import PeerCore
import RegionStore

/// Decides by a rule.
extension OfferDecider {
    /// Decides without a person, who is asked only about own edits.
    func keep(_ facts: OfferFacts, by rule: KeepRule) async throws -> OfferAnswer {
        func leave(_ reasons: [KeepRule.Reason], _ kinds: Set<ResourceKind> = []) {
            for reason in reasons {
                let left = KeepLeftOut(
                    peer: facts.peer,
                    region: facts.region,
                    reason: reason,
                    kinds: kinds,
                    ages: facts.replacement?.ages
                )
                person.tell(.keeping(.leftOut(left)))
            }
        }
        giveUpOwnEdits([], of: facts.region.id)
        switch rule.decision(KeepRule.Facts(facts)) {
        case .take(let kinds, let leftOut):
            leave(leftOut, facts.wanted.subtracting(kinds))
            return .accept(kinds)
        case .ask(let kinds, let own, let leftOut):
            leave(leftOut, facts.wanted.subtracting(kinds))
            if consent.asks, try await person.ask(OwnEditsQuestion(offer: facts, kinds: own)) == true {
                giveUpOwnEdits(own, of: facts.region.id)
            } else {
                // They stay when the rest of their list is merged.
                leave([.ownEdits], own)
            }
            return .accept(kinds)
        case .decline(let reason):
            // What is not here is no news.
            if reason != .notHere { leave([reason]) }
            refuse(.nothingTaken)
            return .decline(Refusal(.declined, "it updates nothing there."))
        }
    }
}

/// Whether own edits of some kinds may be replaced by newer ones; nil without an answer in time.
public struct OwnEditsQuestion: Question {
    /// The offer.
    public var offer: OfferFacts
    /// The kinds of the edits.
    public var kinds: Set<ResourceKind>
    /// The time in which it must be answered.
    public var patience: Duration = .seconds(120)

    /// None: the edits stay.
    public var defaultAnswer: Bool? { nil }
}

extension KeepRule.Facts {
    /// The effects of an offer on the store.
    package init(_ offer: OfferFacts) {
        let replacement = offer.replacement
        self.init(
            isTrusted: offer.peer.isTrusted,
            isHere: offer.local != nil,
            wanted: offer.wanted,
            replacedFiles: offer.replacedFiles,
            coversAnotherArea: replacement?.coversAnotherArea ?? false,
            addsToMap: replacement?.addsToMap ?? false,
            hasTooManyTiles: replacement?.hasTooManyTiles ?? false,
            mapAge: replacement?.ages?.age,
            losesSigner: replacement?.losesSigner ?? false,
            ownEdits: Set(offer.edits.filter { $0.replaces && $0.isOwn }.map(\.edit.kind))
        )
    }
}
