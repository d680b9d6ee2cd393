import PeerProtocol
import Testing

/// Queries before the selection: every event in every state, and what the table cannot hold.
@Suite struct SenderSurveyTests: SenderSuite {
    private static let mayNot = Conversation.End.violated(
        ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.")
    )

    private static let mayNotQuery = Conversation.End.violated(
        ProtocolError(.unexpectedFrame, "The other side asked for pieces that it may not ask for.")
    )

    @Test(arguments: State.allCases)
    func receivedDigestQuery(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: Conversation.End? =
            switch state {
            case .offering: nil
            // It may come once.
            case .asked, .askedForPieces: Self.mayNot
            default: outOfTurn(.digestQuery)
            }
        let expected: SenderStateMachine.Action =
            if state == .ended { .none } else if let end { .end(end) } else { .sendDigests([0, 1]) }
        expect(machine.receivedDigestQuery(DigestQuery(kinds: [.waypoints, .mbtiles])), equals: expected)
        expectEnd(machine, end, in: state)
    }

    @Test(
        arguments: [[], [.routing], [.mbtiles, .routing], [.mbtiles, .mbtiles], [.manifest]] as [[ResourceKind]]
    )
    func refusesQueriesForListsThatWereNotOffered(kinds: [ResourceKind]) throws {
        var machine = try Self.machine(in: .offering)
        expect(machine.receivedDigestQuery(DigestQuery(kinds: kinds)), equals: .end(Self.mayNot))
    }

    @Test func refusesPiecesOfAResourceThatWasNotQueried() throws {
        for query in [PieceQuery(resource: 1, runs: [0..<1]), PieceQuery(resource: Int(UInt32.max), runs: [0..<1])] {
            var machine = try Self.machine(in: .asked)
            expect(machine.receivedPieceQuery(query), equals: .end(Self.mayNotQuery))
        }
    }

    @Test(arguments: [0..<1, 0..<4, 0..<0]) func asksForEachChunkOnceBeforeTheSelection(run: Range<Int>) throws {
        var machine = try Self.machine(in: .askedForPieces)
        _ = machine.piecesListed(0, Self.pieceList, until: 1)
        expect(machine.receivedPieceQuery(PieceQuery(resource: 0, runs: [run])), equals: .end(Self.mayNotQuery))
    }

    @Test func answersQueryAfterQueryWithoutARequest() throws {
        var machine = try Self.machine(in: .askedForPieces)
        for chunk in 0..<3 {
            if chunk > 0 {
                expect(
                    machine.receivedPieceQuery(PieceQuery(resource: 0, runs: [chunk..<chunk + 1])),
                    equals: .listPieces(0, try Sample.tiles.runs(chunk..<chunk + 1))
                )
            }
            let parts = [PieceListPart(resource: 0, rest: 0, bytes: Self.pieceList)]
            expect(machine.piecesListed(0, Self.pieceList, until: chunk + 1), equals: .sendPieceList(parts))
            expect(machine.piecesListed(0, Self.pieceList, until: chunk + 1), equals: .none)
        }
        expect(machine.receivedRangeRequest(Self.rangeRequest), equals: .end(outOfTurn(.rangeRequest)))
    }

    /// What was queried before the selection is answered after it, and the rounds begin anew.
    @Test func answersLateQueriesFirst() throws {
        var machine = try Self.machine(in: .askedForPieces)
        expect(machine.receivedSelection(ResourceSelection(kinds: [.mbtiles])), equals: .sendDigests([]))
        expect(machine.receivedPieceQuery(Self.query), equals: .listPieces(0, try Sample.tiles.runs(0..<1)))
        let parts = [PieceListPart(resource: 0, rest: 0, bytes: Self.pieceList)]
        expect(machine.piecesListed(0, Self.pieceList, until: 1), equals: .sendPieceList(parts))
        // The query after the selection is not answered yet, so no chunks may be requested.
        var impatient = machine
        guard case .end = impatient.receivedRequest(Self.request) else {
            Issue.record("accepted")
            return
        }
        expect(machine.piecesListed(0, Self.pieceList, until: 1), equals: .sendPieceList(parts))
        expect(
            machine.receivedRangeRequest(Self.rangeRequest),
            equals: .sendRanges(0, try Sample.tiles.pages(1..<3))
        )
    }

    @Test func sendsTheListsThatWereNotQueried() throws {
        for (kinds, lists) in [([.waypoints], [1]), ([.mbtiles], []), ([.mbtiles, .waypoints], [1])]
            as [([ResourceKind], [Int])]
        {
            var machine = try Self.machine(in: .asked)
            expect(machine.receivedSelection(ResourceSelection(kinds: kinds)), equals: .sendDigests(lists))
        }
    }
}
