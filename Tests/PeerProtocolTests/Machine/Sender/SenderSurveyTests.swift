import PeerProtocol
import Testing

/// Queries before the selection: every event in every state, and what the table cannot hold.
@Suite struct SenderSurveyTests: SenderSuite {
    private static let mayNot = ConversationEnd.violated(
        ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.")
    )

    @Test(arguments: State.allCases)
    func receivedDigestQuery(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: ConversationEnd? =
            switch state {
            case .offering: nil
            // It may come once.
            case .asked, .askedForPages: Self.mayNot
            default: outOfTurn(.digestQuery)
            }
        let expected: SenderStateMachine.OnReceivedDigestQuery =
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

    @Test func refusesPagesOfAListThatWasNotQueried() throws {
        for query in [PageQuery(resource: 1, runs: [0..<1]), PageQuery(resource: Int(UInt32.max), runs: [0..<1])] {
            var machine = try Self.machine(in: .asked)
            expect(machine.receivedPageQuery(query), equals: .end(Self.mayNot))
        }
    }

    @Test(arguments: [0..<1, 0..<4, 0..<0]) func asksForEachChunkOnceBeforeTheSelection(run: Range<Int>) throws {
        var machine = try Self.machine(in: .askedForPages)
        _ = machine.pagesHashed(0, Sample.tiles.pageDigests(0..<1))
        expect(machine.receivedPageQuery(PageQuery(resource: 0, runs: [run])), equals: .end(Self.mayNot))
    }

    @Test func answersQueryAfterQueryWithoutARequest() throws {
        var machine = try Self.machine(in: .askedForPages)
        for chunk in 0..<3 {
            if chunk > 0 {
                expect(
                    machine.receivedPageQuery(PageQuery(resource: 0, runs: [chunk..<chunk + 1])),
                    equals: .hashPages(0, try Sample.tiles.runs(chunk..<chunk + 1))
                )
            }
            let list = PageDigestList(resource: 0, digests: Sample.tiles.pageDigests(chunk..<chunk + 1))
            expect(machine.pagesHashed(0, list.digests), equals: .sendPageDigests(list))
            expect(machine.pagesHashed(0, list.digests), equals: .none)
        }
        expect(machine.receivedPageRequest(Self.pageRequest), equals: .end(outOfTurn(.pageRequest)))
    }

    /// What was queried before the selection is answered after it, and the rounds begin anew.
    @Test func answersLateQueriesFirst() throws {
        var machine = try Self.machine(in: .askedForPages)
        expect(machine.receivedSelection(ResourceSelection(kinds: [.mbtiles])), equals: .sendDigests([]))
        expect(machine.receivedPageQuery(Self.query), equals: .hashPages(0, try Sample.tiles.runs(0..<1)))
        let list = PageDigestList(resource: 0, digests: Sample.tiles.pageDigests(0..<1))
        expect(machine.pagesHashed(0, list.digests), equals: .sendPageDigests(list))
        // The query after the selection is not answered yet, so no pages may be requested.
        var impatient = machine
        guard case .end = impatient.receivedPageRequest(Self.pageRequest) else {
            Issue.record("accepted")
            return
        }
        expect(machine.pagesHashed(0, list.digests), equals: .sendPageDigests(list))
        let chunks = try Sample.tiles.runs(0..<1)
        expect(
            machine.receivedPageRequest(Self.pageRequest),
            equals: .sendPages(0, try Sample.tiles.pages(1..<3, of: chunks), of: chunks)
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
