import MapPages
import PeerCore
package import RegionSharing
import SharingReports

extension WindowPerson {
    /// Says what happens to the Wi-Fi.
    package func tell(_ happening: NetworkHappening) {
        switch happening {
        case .leaving(let question): note(question.introduction)
        case .needsAdministrator:
            note("NetworkManager asks for the password of an administrator. Type it within a minute.")
        case .working(nil): show(nil)
        case .working(.looking): show("Looking for Wi-Fi networks of senders …")
        case .working(.making(let name)): show("Making the Wi-Fi network \(name) …")
        case .working(.joining(let name)): show("Joining the Wi-Fi network \(name) …")
        case .made(let network):
            sender?.show(network)
            let table = MadeNetwork.table(network.credentials.name(for: .hikeshare), network.credentials.password)
            emit(([table] + (network.hint?.window.map { [$0] } ?? [])).joined(separator: "\n"))
        case .joined(let network): note(network.text)
        case .returning(let former): note("This laptop returns to “\(former)”.")
        }
    }
}

extension LeaveNetworkQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: introduction, question)
    }
}

extension NetworkChoiceQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> String? {
        let answer = try await person.questions.ask {
            AppWindowQuestion(
                AppWindowText("Which network?"),
                form: .choice,
                choices: names.map { AppWindowQuestion.Choice(answer: $0, name: $0) }
            )
        }
        return names.contains(answer) ? answer : nil
    }
}

extension NetworkPasswordQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Answer {
        while true {
            if let network = network(password: try await person.line("Password of \(name):")) { return network }
            person.note("The password has twelve letters and digits; the other screen shows it. Please try again.")
        }
    }
}

extension JoinByHandQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Answer {
        try await person.confirm(introduction: introduction, "Is this laptop in it now?") ? .joined : .declined
    }
}
