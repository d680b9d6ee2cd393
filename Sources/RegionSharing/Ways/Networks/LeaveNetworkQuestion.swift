import PeerCore

/// Whether the Wi-Fi card may leave its network for another one; it returns at the end.
public struct LeaveNetworkQuestion: Question, Hashable {
    /// What the other network is for.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
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

    /// Asks, or tells what happens without a question.
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
