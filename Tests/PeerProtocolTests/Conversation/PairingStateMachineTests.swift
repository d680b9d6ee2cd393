import PeerProtocol
import Testing

@Suite struct PairingStateMachineTests {
    /// Every state of both sides, reached by legal events only.
    enum State: CaseIterable, Sendable {
        case senderIdle
        case senderCommitted
        case senderComparing
        case senderConfirmed
        case senderConfirmedByPeer
        case senderConfirmedByBoth
        case senderAnswered
        case receiverWaiting
        case receiverWaitingRequired
        case receiverAwaitingReveal
        case receiverComparing
        case receiverConfirmed
        case receiverConfirmedByPeer
        case receiverConfirmedByBoth
        case receiverAnswered
        case receiverSkipped
        case failed

        var isComparing: Bool {
            switch self {
            case .senderComparing, .senderConfirmed, .senderConfirmedByPeer, .senderConfirmedByBoth, .senderAnswered,
                .receiverComparing, .receiverConfirmed, .receiverConfirmedByPeer, .receiverConfirmedByBoth,
                .receiverAnswered:
                true
            default:
                false
            }
        }

        var isConfirmedHere: Bool {
            [.senderConfirmed, .senderConfirmedByBoth, .receiverConfirmed, .receiverConfirmedByBoth].contains(self)
        }

        var isConfirmedByPeer: Bool {
            [.senderConfirmedByPeer, .senderConfirmedByBoth, .receiverConfirmedByPeer, .receiverConfirmedByBoth]
                .contains(self)
        }
    }

    static let commitment = PairingCommitment(Sample.senderNonce.commitment)
    static let nonce = PairingDisclosure(Sample.receiverNonce)
    static let reveal = PairingDisclosure(Sample.senderNonce)
    static let digits = PairingDigits(digits: "099254")

    static func machine(in state: State) -> PairingStateMachine {
        switch state {
        case .senderIdle, .senderCommitted, .senderComparing, .senderConfirmed, .senderConfirmedByPeer,
            .senderConfirmedByBoth, .senderAnswered:
            var machine = PairingStateMachine(role: .sender, parties: Sample.parties, nonce: Sample.senderNonce)
            if state == .senderIdle { return machine }
            _ = machine.start()
            if state == .senderCommitted { return machine }
            _ = machine.receivedNonce(nonce)
            confirm(&machine, in: state)
            if state == .senderAnswered { _ = machine.receivedAnswer(.selection) }
            return machine
        case .receiverWaiting, .receiverWaitingRequired, .receiverAwaitingReveal, .receiverComparing,
            .receiverConfirmed, .receiverConfirmedByPeer, .receiverConfirmedByBoth, .receiverAnswered,
            .receiverSkipped:
            var machine = PairingStateMachine(
                role: .receiver(isRequired: state == .receiverWaitingRequired),
                parties: Sample.parties,
                nonce: Sample.receiverNonce
            )
            if state == .receiverSkipped { _ = machine.receivedAnswer(.accept) }
            if [.receiverWaiting, .receiverWaitingRequired, .receiverSkipped].contains(state) { return machine }
            _ = machine.receivedCommitment(commitment)
            if state == .receiverAwaitingReveal { return machine }
            _ = machine.receivedReveal(reveal)
            confirm(&machine, in: state)
            if state == .receiverAnswered { _ = machine.receivedAnswer(.accept) }
            return machine
        case .failed:
            var machine = PairingStateMachine(role: .sender, parties: Sample.parties, nonce: Sample.senderNonce)
            _ = machine.receivedReveal(reveal)
            return machine
        }
    }

    private static func confirm(_ machine: inout PairingStateMachine, in state: State) {
        if state.isConfirmedHere { _ = machine.confirmed() }
        if state.isConfirmedByPeer { _ = machine.receivedConfirmation() }
    }

