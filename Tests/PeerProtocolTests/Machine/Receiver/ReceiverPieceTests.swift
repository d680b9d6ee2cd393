import FoundationEssentials
import PeerProtocol
import Testing

/// Rounds of comparing pages: every event in every state.
@Suite struct ReceiverPageTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func chunksLocatedOfWhichSomeCanBeCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let query = PageQuery(resource: 0, runs: [1..<2])
        expect(
            machine.chunksLocated(0, missing: try Sample.tiles.runs(1..<3), comparable: try Sample.tiles.runs(1..<2)),
            equals: [.listed, .surveying].contains(state) ? .sendPageQuery(query) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPageDigests(state: State) throws {
        var machine = try Self.machine(in: state)
        let unasked = violation(
            .unexpectedFrame,
            "The other side sent digests of pages that were not requested."
        )
        let expected: ReceiverStateMachine.OnReceivedPageDigests =
            switch state {
            case .queried, .surveyingPages: .comparePages(0, try Sample.tiles.runs(0..<1, 2..<3))
            case .comparingEarly: .end(unasked)
            case .wanted, .listed, .comparing, .arriving, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .committing:
                .end(outOfTurn(.pageDigests))
            case .ended: .none
            }
        expect(machine.receivedPageDigests(Self.pageDigests), equals: expected)
    }

    @Test(arguments: State.allCases)
    func pagesCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: ReceiverStateMachine.OnChunksLocated =
            switch state {
            case .comparing: .sendPageRequest(PageRequest(resource: 0, runs: [1..<3, 9..<10]))
            case .comparingEarly: .finishEstimate(0)
            default: .none
            }
        expect(machine.pagesCompared(0, differing: try Self.differing()), equals: expected)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPages(state: State) throws {
        var machine = try Self.machine(in: state)
        #expect(machine.isAwaitingData == [.arriving, .requested].contains(state))
        let unasked = violation(.unexpectedFrame, "The other side sent data that was not requested.")
        let expected: ReceiverStateMachine.OnReceivedData =
            switch state {
            case .arriving: .assemble(0)
            case .wanted, .listed, .queried, .comparing, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .surveyingPages, .comparingEarly,
                .committing:
                .end(outOfTurn(.data))
            case .ended: .none
            }
        expect(machine.receivedData(Self.firstPages), equals: expected)
    }

    @Test(arguments: State.allCases)
    func chunksAssembled(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [])
        expect(
            machine.chunksAssembled(0, except: .none),
            equals: state == .gathered ? .sendRequestAndStore(request) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func chunksAssembledButForOne(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [2..<3])
        expect(
            machine.chunksAssembled(0, except: try Sample.tiles.runs(2..<3)),
            equals: state == .gathered ? .sendRequest(request) : .none
        )
        expectEnd(machine, nil, in: state)
    }
}
