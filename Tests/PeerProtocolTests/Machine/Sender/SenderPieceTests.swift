import PeerProtocol
import Testing

/// Rounds of comparing pages: every event in every state, and what the table cannot hold.
@Suite struct SenderPageTests: SenderSuite {
    @Test(arguments: State.allCases)
    func receivedPageQuery(state: State) throws {
        var machine = try Self.machine(in: state)
        let mayNot = ConversationEnd.violated(
            ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.")
        )
        let expected: SenderStateMachine.OnReceivedPageQuery =
            switch state {
            case .transferring: .hashPages(0, try Sample.tiles.runs(0..<1))
            case .asked: .hashPages(0, try Sample.tiles.runs(0..<1))
            // The first chunk was queried already.
            case .askedForPages, .hashing, .listed, .paged, .requested: .end(mayNot)
            case .idle, .offering, .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.pageQuery))
            case .ended: .none
            }
        expect(machine.receivedPageQuery(Self.query), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedAQueryBehindTheFirst(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnReceivedPageQuery? =
            switch state {
            case .asked, .transferring, .paged: .hashPages(0, try Sample.tiles.runs(1..<3))
            case .ended: SenderStateMachine.OnReceivedPageQuery.none
            default: nil
            }
        let action = machine.receivedPageQuery(PageQuery(resource: 0, runs: [1..<3]))
        if let expected {
            expect(action, equals: expected)
        } else if case .end(.violated(let error)) = action {
            #expect(error.code == .unexpectedFrame)
        } else {
            Issue.record("\(action)")
        }
    }

    @Test(arguments: State.allCases)
    func pagesHashed(state: State) throws {
        var machine = try Self.machine(in: state)
        let digests = Sample.tiles.pageDigests(0..<1)
        let list = PageDigestList(resource: 0, digests: digests)
        let isHashing = state == .hashing || state == .askedForPages
        expect(machine.pagesHashed(0, digests), equals: isHashing ? .sendPageDigests(list) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPageRequest(state: State) throws {
        var machine = try Self.machine(in: state)
        let mayNot = ConversationEnd.violated(
            ProtocolError(.unexpectedFrame, "The other side requested pages that it may not request.")
        )
        let chunks = try Sample.tiles.runs(0..<1)
        let expected: SenderStateMachine.OnReceivedPageRequest =
            switch state {
            case .listed: .sendPages(0, try Sample.tiles.pages(1..<3, of: chunks), of: chunks)
            case .transferring, .hashing, .paged, .requested: .end(mayNot)
            case .idle, .offering, .asked, .askedForPages, .awaitingConfirmation,
                .awaitingAcknowledgement:
                .end(outOfTurn(.pageRequest))
            case .ended: .none
            }
        expect(machine.receivedPageRequest(Self.pageRequest), equals: expected)
    }

    @Test(arguments: [
        PageQuery(resource: 1, runs: [0..<1]), PageQuery(resource: 2, runs: [0..<1]),
        PageQuery(resource: -1, runs: [0..<1]), PageQuery(resource: Int(UInt32.max), runs: [0..<1]),
        PageQuery(resource: 0, runs: []), PageQuery(resource: 0, runs: [0..<0]), PageQuery(resource: 0, runs: [0..<4]),
        PageQuery(resource: 0, runs: [1..<2, 0..<1]), PageQuery(resource: 0, runs: [0..<2, 1..<3]),
        PageQuery(resource: 0, runs: [0..<Int(UInt32.max)]),
    ])
    func refusesQueriesForWhatDoesNotExist(query: PageQuery) throws {
        var machine = try Self.machine(in: .transferring)
        guard case .end(.violated(let error)) = machine.receivedPageQuery(query) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func refusesQueriesForMorePagesThanAllowed() throws {
        var limits = ProtocolLimits.standard
        for (maximum, isAllowed) in [(6, true), (5, false)] {
            limits.maximumPageCount = maximum
            var machine = SenderStateMachine(manifest: try Sample.manifest(), limits: limits)
            _ = machine.start()
            _ = machine.receivedSelection(ResourceSelection(kinds: [.mbtiles]))
            let action = machine.receivedPageQuery(PageQuery(resource: 0, runs: [0..<1, 2..<3]))
            #expect((action == .hashPages(0, try Sample.tiles.runs(0..<1, 2..<3))) == isAllowed)
            #expect((machine.end == nil) == isAllowed)
        }
    }

    @Test(arguments: [
        PageRequest(resource: 1, runs: []), PageRequest(resource: -1, runs: []),
        PageRequest(resource: 0, runs: [3..<5]), PageRequest(resource: 0, runs: [4..<5]),
        PageRequest(resource: 0, runs: [8..<9]), PageRequest(resource: 0, runs: [1..<1]),
        PageRequest(resource: 0, runs: [1..<2, 0..<1]), PageRequest(resource: 0, runs: [0..<2, 1..<3]),
        PageRequest(resource: 0, runs: [0..<Int(UInt32.max)]),
    ])
    func refusesRequestsForPagesThatWereNotQueried(request: PageRequest) throws {
        var machine = try Self.machine(in: .listed)
        guard case .end(.violated(let error)) = machine.receivedPageRequest(request) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func noPageDiffersAndTheNextRoundBegins() throws {
        var machine = try Self.machine(in: .listed)
        let chunks = try Sample.tiles.runs(0..<1)
        expect(
            machine.receivedPageRequest(PageRequest(resource: 0, runs: [])),
            equals: .sendPages(0, .none, of: chunks)
        )
        expect(
            machine.receivedPageQuery(PageQuery(resource: 0, runs: [2..<3])),
            equals: .hashPages(0, try Sample.tiles.runs(2..<3))
        )
    }
}
