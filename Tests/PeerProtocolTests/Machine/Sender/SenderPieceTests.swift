import PeerProtocol
import Testing

/// Queries for pieces, and requests for their bytes: every event in every state, and what the table cannot hold.
@Suite struct SenderPieceTests: SenderSuite {
    private static let mayNotQuery = Conversation.End.violated(
        ProtocolError(.unexpectedFrame, "The other side asked for pieces that it may not ask for.")
    )
    private static let mayNotRequest = Conversation.End.violated(
        ProtocolError(.unexpectedFrame, "The other side requested bytes that it may not request.")
    )

    @Test(arguments: State.allCases)
    func receivedPieceQuery(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action =
            switch state {
            case .transferring, .asked: .listPieces(0, try Sample.tiles.runs(0..<1))
            // The first chunk was listed already.
            case .askedForPieces, .listing, .listed, .ranged, .requested: .end(Self.mayNotQuery)
            case .idle, .offering, .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.pieceQuery))
            case .ended: .none
            }
        expect(machine.receivedPieceQuery(Self.query), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedAQueryBehindTheFirst(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action? =
            switch state {
            case .asked, .transferring, .listed, .ranged: .listPieces(0, try Sample.tiles.runs(1..<3))
            case .ended: SenderStateMachine.Action.none
            default: nil
            }
        let action = machine.receivedPieceQuery(PieceQuery(resource: 0, runs: [1..<3]))
        if let expected {
            expect(action, equals: expected)
        } else if case .end(.violated(let error)) = action {
            #expect(error.code == .unexpectedFrame)
        } else {
            Issue.record("\(action)")
        }
    }

    @Test(arguments: State.allCases)
    func piecesListed(state: State) throws {
        var machine = try Self.machine(in: state)
        let parts = [PieceListPart(resource: 0, rest: 0, bytes: Self.pieceList)]
        let isListing = state == .listing || state == .askedForPieces
        expect(machine.piecesListed(0, Self.pieceList, until: 1), equals: isListing ? .sendPieceList(parts) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedRangeRequest(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action =
            switch state {
            // A list from before the selection serves, so there need not be one after it.
            case .transferring, .listing, .listed: .sendRanges(0, try Sample.tiles.pages(1..<3))
            // These bytes were requested already, or chunks were.
            case .ranged, .requested: .end(Self.mayNotRequest)
            case .idle, .offering, .asked, .askedForPieces, .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.rangeRequest))
            case .ended: .none
            }
        expect(machine.receivedRangeRequest(Self.rangeRequest), equals: expected)
    }

    @Test(arguments: [
        PieceQuery(resource: 1, runs: [0..<1]), PieceQuery(resource: 2, runs: [0..<1]),
        PieceQuery(resource: -1, runs: [0..<1]), PieceQuery(resource: Int(UInt32.max), runs: [0..<1]),
        PieceQuery(resource: 0, runs: []), PieceQuery(resource: 0, runs: [0..<0]),
        PieceQuery(resource: 0, runs: [0..<4]), PieceQuery(resource: 0, runs: [1..<2, 0..<1]),
        PieceQuery(resource: 0, runs: [0..<2, 1..<3]), PieceQuery(resource: 0, runs: [0..<Int(UInt32.max)]),
    ])
    func refusesQueriesForWhatDoesNotExist(query: PieceQuery) throws {
        var machine = try Self.machine(in: .transferring)
        expect(machine.receivedPieceQuery(query), equals: .end(Self.mayNotQuery))
    }

    /// A list may cover a part of its query; the next query begins where it ended.
    @Test func theNextQueryBeginsBehindTheList() throws {
        for (first, isAllowed) in [(1, false), (2, true)] {
            var machine = try Self.machine(in: .transferring)
            _ = machine.receivedPieceQuery(PieceQuery(resource: 0, runs: [0..<3]))
            _ = machine.piecesListed(0, Self.pieceList, until: 2)
            let action = machine.receivedPieceQuery(PieceQuery(resource: 0, runs: [first..<3]))
            expect(action, equals: isAllowed ? .listPieces(0, try Sample.tiles.runs(2..<3)) : .end(Self.mayNotQuery))
        }
    }

    @Test(arguments: [
        RangeRequest(resource: 1, runs: [0..<1]), RangeRequest(resource: -1, runs: [0..<1]),
        RangeRequest(resource: 0, runs: []), RangeRequest(resource: 0, runs: [3..<3]),
        RangeRequest(resource: 0, runs: [100..<200, 0..<1]), RangeRequest(resource: 0, runs: [0..<200, 100..<300]),
        // Nearer to each other than what it costs to begin a run.
        RangeRequest(resource: 0, runs: [0..<1, 32..<33]), RangeRequest(resource: 0, runs: [0..<100, 100..<200]),
        RangeRequest(resource: 0, runs: [39_999..<40_001]), RangeRequest(resource: 0, runs: [0..<UInt64.max]),
    ])
    func refusesRequestsForWhatDoesNotExist(request: RangeRequest) throws {
        var machine = try Self.machine(in: .listed)
        expect(machine.receivedRangeRequest(request), equals: .end(Self.mayNotRequest))
    }

    @Test func eachByteIsRequestedOnce() throws {
        var machine = try Self.machine(in: .ranged)
        let next = RangeRequest(resource: 0, runs: [12_288..<12_289, 12_321..<12_322])
        #expect(machine.receivedRangeRequest(next) != .none)
        #expect(machine.end == nil)
        let again = RangeRequest(resource: 0, runs: [12_321..<12_400])
        expect(machine.receivedRangeRequest(again), equals: .end(Self.mayNotRequest))
    }

    @Test func onlySoManyRequestsWait() throws {
        var machine = try Self.machine(in: .listed)
        for start in 0..<UInt64(64) {
            let action = machine.receivedRangeRequest(RangeRequest(resource: 0, runs: [start..<start + 1]))
            expect(
                action,
                equals: .sendRanges(0, try #require(Sample.tiles.layout.byteRuns(validating: [start..<start + 1])))
            )
        }
        var patient = machine
        patient.rangesSent(0)
        for (isAllowed, waiting) in [(false, machine), (true, patient)] {
            var machine = waiting
            let action = machine.receivedRangeRequest(RangeRequest(resource: 0, runs: [64..<65]))
            if case .sendRanges = action { #expect(isAllowed) } else { #expect(!isAllowed) }
        }
    }
}
