package import NetworkManager
package import PeerCore

/// Whether the Wi-Fi card may leave its network for another one; it returns at the end.
public struct LeaveNetworkQuestion: Question, Hashable {
    /// What the other network is for.
    public enum Purpose: Hashable, Sendable {
        /// This machine makes it.
        case making
        /// A sender has made it.
        case joining
    }

    /// The name of the present network.
    public var current: String
    /// The name of the other network.
    public var name: String
    /// What it is for.
    public var purpose: Purpose

    /// No.
    public var defaultAnswer: Bool { false }

    /// Asks, or tells what happens if nobody is asked.
    ///
    /// - Throws: ``NetworkError`` if the card must stay; the error of the question.
    func settle(_ consent: Consent, _ person: any Person) async throws {
        switch consent {
        case .everything: person.tell(.networks(.leaving(self)))
        case .knownMachines: throw NetworkError.nobodyToAsk(leaving: current)
        case .person:
            guard try await person.ask(self) else {
                throw purpose == .making ? NetworkError.notMade : .notJoined
            }
        }
    }
}

/// Which network of a sender to join.
package struct NetworkChoiceQuestion: Question {
    /// The names.
    package let names: [String]

    /// None.
    package var defaultAnswer: String? { nil }
}

/// The password of a sender's network.
package struct NetworkPasswordQuestion: Question {
    /// The name of the network.
    package let name: String
    private let application: PeerServiceType

    init(of name: String, for application: PeerServiceType) {
        (self.name, self.application) = (name, application)
    }

    package var defaultAnswer: ShareLinkNetwork? { nil }

    /// Returns the network with a password that a person has typed; nil if no network has such a password.
    package func network(password: String) -> ShareLinkNetwork? {
        ShareLinkNetwork(named: name, password: password, for: application)
    }
}

/// Whether the person has joined a network, which the program cannot.
package struct JoinByHandQuestion: Question {
    /// What the person has done.
    package enum Answer: Hashable, Sendable {
        case joined
        case declined
        /// Nobody was asked.
        case notAsked
    }

    /// The name of the network.
    package var name: String
    /// Its password.
    package var password: String
    /// Why the program cannot join it.
    package var reason: NetworkManagerError

    package var defaultAnswer: Answer { .notAsked }
}
