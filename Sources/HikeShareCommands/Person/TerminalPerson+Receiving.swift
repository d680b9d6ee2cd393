import FoundationEssentials
import PeerCore
import RegionSharing
import Sentences
import SharingReports

extension TerminalPerson {
    /// Says what happens while a region is received.
    func tell(_ happening: ReceivingHappening) {
        switch happening {
        case .offered(let offer): console.emitForPrograms(offer)
        case .takenUnasked(let offer): console.note(offer.text)
        case .listed(let catalogue): console.emitForPrograms(catalogue)
        case .pickedUnasked(let catalogue): console.note(catalogue.text)
        case .leftOut(let name, let error):
            let error = (error as? PeerError)?.leavingOut(name) ?? error
            console.warn(ProblemReport(error, severity: .warning))
        case .looking(let search):
            console.emitForPrograms(search)
            console.note(search.text)
        case .reconnecting(let reconnection):
            console.emitForPrograms(reconnection)
            if !reconnection.isRepeated { console.note(reconnection.text) }
        case .substitute(let other, let trusted): console.note("\(other.title(among: trusted)) has the same map.")
        case .received(let region, let isLast): tell(region, isLast: isLast)
        case .kept(let files): console.emitForPrograms(files)
        }
    }

    private func tell(_ region: ReceivedRegion, isLast: Bool) {
        console.emit(region)
        if isLast {
            // Until then, the transfer is not over.
            console.note(region.nextSteps)
        }
        guard let twin = region.twin else { return }
        let remedy: Sentence = "To have it once, remove one of them and receive it again in a terminal, without --yes."
        console.note(
            "\(region.twice ?? "") \(remedy)",
            .sameMap,
            "The store has this map twice now, also as “\(twin)”.",
            remedy: remedy
        )
    }

    /// Says what happens while a machine takes what trusted machines offer.
    func tell(_ happening: KeepingHappening) {
        switch happening {
        case .waiting: console.note("Waiting for trusted machines that send. To stop, \(Console.stopping).")
        case .leftOut(let left): console.emit(left)
        case .received(let region): console.emit(.kept(region))
        }
    }
}

extension OfferQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Answer {
        // The offer stands above already; once more, it would push the objection out of the window.
        var introduction = objection.map { "\($0.words.message)" } ?? console.introduction(of: offer)
        while true {
            let line = try await console.ask(introduction: introduction, offer.question, rings: true)
            if HikeShareCommands.Answer.isYes(line) { return .everything }
            guard let line, !HikeShareCommands.Answer.isNo(line) else { return .nothing }
            let kinds = selection(KindWords.kinds(of: line) ?? [])
            guard kinds.isEmpty else { return .only(kinds) }
            introduction = "“\(line)” is no answer here."
        }
    }
}

extension CatalogueQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> [UUID]? {
        var catalogue = catalogue
        // An empty line must not stand for a comparison of the digits.
        if catalogue.digits != nil { catalogue.usual = [] }
        var introduction = catalogue.text
        while true {
            let line = try await console.ask(introduction: introduction, catalogue.question, rings: true)
            guard let line else { return nil }
            switch CatalogueAnswerLine(line, to: catalogue.items, usual: catalogue.usual) {
            case .ids(let ids): return ids
            case .none: return nil
            case .unclear(let word):
                let range: DisplayText = catalogue.items.count > 1 ? "1 to \(catalogue.items.count)" : "1"
                introduction =
                    "\(DisplayText(quoting: word)) is none of them: type numbers (\(range)), all, none, or a name."
            }
        }
    }
}

extension OwnEditsQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool? {
        let words = Wording.list(ResourceKind.shown.filter(kinds.contains).map(\.words))
        return try await console.confirmGivingWay(
            introduction: offer.text,
            "Replace your edited \(words) by newer ones?",
            within: patience
        )
    }
}
