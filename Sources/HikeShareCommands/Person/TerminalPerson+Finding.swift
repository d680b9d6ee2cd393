import PeerCore
import RegionSharing
import RegionStore
import SharingReports

extension TerminalPerson {
    /// Says what happens while senders are searched for, and who is trusted.
    func tell(_ happening: FindingHappening) {
        switch happening {
        case .searching: console.show("Searching for senders…")
        case .searchEnded: console.show(nil)
        case .trusted(let peer):
            let report = PlainReport.trusted(peer)
            console.emitForPrograms(report)
            console.note(report.text)
        case .renamed(let name, let peer): console.emit(.renamed(peer, from: name))
        }
    }

    /// Says what to check while only other senders, or none, are found.
    func advise(_ search: SenderSearch, others: [DiscoveredPeer]) async {
        let lines = others.map { $0.line(among: search.trustedPeers) }
        let hints = others.isEmpty ? await LocalHints.forDiscovery() : []
        console.note(search.advice(others: lines, hints: hints.map(\.typed), stopping: Console.stopping))
    }
}

extension SenderQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> SenderAnswer {
        console.tell(list.introduction)
        return try await withThrowingTaskGroup(of: SenderAnswer?.self) { group in
            group.addTask {
                let line = try await console.ask(list.question, rings: true)
                if let line, ShareLinkInput.isLink(line) { return .link(try ShareLinkInput.parse(line)) }
                return SenderAnswer(line)
            }
            group.addTask {
                for await list in later {
                    console.tell(list.introduction)
                    console.setQuestion(list.question)
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
            rows.isEmpty
            ? "The sender is gone." : "Senders nearby:\n" + TextTable.render(rows, trailing: [1, 4]) + rest
        return switch objection {
        case .noNumber(let number): "There is no number \(number).\n" + list
        case .noSender(let name): "\(DisplayText(quoting: name)) is no sender in this list.\n" + list
        case .severalSenders(let name): "\(DisplayText(quoting: name)) is more than one sender in this list.\n" + list
        case nil: list
        }
    }

    var question: DisplayText {
        senders.isEmpty ? "Waiting for a sender… " : "Which one? Type its number or name: "
    }
}

extension PeerNameQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> OwnName? {
        if let conflict { console.tell("\(conflict.message)") }
        guard let line = try await console.ask("What do you call this person? [\(peer.name)] "),
            let name = OwnName(argument: line), name.text != peer.name
        else { return nil }
        // After a transfer, what is typed may be the next command.
        return try await console.confirm("Call this person \(DisplayText(quoting: name.text))?") ? name : nil
    }
}

extension OwnNameQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> OwnName? {
        while let line = try await console.ask("What should others call you? [Enter: \(usual)] ") {
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

extension ShareLinkQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> String? {
        if let objection { console.tell("\(objection.message) Please try again.") }
        return try await console.ask("Paste the share link: ")
    }
}
