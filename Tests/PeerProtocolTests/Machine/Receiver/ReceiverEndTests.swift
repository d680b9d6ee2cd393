import PeerProtocol
import Testing

/// How the transfer ends: every event in every state, and what the table cannot hold.
@Suite struct ReceiverEndTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func receivedDone(state: State) throws {
        var machine = try Self.machine(in: state)
        let early = violation(
            .unexpectedFrame,
            "The other side ended the transfer before it was complete."
        )
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .stored: .commit
            case .wanted, .listed, .queried, .comparing, .arriving, .gathered, .requested, .arrived: .end(early)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .surveyingPieces, .comparingEarly,
                .committing:
                .end(outOfTurn(.done))
            case .ended: .none
            }
        expect(machine.receivedDone(Self.completion), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedTurn(state: State) throws {
        var machine = try Self.machine(in: state)
        let notice = TurnNotice(place: 3, count: 8, seconds: 120)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .idle, .committing: .end(outOfTurn(.turn))
            case .ended: .none
            default: .show(notice)
            }
        expect(machine.receivedTurn(notice), equals: expected)
    }

    @Test(arguments: State.allCases)
    func committed(state: State) throws {
        var machine = try Self.machine(in: state)
        let acknowledgement = Sample.acknowledgement
        expect(
            machine.committed(
                at: Sample.time,
                imported: acknowledgement.imported,
                keptLocal: acknowledgement.keptLocal
            ),
            equals: state == .committing ? .sendAcknowledgement(acknowledgement) : .none
        )
        expectEnd(machine, state == .committing ? .completed(acknowledgement) : nil, in: state)
    }

    @Test(
        arguments: State.allCases,
        [
            FrameType.hello, .pong, .invite, .selection, .request, .confirmation, .acknowledgement, .pieceQuery,
            .rangeRequest,
        ]
    )
    func receivedOther(state: State, type: FrameType) throws {
        var machine = try Self.machine(in: state)
        expect(machine.receivedOther(type), equals: state == .ended ? .none : .end(outOfTurn(type)))
        expectEnd(machine, outOfTurn(type), in: state)
    }

    /// The events that end the transfer wherever it is, some of them not while it commits.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: Conversation.End
        let endsACommit: Bool
        let event: @Sendable (inout ReceiverStateMachine) -> OnTransferEvent
    }

    static let endings = [
        Ending(testDescription: "receivedCancel", end: .cancelledByPeer(Sample.cancellation), endsACommit: false) {
            $0.receivedCancel(Sample.cancellation)
        },
        Ending(testDescription: "receivedFailure", end: .failedByPeer(Sample.failure), endsACommit: false) {
            $0.receivedFailure(Sample.failure)
        },
        Ending(testDescription: "cancel", end: .cancelled(Sample.cancellation), endsACommit: false) {
            $0.cancel(Sample.cancellation)
        },
        Ending(testDescription: "transportClosed", end: .connectionLost, endsACommit: false) { $0.transportClosed() },
        Ending(testDescription: "receivedInvalid", end: .violated(Sample.error), endsACommit: true) {
            $0.receivedInvalid(Sample.error)
        },
        Ending(testDescription: "fail", end: .failed(Sample.failure), endsACommit: false) { $0.fail(Sample.failure) },
    ]

    @Test(arguments: State.allCases, endings)
    func endsWherever(state: State, ending: Ending) throws {
        var machine = try Self.machine(in: state)
        let ends = state != .ended && (state != .committing || ending.endsACommit)
        expect(ending.event(&machine), equals: ends ? .end(ending.end) : .none)
        expectEnd(machine, ends ? ending.end : nil, in: state)
        expect(ending.event(&machine), equals: .none)
        expectEnd(machine, ends ? ending.end : nil, in: state)
    }

    @Test func aCommitCompletesAlthoughTheConnectionIsGone() throws {
        var machine = try Self.machine(in: .committing)
        expect(machine.transportClosed(), equals: .none)
        let acknowledgement = Acknowledgement(id: Sample.id, time: Sample.time, imported: [:], keptLocal: [:])
        expect(
            machine.committed(at: Sample.time, imported: [:], keptLocal: [:]),
            equals: .sendAcknowledgement(acknowledgement)
        )
        #expect(machine.end == .completed(acknowledgement))
    }

    @Test func aCommitThatFailsIsTheEnd() throws {
        var machine = try Self.machine(in: .committing)
        #expect(machine.finish(.failed(Sample.failure)) == .failed(Sample.failure))
        #expect(machine.end == .failed(Sample.failure))
    }

    @Test func refusesTheEndOfAnotherTransfer() throws {
        var machine = try Self.machine(in: .stored)
        guard case .end(.violated(let error)) = machine.receivedDone(Completion(id: Sample.otherID)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }
}
