package import FoundationEssentials
import MapPages
import PeerCore
package import RegionSharing
import RegionStore
import SharingReports

extension WindowPerson {
    /// Says what happens while a region is received.
    package func tell(_ happening: ReceivingHappening) {
        switch happening {
        // They are in the questions, and the problem at the end says what is kept.
        case .offered, .listed, .kept: break
        case .takenUnasked(let offer): note(offer.text)
        case .pickedUnasked(let catalogue): note(catalogue.text)
        case .leftOut(let name, let error): warn((error as? PeerError)?.leavingOut(name) ?? error)
        case .looking(let search): note(search.text)
        case .reconnecting(let reconnection): if !reconnection.isRepeated { note(reconnection.text) }
        case .substitute(let other, let trusted): note("\(other.title(among: trusted)) has the same map.")
        case .received(let region, let isLast):
            window.tell(result: AppWindowText(region.text), drawings: region.drawings)
            // Before, the work goes on.
            if isLast {
                let title: DisplayText = "\(DisplayText(quoting: region.regionName)) is here"
                window.tell(region: region.regionID.uuidString, title: title.string)
            }
            if let twice = region.twice { note(twice) }
        }
    }

    /// Says what happens while what trusted machines offer is taken.
    package func tell(_ happening: KeepingHappening) {
        switch happening {
        case .waiting: note("Waiting for trusted machines that send. To stop, choose Stop.")
        case .leftOut(let left): emit(left.text(typed: false))
        case .received(let region): emit(PlainReport.kept(region).text)
        }
    }
}

extension ReceivedRegion {
    /// Where its map has changed.
    var drawings: [AppWindowDrawing] { changes.flatMap { AppWindowDrawing($0) }.map { [$0] } ?? [] }
}

extension OfferQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Answer {
        let introduction: DisplayText = objection.map { "\($0.words.message)\n\(offer.text)" } ?? offer.text
        // What was left out before can be ticked again.
        let kinds = KindWords.all.filter { selectable.contains($0.kind) }
        let ticked = kinds.filter { offer.wanted.contains($0.kind) }.map(\.argument)
        let take: DisplayText = "Take it?"
        while true {
            let answer = try await person.questions.ask {
                AppWindowQuestion(
                    AppWindowText(offer.digits?.above(take, comparedWith: offer.peer.name) ?? take),
                    form: .parts,
                    introduction: AppWindowText(introduction),
                    choices: kinds.map { AppWindowQuestion.Choice(answer: $0.argument, name: $0.name) },
                    usual: ticked.count == kinds.count ? "" : ticked.joined(separator: " "),
                    drawing: AppWindowDrawing(offer.area)
                )
            }
            if answer.isEmpty || answer == AppWindowQuestion.no { return .nothing }
            let words = answer.split(separator: " ").map(String.init)
            let isAll = answer == AppWindowQuestion.yes
            let chosen = selection(Set(kinds.filter { isAll || words.contains($0.argument) }.map(\.kind)))
            if chosen == offer.wanted { return .everything }
            if !chosen.isEmpty { return .only(chosen) }
        }
    }
}

extension CatalogueQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> [UUID]? {
        let which: DisplayText = "Which of them do you want?"
        let usual = catalogue.usualNumbers.map { "\($0)" }.joined(separator: " ")
        let answer = try await person.questions.ask {
            AppWindowQuestion(
                AppWindowText(catalogue.digits?.above(which, comparedWith: catalogue.peer.name) ?? which),
                form: .parts,
                introduction: AppWindowText(catalogue.frame),
                choices: zip(1..., catalogue.items).map { number, item in
                    let facts = CatalogueFacts.cells(of: item).dropFirst().map(\.string).filter { !$0.isEmpty }
                    return AppWindowQuestion.Choice(
                        answer: "\(number)",
                        name: DisplayText(quoting: item.region.name).string,
                        facts: facts.joined(separator: " · "),
                        size: item.region.size
                    )
                },
                // Without a usual answer, all boxes would be ticked.
                usual: usual.isEmpty ? "none" : usual
            )
        }
        if answer == AppWindowQuestion.yes { return catalogue.items.map(\.region.id) }
        let numbers = answer.split(separator: " ").compactMap { Int($0) }
        let chosen = zip(1..., catalogue.items).filter { numbers.contains($0.0) }.map { $0.1.region.id }
        return chosen.isEmpty ? nil : chosen
    }
}
