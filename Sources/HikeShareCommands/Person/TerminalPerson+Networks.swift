import NetworkManager
import RegionSharing
import SharingReports

extension TerminalPerson {
    /// Says what happens to the Wi-Fi.
    func tell(_ happening: NetworkHappening) {
        switch happening {
        case .leaving(let question): console.note(question.introduction)
        case .needsAdministrator:
            console.note("NetworkManager asks for the password of an administrator. Type it within a minute.")
        case .working(nil): console.show(nil)
        case .working(.looking): console.show("Looking for Wi-Fi networks of senders …")
        case .working(.making(let name)): showSlowly("Making the Wi-Fi network \(name) …")
        case .working(.joining(let name)): showSlowly("Joining the Wi-Fi network \(name) …")
        case .made(let network):
            sender?.network.show(network)
            console.emit(network)
        case .joined(let network):
            console.emitForPrograms(network)
            console.note(network.text)
        case .returning(let former): console.note("This laptop returns to “\(former)”.")
        }
    }

    private func showSlowly(_ work: DisplayText) {
        console.show(work)
        if console.showsPlainProgress { console.note(work) }
    }
}

extension LeaveNetworkQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool {
        try await console.confirm(introduction: introduction, question, byDefault: true)
    }
}

extension NetworkChoiceQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> String? {
        let rows = names.enumerated().map { index, name -> [DisplayText] in ["\(index + 1)", "\(name)"] }
        while true {
            let line = try await console.ask(introduction: TextTable.render(rows), "Which network? [1-\(names.count)] ")
            guard let line else { return nil }
            if let name = Self.name(in: names, chosenBy: line) { return name }
        }
    }

    /// Returns the name whose number a person has typed, counted from 1; nil for none.
    static func name(in names: [String], chosenBy line: String) -> String? {
        guard let number = Int(line.filter { !$0.isWhitespace }), (1...names.count).contains(number) else { return nil }
        return names[number - 1]
    }
}

extension NetworkPasswordQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Answer {
        while true {
            guard let line = try await console.ask("Password of \(name): ") else { return nil }
            if let network = network(password: line) { return network }
            console.tell("The password has twelve letters and digits; the other screen shows it. Please try again.")
        }
    }
}

extension JoinByHandQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Answer {
        guard console.canAsk else { return .notAsked }
        let line = try await console.ask(introduction: introduction, "Press Enter when this laptop is in it: ")
        return line == nil ? .declined : .joined
    }
}
