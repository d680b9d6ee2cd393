import PeerProtocol
import Testing

/// How the transfer ends: every event in every state, and what the table cannot hold.
@Suite struct SenderEndTests: SenderSuite {
    @Test(arguments: State.allCases)
    func receivedAcknowledgement(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: Conversation.End =
            state == .awaitingAcknowledgement ? .completed(Sample.acknowledgement) : outOfTurn(.acknowledgement)
        expect(machine.receivedAcknowledgement(Sample.acknowledgement), equals: state == .ended ? .none : .end(end))
        expectEnd(machine, end, in: state)
    }

    @Test(
        arguments: State.allCases,
        [FrameType.hello, .ping, .accept, .manifest, .digests, .data, .done, .pieceList]
    )
    func receivedOther(state: State, type: FrameType) throws {
        var machine = try Self.machine(in: state)
        expect(machine.receivedOther(type), equals: state == .ended ? .none : .end(outOfTurn(type)))
        expectEnd(machine, outOfTurn(type), in: state)
    }

    /// The events that end the transfer wherever it is.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: Conversation.End
        let event: @Sendable (inout SenderStateMachine) -> OnTransferEvent
    }

    static let endings = [
        Ending(testDescription: "receivedCancel", end: .cancelledByPeer(Sample.cancellation)) {
            $0.receivedCancel(Sample.cancellation)
        },
        Ending(testDescription: "receivedFailure", end: .failedByPeer(Sample.failure)) {
            $0.receivedFailure(Sample.failure)
        },
        Ending(testDescription: "receivedInvalid", end: .violated(Sample.error)) { $0.receivedInvalid(Sample.error) },
        Ending(testDescription: "cancel", end: .cancelled(Sample.cancellation)) { $0.cancel(Sample.cancellation) },
        Ending(testDescription: "fail", end: .failed(Sample.failure)) { $0.fail(Sample.failure) },
        Ending(testDescription: "transportClosed", end: .connectionLost) { $0.transportClosed() },
    ]

    @Test(arguments: State.allCases, endings)
    func endsWherever(state: State, ending: Ending) throws {
        var machine = try Self.machine(in: state)
        expect(ending.event(&machine), equals: state == .ended ? .none : .end(ending.end))
        expectEnd(machine, ending.end, in: state)
        expect(ending.event(&machine), equals: .none)
        expectEnd(machine, ending.end, in: state)
    }

    @Test func refusesAnAcknowledgementOfSomethingElse() throws {
        var machine = try Self.machine(in: .awaitingAcknowledgement)
        var acknowledgement = Sample.acknowledgement
        acknowledgement.id = Sample.otherID
        expect(machine.receivedAcknowledgement(acknowledgement), equals: .end(outOfTurn(.acknowledgement)))
    }

    @Test(arguments: State.allCases) func knowsWhenItDoesNotKnow(state: State) throws {
        let mayBeCommitted = state == .awaitingAcknowledgement || state == .awaitingConfirmation
        let ends: [(expected: Bool, end: (inout SenderStateMachine) -> Void)] = [
            (mayBeCommitted, { _ = $0.transportClosed() }),
            (mayBeCommitted, { _ = $0.cancel(Cancellation(reason: "x")) }),
            (mayBeCommitted, { _ = $0.fail(Failure(code: "timedOut", message: "x")) }),
            (false, { _ = $0.receivedInvalid(ProtocolError(.unexpectedFrame, "x")) }),
            (false, { _ = $0.receivedFailure(Failure(code: "failed", message: "x")) }),
            (false, { _ = $0.receivedCancel(Cancellation(reason: "x")) }),
        ]
        for (expected, end) in ends {
            var machine = try Self.machine(in: state)
            end(&machine)
            #expect(machine.isOutcomeUnknown == expected)
        }
        var machine = try Self.machine(in: .awaitingAcknowledgement)
        _ = machine.receivedAcknowledgement(Sample.acknowledgement)
        #expect(!machine.isOutcomeUnknown)
    }
}
