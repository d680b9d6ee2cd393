import FoundationEssentials
package import PeerCore
package import RegionStore
import Synchronization

/// Decides on invitations, and tells and records their outcome.
package final class InvitationDecider: Sendable {
    private let personal: PersonalContent
    private let store: RegionStore
    private let person: any Person
    private let machine: Mutex<SendingStateMachine>

    /// Creates a decider that performs what the state machine decides.
    package init(_ machine: SendingStateMachine, personal: PersonalContent, store: RegionStore, person: any Person) {
        (self.personal, self.store, self.person) = (personal, store, person)
        self.machine = Mutex(machine)
    }

    /// Lets the machine decide on something.
    func with<Result: Sendable>(_ body: (inout SendingStateMachine) -> Result) -> Result {
        machine.withLock { body(&$0) }
    }

    /// Decides on an invitation: asks, unless the peer is admitted or every peer is accepted.
    package func decide(_ invitation: Invitation) async -> InvitationAnswer {
        let peer = invitation.peer
        let question = try? InvitationQuestion(invitation, to: with { $0.regions }, personal)
        let action = with { $0.invited(peer, question, at: Date()) }
        if let question {
            let isWelcome = if case .accept = action { true } else { false }
            person.tell(.sending(.invited(question, isWelcome: isWelcome)))
        }
        switch action {
        case .accept: return .accept
        case .decline(let why): return .decline(why.refusal)
        case .ask(let question):
            // It is withdrawn when the peer is gone, when the time is over, or when this side stops.
            let answer = try? await person.ask(question)
            return with { $0.answered(answer, about: peer, at: Date()) }
        }
    }

    /// Tells the result of a transfer, and records the transfer in the store if the peer was accepted.
    ///
    /// - Parameter isLast: Whether the conversation is over; if not, the receiver has picked more regions.
    @discardableResult
    package func finish(_ finished: TransferSender.Finished, isLast: Bool = true) -> Bool {
        let (action, goesOn) = with { ($0.finished(finished, isLast: isLast, at: Date()), $0.end == nil) }
        if let told = action.told { person.tell(.sending(.sent(told))) }
        guard let entry = action.entry else { return goesOn }
        record { try store.record(entry) }
        // In plain text, nothing proves the peer's identity.
        if let id = finished.peer?.security.certifiedID {
            record { _ = try store.trustedPeers.recordTransfer(with: id, isNew: false) }
        }
        return goesOn
    }

    /// Records something; the transfer is complete, so an error does not make it a failure.
    private func record(_ body: () throws -> Void) {
        do { try body() } catch { person.tell(.problem(error)) }
    }
}