    private func outOfTurn(_ type: FrameType) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }

    @Test(arguments: State.allCases) func hasDigitsOnlyWhileComparing(state: State) {
        let machine = Self.machine(in: state)
        #expect(machine.digits == (state.isComparing ? Self.digits : nil))
        #expect(machine.isConfirmedByPeer == state.isConfirmedByPeer)
        let hasNotBegun: [State] = [.senderIdle, .receiverWaiting, .receiverWaitingRequired, .receiverSkipped]
        #expect(machine.hasBegun == !hasNotBegun.contains(state))
    }

    @Test(arguments: State.allCases) func start(state: State) {
        var machine = Self.machine(in: state)
        expect(machine.start(), equals: state == .senderIdle ? .sendCommitment(Self.commitment) : .none)
    }

    @Test(arguments: State.allCases) func receivedCommitment(state: State) {
        var machine = Self.machine(in: state)
        let isLegal = state == .receiverWaiting || state == .receiverWaitingRequired
        expect(
            machine.receivedCommitment(Self.commitment),
            equals: isLegal ? .sendNonce(Self.nonce) : .fail(outOfTurn(.pairingCommitment))
        )
        if !isLegal { #expect(machine.digits == nil) }
    }

    @Test(arguments: State.allCases) func receivedNonce(state: State) throws {
        var machine = Self.machine(in: state)
        let digits = try #require(Self.digits)
        let isLegal = state == .senderCommitted
        expect(
            machine.receivedNonce(Self.nonce),
            equals: isLegal ? .sendReveal(Self.reveal, digits) : .fail(outOfTurn(.pairingNonce))
        )
        #expect(machine.digits == (isLegal ? digits : nil))
    }

    @Test(arguments: State.allCases) func receivedReveal(state: State) throws {
        var machine = Self.machine(in: state)
        let digits = try #require(Self.digits)
        let isLegal = state == .receiverAwaitingReveal
        expect(
            machine.receivedReveal(Self.reveal),
            equals: isLegal ? .show(digits) : .fail(outOfTurn(.pairingReveal))
        )
        #expect(machine.digits == (isLegal ? digits : nil))
    }

    @Test(arguments: State.allCases) func confirmed(state: State) {
        var machine = Self.machine(in: state)
        let expected: PairingStateMachine.OnConfirmed =
            switch state {
            case _ where !state.isComparing || state.isConfirmedHere: .none
            case _ where state.isConfirmedByPeer: .sendConfirmationAndPin
            default: .sendConfirmation
            }
        expect(machine.confirmed(), equals: expected)
        expect(machine.confirmed(), equals: .none)
    }

    @Test(arguments: State.allCases) func receivedConfirmation(state: State) {
        var machine = Self.machine(in: state)
        let expected: PairingStateMachine.OnReceivedConfirmation =
            switch state {
            case .senderComparing, .receiverComparing: .none
            case .senderConfirmed, .receiverConfirmed: .pin
            default: .fail(outOfTurn(.pairingConfirmation))
            }
        expect(machine.receivedConfirmation(), equals: expected)
        expect(machine.receivedConfirmation(), equals: .fail(outOfTurn(.pairingConfirmation)))
    }

    @Test(arguments: State.allCases) func receivedAnswer(state: State) {
        var machine = Self.machine(in: state)
        let isLegal = state.isComparing || state == .receiverWaiting || state == .receiverSkipped
        expect(machine.receivedAnswer(.accept), equals: isLegal ? .proceed : .fail(outOfTurn(.accept)))
        // What was not confirmed before the answer never is.
        expect(machine.receivedConfirmation(), equals: .fail(outOfTurn(.pairingConfirmation)))
    }

    @Test func aRevealThatIsNotWhatTheCommitmentSaysFails() {
        var machine = Self.machine(in: .receiverAwaitingReveal)
        guard case .fail(let error) = machine.receivedReveal(PairingDisclosure(Sample.nonce(0x21))) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .pairingMismatch)
        #expect(machine.digits == nil)
        // There is no second try.
        expect(machine.receivedReveal(Self.reveal), equals: .fail(outOfTurn(.pairingReveal)))
        expect(machine.confirmed(), equals: .none)
    }

    @Test func bothSidesHaveTheSameDigitsAndPinOnlyTogether() {
        var sender = Self.machine(in: .senderIdle)
        var receiver = Self.machine(in: .receiverWaitingRequired)
        guard case .sendCommitment(let commitment) = sender.start(),
            case .sendNonce(let nonce) = receiver.receivedCommitment(commitment),
            case .sendReveal(let reveal, let shown) = sender.receivedNonce(nonce)
        else {
            Issue.record("refused")
            return
        }
        expect(receiver.receivedReveal(reveal), equals: .show(shown))
        expect(sender.confirmed(), equals: .sendConfirmation)
        expect(receiver.receivedConfirmation(), equals: .none)
        expect(receiver.receivedAnswer(.accept), equals: .proceed)
        expect(receiver.confirmed(), equals: .sendConfirmationAndPin)
        expect(sender.receivedConfirmation(), equals: .pin)
    }
}
