import MapPages
package import PeerCore
package import RegionSharing
import RegionStore
import SharingReports
import Synchronization

extension WindowPerson {
    /// Says what happens while senders are searched for, and who is trusted.
    package func tell(_ happening: FindingHappening) {
        switch happening {
        case .searching: show("Searching for senders…")
        case .searchEnded: show(nil)
        case .trusted(let peer): note(PlainReport.trusted(peer).text)
        case .renamed(let name, let peer):
            emit(PlainReport.renamed(peer, from: name).text)
        }
    }

    /// Says what to check while only other senders, or none, are found.
    package func advise(_ search: SenderSearch, others: [DiscoveredPeer]) async {
        let lines = others.map { $0.line(among: search.trustedPeers) }
        let hints = others.isEmpty ? await surroundings.whatToCheck().compactMap(\.window) : []
        note(search.advice(others: lines, hints: hints, stopping: "choose Stop"))
    }
}

extension SenderQuestion: WindowQuestion {
    /// As long as the job.
    private static let patience: Duration = .seconds(1_000_000)

    package func ask(_ person: WindowPerson) async throws -> SenderAnswer {
        list.tell(person)
        // It may change before the question is shown.
        let newest = NewestSenders(list)
        return try await withThrowingTaskGroup(of: SenderAnswer?.self) { group in
            group.addTask {
                // It waits for a sender, and a phone may want to send something meanwhile.
                let answer = try await person.questions.askGivingWay(within: Self.patience, as: .standing) {
                    newest.list.withLock { $0 }.windowQuestion
                }
                return answer.map { SenderAnswer($0) }
            }
            group.addTask {
                for await list in later {
                    let former = newest.list.withLock { newest in
                        defer { newest = list }
                        return newest
                    }
                    list.tell(person)
                    person.window.replace(former.windowQuestion, with: list.windowQuestion)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let answer = ended { return answer }
            }
            throw CancellationError()
        }
    }
}

/// The senders that are nearby now.
private final class NewestSenders: Sendable {
    let list: Mutex<SenderList>

    init(_ list: SenderList) { self.list = Mutex(list) }
}

extension SenderList {
    /// The senders as buttons.
    fileprivate var windowQuestion: AppWindowQuestion {
        let choices = senders.map { sender in
            AppWindowQuestion.Choice(
                answer: "\(sender.number)",
                name: sender.peer.title(among: trustedPeers).string,
                facts: sender.peer.offer.filter { !$0.isEmpty }.map(\.string).joined(separator: ", ")
            )
        }
        let question: DisplayText = choices.isEmpty ? "Waiting for a sender…" : "Which sender nearby?"
        return AppWindowQuestion(AppWindowText(question), form: .choice, choices: choices)
    }

    /// Says what the buttons do not.
    fileprivate func tell(_ person: WindowPerson) {
        if senders.isEmpty { return person.note("The sender is gone.") }
        if objection != nil { person.note("That sender is gone. Choose another one.") }
    }
}

extension ShareLinkQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> String? {
        if let objection { person.note("\(objection.message) Please try again.") }
        return try await person.line("Paste the share link:")
    }
}

extension PeerNameQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> OwnName? {
        if let conflict { person.note("\(conflict.message)") }
        // What was received is here, so a person who stops then has only left this question open.
        guard let line = try? await person.line("What do you call this person?", usual: peer.name),
            let name = OwnName(argument: line), name.text != peer.name
        else { return nil }
        return name
    }
}

extension OwnNameQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> OwnName? {
        while true {
            if let name = OwnName(argument: try await person.line("What should others call you?", usual: usual)) {
                return name
            }
            person.note("That name is too long.")
        }
    }
}
