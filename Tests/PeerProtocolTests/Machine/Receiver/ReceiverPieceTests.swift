import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// Rounds of looking for pieces: every event in every state.
@Suite struct ReceiverPieceTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func chunksLocatedOfWhichSomeCanBeCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let query = PieceQuery(resource: 0, runs: [1..<2])
        expect(
            machine.chunksLocated(0, missing: try Sample.tiles.runs(1..<3), comparable: try Sample.tiles.runs(1..<2)),
            equals: [.listed, .surveying].contains(state) ? .sendPieceQuery(query) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPieceList(state: State) throws {
        var machine = try Self.machine(in: state)
        let unasked = violation(
            .unexpectedFrame,
            "The other side sent a list of pieces that was not requested."
        )
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .queried, .surveyingPieces: .readList(0, try Self.received())
            case .comparingEarly: .end(unasked)
            case .wanted, .listed, .comparing, .arriving, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .committing:
                .end(outOfTurn(.pieceList))
            case .ended: .none
            }
        expect(machine.receivedPieceList(Self.pieceList), equals: expected)
    }

    /// Until a list begins, the sender works on its disk; then it owes the rest.
    @Test func theRestOfAListIsAwaitedOnceItHasBegun() throws {
        var machine = try Self.machine(in: .queried)
        #expect(!machine.isAwaitingData)
        let bytes = ByteBuffer(repeating: 0, count: PieceListPart.maximumLength)
        expect(
            machine.receivedPieceList(PieceListPart(resource: 0, rest: 1, bytes: bytes)),
            equals: .none
        )
        #expect(machine.isAwaitingData)
    }

    @Test(arguments: State.allCases)
    func piecesCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .comparing: .sendRangeRequests(0, chunks, try Self.missing(), ready: [])
            case .comparingEarly: .finishEstimate(0, isComplete: true)
            default: .none
            }
        expect(machine.piecesCompared(0, chunks, missing: try Self.missing()), equals: expected)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPages(state: State) throws {
        var machine = try Self.machine(in: state)
        #expect(machine.isAwaitingData == [.arriving, .requested].contains(state))
        let unasked = violation(.unexpectedFrame, "The other side sent data that was not requested.")
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .arriving: .none
            case .wanted, .listed, .queried, .comparing, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .surveyingPieces, .comparingEarly,
                .committing:
                .end(outOfTurn(.data))
            case .ended: .none
            }
        expect(machine.receivedData(Self.firstPages), equals: expected)
    }

    @Test(arguments: State.allCases)
    func chunksCombined(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [])
        expect(
            machine.chunksCombined(0, except: []),
            equals: state == .gathered ? .sendRequestAndStore(request) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func chunksCombinedButForOne(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [2..<3])
        expect(
            machine.chunksCombined(0, except: [2]),
            equals: state == .gathered ? .sendRequest(request) : .none
        )
        expectEnd(machine, nil, in: state)
    }
}
