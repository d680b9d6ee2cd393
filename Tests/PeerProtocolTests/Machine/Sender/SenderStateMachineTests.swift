import FoundationEssentials
import PeerProtocol
import Testing

/// Every event in every state, each with the action that is expected; below them, what the table cannot hold.
@Suite struct SenderStateMachineTests {
    /// Every state, reached by legal events only: the tiles are wanted, the waypoints are not.
    enum State: CaseIterable {
        case awaitingInvitation
        case invited
        case offering
        /// Nothing was requested yet.
        case transferring
        /// The pages of the first and the last chunk of the tiles are being hashed.
        case hashing
        /// Their digests were sent.
        case listed
        /// Some of these pages were requested.
        case paged
        /// The tiles were requested and are not yet sent.
        case requested
        /// All was sent, nothing is confirmed.
        case awaitingConfirmation
        /// All was sent and confirmed.
        case awaitingAcknowledgement
        case ended
    }

    static let request = ChunkRequest(resource: 0, runs: [0..<1, 2..<3])
    static let query = PageQuery(resource: 0, runs: [0..<1])
    static let pageRequest = PageRequest(resource: 0, runs: [1..<3])
    static let confirmation = Confirmation(resource: 0, digest: Sample.tiles.entry.digest)
    static let endOfTable = SessionEnd.cancelled(Cancellation(reason: "before"))

    static func machine(in state: State, selection: [ResourceKind] = [.mbtiles]) throws -> SenderStateMachine {
        var machine = SenderStateMachine(manifest: try Sample.manifest())
        if state == .ended {
            _ = machine.cancel(Cancellation(reason: "before"))
        }
        if state == .awaitingInvitation || state == .ended { return machine }
        _ = machine.receivedInvite(Sample.invitation)
        if state == .invited { return machine }
        _ = machine.invitationAnswered(nil)
        if state == .offering { return machine }
        _ = machine.receivedSelection(ResourceSelection(kinds: selection))
        if state == .transferring { return machine }
        if [.hashing, .listed, .paged].contains(state) {
            _ = machine.receivedPageQuery(query)
            if state == .hashing { return machine }
            _ = machine.pagesHashed(0, Sample.tiles.pageDigests(0..<1))
            if state == .listed { return machine }
            _ = machine.receivedPageRequest(pageRequest)
            return machine
        }
        _ = machine.receivedRequest(request)
        if state == .requested { return machine }
        _ = machine.chunksSent(0)
        if state == .awaitingConfirmation { return machine }
        _ = machine.receivedConfirmation(confirmation)
        return machine
    }

