import MapPages
import PeerCore
import RegionSharing
import RegionStore

extension TerminalPerson {
    /// Says what happens while senders are searched for, and who is trusted.
    func tell(_ happening: FindingHappening) {
        switch happening {
        case .searching: console.show("Searching for senders…")
        case .searchEnded: console.show(nil)
        case .trusted(let peer):
            let report = TrustedPeerChangeReport(change: .trusted, peer: peer)
            console.emitForPrograms(report)
            console.note(report.text)
        case .renamed(let name, let peer):
            console.emit(TrustedPeerChangeReport(change: .renamed(from: name), peer: peer))
        }
    }

    /// Says what to check while only other senders, or none, are found.
    func advise(_ search: SenderSearch, others: [DiscoveredPeer]) async {
        let lines = others.map { $0.line(among: search.trustedPeers) }
        let hints = others.isEmpty ? await LocalHints.forDiscovery() : []
        console.note(search.advice(others: lines, hints: hints, stopping: console.stopping))
    }
}

extension SenderQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> SenderAnswer {
        list.tell(on: console)
        return try await withThrowingTaskGroup(of: SenderAnswer?.self) { group in
            group.addTask {
                let line = try await console.ask(list.question, form: list.form, rings: true)
                if let line, ShareLinkInput.isLink(line) { return .link(try ShareLinkInput.parse(line)) }
                return SenderAnswer(line)
            }
            group.addTask {
                for await list in later {
                    list.tell(on: console)
                    console.setQuestion(list.question, form: list.form)
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

extension SenderList {
    /// The senders, below why the last answer was not taken.
    var introduction: DisplayText {
        let rows = senders.map { ["", "\($0.number)", $0.peer.title(among: trustedPeers)] + $0.peer.offer }
        let rest: DisplayText = moreCount > 0 ? "\nand \(moreCount) more, which you can name" : ""
        let list: DisplayText =
            rows.isEmpty ? "The sender is gone." : "Senders nearby:\n" + Table.render(rows, trailing: [1, 4]) + rest
        return switch objection {
        case .noNumber(let number): "There is no number \(number).\n" + list
        case .noSender(let name): "\(DisplayText(quoting: name)) is no sender in this list.\n" + list
        case .severalSenders(let name): "\(DisplayText(quoting: name)) is more than one sender in this list.\n" + list
        case nil: list
        }
    }

    /// The question.
    var question: DisplayText {
        senders.isEmpty ? "Waiting for a sender… " : "Which one? Type its number or name: "
    }

    /// How the senders are offered in the window: as buttons.
    var form: QuestionForm {
        let choices = senders.map { sender in
            AppWindowQuestion.Choice(
                answer: "\(sender.number)",
                name: sender.peer.title(among: trustedPeers).string,
                facts: sender.peer.offer.filter { !$0.isEmpty }.map(\.string).joined(separator: ", ")
            )
        }
        return QuestionForm(kind: .choice, text: choices.isEmpty ? nil : "Which sender nearby?", choices: choices)
    }

    /// Shows the senders; in the window, the choices are the list.
    fileprivate func tell(on console: Console) {
        if console.window == nil || senders.isEmpty { console.tell(introduction) }
    }
}

extension PeerNameQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> OwnName? {
        if let conflict { console.tell("\(conflict.message)") }
        let form = QuestionForm(text: "What do you call this person?", usual: peer.name)
        guard let line = try await console.ask("What do you call this person? [\(peer.name)] ", form: form),
            let name = OwnName(argument: line), name.text != peer.name
        else { return nil }
        // After a transfer, what is typed in a terminal may be the next command.
        guard console.window == nil else { return name }
        return try await console.confirm("Call this person \(DisplayText(quoting: name.text))?") ? name : nil
    }
}

extension OwnNameQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> OwnName? {
        let form = QuestionForm(text: "What should others call you?", usual: usual)
        while let line = try await console.ask("What should others call you? [Enter: \(usual)] ", form: form) {
            guard let name = OwnName(argument: line.allSatisfy(\.isWhitespace) ? usual : line) else {
                console.tell("That name is too long.")
                continue
            }
            // It may have been typed as the answer to another question.
            let isOdd =
                HikeShareCommands.Answer.isYes(line)
                || !line.allSatisfy(\.isWhitespace) && HikeShareCommands.Answer.isNo(line)
            let isMeant = isOdd ? try await console.confirm("Really \(DisplayText(quoting: name.text))?") : true
            if isMeant { return name }
        }
        return nil
    }
}