    private func outOfTurn(_ type: FrameType) -> SessionEnd {
        .violated(ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn."))
    }

    /// Checks that an end that a machine reports is also the one that it keeps.
    private func expectEnd(_ machine: SenderStateMachine, _ end: SessionEnd?, in state: State) {
        #expect(machine.end == (state == .ended ? Self.endOfTable : end))
    }

    @Test(arguments: State.allCases)
    func receivedInvite(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnReceivedInvite =
            switch state {
            case .awaitingInvitation: .ask(Sample.invitation)
            case .invited, .offering, .transferring, .hashing, .listed, .paged, .requested, .awaitingConfirmation,
                .awaitingAcknowledgement:
                .end(outOfTurn(.invite))
            case .ended: .none
            }
        expect(machine.receivedInvite(Sample.invitation), equals: expected)
        expectEnd(machine, state == .awaitingInvitation ? nil : outOfTurn(.invite), in: state)
    }

    @Test(arguments: State.allCases)
    func invitationAccepted(state: State) throws {
        var machine = try Self.machine(in: state)
        let manifest = try Sample.manifest()
        expect(machine.invitationAnswered(nil), equals: state == .invited ? .sendManifest(manifest) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func invitationDeclined(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnInvitationAnswered =
            state == .invited ? .sendDecline(Sample.refusal) : .none
        expect(machine.invitationAnswered(Sample.refusal), equals: expected)
        expectEnd(machine, state == .invited ? .declined(Sample.refusal) : nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedSelection(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnReceivedSelection =
            switch state {
            case .offering: .sendDigests([0, 1])
            case .awaitingInvitation, .invited, .transferring, .hashing, .listed, .paged, .requested,
                .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.selection))
            case .ended: .none
            }
        expect(machine.receivedSelection(ResourceSelection(kinds: [.waypoints, .mbtiles])), equals: expected)
        expectEnd(machine, state == .offering ? nil : outOfTurn(.selection), in: state)
    }

    @Test(arguments: State.allCases)
    func receivedWishesForNothing(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnReceivedSelection =
            switch state {
            case .offering: .sendDone(Completion(id: Sample.id))
            case .awaitingInvitation, .invited, .transferring, .hashing, .listed, .paged, .requested,
                .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.selection))
            case .ended: .none
            }
        expect(machine.receivedSelection(ResourceSelection(kinds: [])), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedRequest(state: State) throws {
        var machine = try Self.machine(in: state)
        let noSuchChunks = SessionEnd.violated(
            ProtocolError(.unexpectedFrame, "The other side requested chunks that do not exist.")
        )
        let expected: SenderStateMachine.OnReceivedRequest =
            switch state {
            case .transferring, .paged: .sendChunks(0, try Sample.tiles.runs(0..<1, 2..<3))
            case .hashing, .listed, .requested: .end(noSuchChunks)
            case .awaitingInvitation, .invited, .offering, .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.request))
            case .ended: .none
            }
        expect(machine.receivedRequest(Self.request), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedPageQuery(state: State) throws {
        var machine = try Self.machine(in: state)
        let mayNot = SessionEnd.violated(
            ProtocolError(.unexpectedFrame, "The other side requested digests that it may not request.")
        )
        let expected: SenderStateMachine.OnReceivedPageQuery =
            switch state {
            case .transferring: .hashPages(0, try Sample.tiles.runs(0..<1))
            // The first chunk was queried already.
            case .hashing, .listed, .paged, .requested: .end(mayNot)
            case .awaitingInvitation, .invited, .offering, .awaitingConfirmation, .awaitingAcknowledgement:
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
            case .transferring, .paged: .hashPages(0, try Sample.tiles.runs(1..<3))
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
        expect(machine.pagesHashed(0, digests), equals: state == .hashing ? .sendPageDigests(list) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedPageRequest(state: State) throws {
        var machine = try Self.machine(in: state)
        let mayNot = SessionEnd.violated(
            ProtocolError(.unexpectedFrame, "The other side requested pages that it may not request.")
        )
        let chunks = try Sample.tiles.runs(0..<1)
        let expected: SenderStateMachine.OnReceivedPageRequest =
            switch state {
            case .listed: .sendPages(0, try Sample.tiles.pages(1..<3, of: chunks), of: chunks)
            case .transferring, .hashing, .paged, .requested: .end(mayNot)
            case .awaitingInvitation, .invited, .offering, .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.pageRequest))
            case .ended: .none
            }
        expect(machine.receivedPageRequest(Self.pageRequest), equals: expected)
    }

    @Test(arguments: State.allCases)
    func chunksSent(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnChunksSent =
            state == .requested ? .sendDone(Completion(id: Sample.id)) : .none
        expect(machine.chunksSent(0), equals: expected)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedConfirmation(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.OnEvent =
            switch state {
            case .requested, .awaitingConfirmation, .ended: .none
            case .awaitingInvitation, .invited, .offering, .transferring, .hashing, .listed, .paged,
                .awaitingAcknowledgement:
                .end(outOfTurn(.confirmation))
            }
        expect(machine.receivedConfirmation(Self.confirmation), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedAcknowledgement(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: SessionEnd =
            state == .awaitingAcknowledgement ? .completed(Sample.acknowledgement) : outOfTurn(.acknowledgement)
        expect(machine.receivedAcknowledgement(Sample.acknowledgement), equals: state == .ended ? .none : .end(end))
        expectEnd(machine, end, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedDecline(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: SessionEnd = state == .offering ? .declinedByPeer(Sample.refusal) : outOfTurn(.decline)
        expect(machine.receivedDecline(Sample.refusal), equals: state == .ended ? .none : .end(end))
        expectEnd(machine, end, in: state)
    }

    @Test(
        arguments: State.allCases,
        [FrameType.hello, .ping, .accept, .manifest, .digests, .data, .done, .pageDigests]
    )
    func receivedOther(state: State, type: FrameType) throws {
        var machine = try Self.machine(in: state)
        expect(machine.receivedOther(type), equals: state == .ended ? .none : .end(outOfTurn(type)))
        expectEnd(machine, outOfTurn(type), in: state)
    }

    /// The events that end the session wherever it is.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: SessionEnd
        let event: @Sendable (inout SenderStateMachine) -> SenderStateMachine.OnEvent
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

    // What the table cannot hold.

    @Test(
        arguments: [
            [.routing], [.mbtiles, .routing], [.mbtiles, .mbtiles], [.manifest], [.done],
        ] as [[ResourceKind]]
    )
    func refusesWishesForWhatWasNotOffered(kinds: [ResourceKind]) throws {
        var machine = try Self.machine(in: .offering)
        guard case .end(.violated(let error)) = machine.receivedSelection(ResourceSelection(kinds: kinds)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
        #expect(machine.end == .violated(error))
    }

    @Test(arguments: [
        ChunkRequest(resource: 1, runs: [0..<1]), ChunkRequest(resource: 2, runs: []),
        ChunkRequest(resource: -1, runs: []),
        ChunkRequest(resource: Int(UInt32.max), runs: [0..<1]), ChunkRequest(resource: 0, runs: [0..<4]),
        ChunkRequest(resource: 0, runs: [0..<0]), ChunkRequest(resource: 0, runs: [1..<2, 0..<1]),
        ChunkRequest(resource: 0, runs: [0..<2, 1..<3]), ChunkRequest(resource: 0, runs: [0..<Int(UInt32.max)]),
    ])
    func refusesRequestsForWhatDoesNotExist(request: ChunkRequest) throws {
        var machine = try Self.machine(in: .transferring)
        guard case .end(.violated(let error)) = machine.receivedRequest(request) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
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
            _ = machine.receivedInvite(Sample.invitation)
            _ = machine.invitationAnswered(nil)
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

    @Test func answersARequestForNothingWithTheEndOnceAllIsSent() throws {
        var machine = try Self.machine(in: .transferring, selection: [.mbtiles, .waypoints])
        let nothing = ChunkRequest(resource: 1, runs: [])
        expect(machine.receivedRequest(nothing), equals: .sendChunks(1, .none))
        expect(machine.chunksSent(1), equals: .none)
        expect(machine.receivedRequest(Self.request), equals: .sendChunks(0, try Sample.tiles.runs(0..<1, 2..<3)))
        expect(machine.chunksSent(0), equals: .sendDone(Completion(id: Sample.id)))
    }

    @Test func doesNotCountWhatWasNeverAskedFor() throws {
        var machine = try Self.machine(in: .transferring)
        expect(machine.chunksSent(0), equals: .none)
        expect(machine.receivedRequest(Self.request), equals: .sendChunks(0, try Sample.tiles.runs(0..<1, 2..<3)))
    }

    @Test func confirmationsMayComeWhileOtherResourcesAreSent() throws {
        var machine = try Self.machine(in: .transferring, selection: [.mbtiles, .waypoints])
        _ = machine.receivedRequest(Self.request)
        _ = machine.chunksSent(0)
        expect(machine.receivedConfirmation(Self.confirmation), equals: .none)
        _ = machine.receivedRequest(ChunkRequest(resource: 1, runs: [0..<1]))
        expect(machine.chunksSent(1), equals: .sendDone(Completion(id: Sample.id)))
        let entry = Sample.waypoints.entry
        expect(machine.receivedConfirmation(Confirmation(resource: 1, digest: entry.digest)), equals: .none)
        expect(
            machine.receivedAcknowledgement(Sample.acknowledgement),
            equals: .end(.completed(Sample.acknowledgement))
        )
    }

    @Test(arguments: [
        Confirmation(resource: 0, digest: Sample.waypoints.entry.digest),
        Confirmation(resource: 1, digest: Sample.waypoints.entry.digest),
        Confirmation(resource: 2, digest: Sample.emptyRoutes.entry.digest),
        Confirmation(resource: -1, digest: Sample.tiles.entry.digest),
        Confirmation(resource: .max, digest: Sample.tiles.entry.digest),
    ])
    func refusesConfirmationsOfSomethingElse(confirmation: PeerProtocol.Confirmation) throws {
        for state in [State.requested, .awaitingConfirmation] {
            var machine = try Self.machine(in: state)
            expect(machine.receivedConfirmation(confirmation), equals: .end(outOfTurn(.confirmation)))
        }
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

    @Test func completesAtOnceIfNothingIsWanted() throws {
        var machine = try Self.machine(in: .offering)
        _ = machine.receivedSelection(ResourceSelection(kinds: []))
        expect(
            machine.receivedAcknowledgement(Sample.acknowledgement),
            equals: .end(.completed(Sample.acknowledgement))
        )
    }
}
