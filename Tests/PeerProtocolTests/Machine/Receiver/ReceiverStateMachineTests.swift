import FoundationEssentials
import PeerProtocol
import Testing

/// Every event in every state, each with the action that is expected; below them, what the table cannot hold.
@Suite struct ReceiverStateMachineTests {
    /// Every state, reached by legal events only: the tiles are wanted, the waypoints are not.
    enum State: CaseIterable {
        case idle
        case inviting
        case awaitingManifest
        case deciding
        /// The digest list of the tiles is awaited.
        case wanted
        /// Which chunks are missing is being found out.
        case listed
        /// The digests of the pages of the first and the last chunk are awaited.
        case queried
        /// Their pages are compared with an older version's.
        case comparing
        /// The pages that differ are on the way.
        case arriving
        /// They are there.
        case gathered
        /// The first and the last chunk are on the way.
        case requested
        /// The last byte came.
        case arrived
        case stored
        case committing
        case ended
    }

    static let list = DigestListPart(resource: 0, digests: Sample.tiles.digests)
    static let first = DataHeader(resource: 0, offset: 0, length: 16_384)
    static let last = DataHeader(resource: 0, offset: 32_768, length: 7_232)
    static let pageDigests = PageDigestList(resource: 0, digests: Sample.tiles.pageDigests(0..<1, 2..<3))
    static let firstPages = DataHeader(resource: 0, offset: 4096, length: 8192)
    static let lastPage = DataHeader(resource: 0, offset: 36_864, length: 3136)
    static let completion = Completion(id: Sample.id)
    static let endOfTable = SessionEnd.cancelled(Cancellation(reason: "before"))

    static func machine(in state: State, selection: Set<ResourceKind> = [.mbtiles]) throws -> ReceiverStateMachine {
        var machine = ReceiverStateMachine()
        if state == .ended { _ = machine.cancel(Cancellation(reason: "before")) }
        if state == .idle || state == .ended { return machine }
        _ = machine.start(Sample.invitation)
        if state == .inviting { return machine }
        _ = machine.receivedAccept()
        if state == .awaitingManifest { return machine }
        _ = machine.receivedManifest(try Sample.manifest().body)
        if state == .deciding { return machine }
        _ = machine.offerAccepted(selection)
        if state == .wanted { return machine }
        _ = machine.receivedDigests(list)
        if state == .listed { return machine }
        if [.queried, .comparing, .arriving, .gathered].contains(state) { return try compare(machine, until: state) }
        _ = machine.chunksLocated(0, missing: try Sample.tiles.runs(0..<1, 2..<3))
        if state == .requested { return machine }
        _ = machine.receivedData(first)
        _ = machine.receivedData(last)
        if state == .arrived { return machine }
        _ = machine.resourceStored(0)
        if state == .stored { return machine }
        _ = machine.receivedDone(completion)
        return machine
    }

    /// The second and the third page differ, and the last one.
    static func differing() throws -> PageRuns {
        try Sample.tiles.pages(1..<3, 9..<10, of: Sample.tiles.runs(0..<1, 2..<3))
    }

    static func compare(_ listed: ReceiverStateMachine, until state: State) throws -> ReceiverStateMachine {
        var machine = listed
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        _ = machine.chunksLocated(0, missing: chunks, comparable: chunks)
        if state == .queried { return machine }
        _ = machine.receivedPageDigests(pageDigests)
        if state == .comparing { return machine }
        _ = machine.pagesCompared(0, differing: try differing())
        if state == .arriving { return machine }
        _ = machine.receivedData(firstPages)
        _ = machine.receivedData(lastPage)
        return machine
    }

    private func violation(_ code: ProtocolError.Code, _ message: String) -> SessionEnd {
        .violated(ProtocolError(code, message))
    }

    private func outOfTurn(_ type: FrameType) -> SessionEnd {
        violation(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }

    /// Checks that an end that a machine reports is also the one that it keeps.
    private func expectEnd(_ machine: ReceiverStateMachine, _ end: SessionEnd?, in state: State) {
        #expect(machine.end == (state == .ended ? Self.endOfTable : end))
    }

    @Test(arguments: State.allCases)
    func start(state: State) throws {
        var machine = try Self.machine(in: state)
        expect(machine.start(Sample.invitation), equals: state == .idle ? .sendInvite(Sample.invitation) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedAccept(state: State) throws {
        var machine = try Self.machine(in: state)
        let isLegal = state == .inviting || state == .ended
        expect(machine.receivedAccept(), equals: isLegal ? .none : .end(outOfTurn(.accept)))
        expectEnd(machine, isLegal ? nil : outOfTurn(.accept), in: state)
    }

    @Test(arguments: State.allCases)
    func receivedDecline(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: SessionEnd = state == .inviting ? .declinedByPeer(Sample.refusal) : outOfTurn(.decline)
        expect(machine.receivedDecline(Sample.refusal), equals: state == .ended ? .none : .end(end))
        expectEnd(machine, end, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedManifest(state: State) throws {
        var machine = try Self.machine(in: state)
        let manifest = try Sample.manifest()
        let expected: ReceiverStateMachine.OnReceivedManifest =
            switch state {
            case .awaitingManifest: .ask(manifest)
            case .idle, .inviting, .deciding, .wanted, .listed, .queried, .comparing, .arriving, .gathered, .requested,
                .arrived, .stored, .committing:
                .end(outOfTurn(.manifest))
            case .ended: .none
            }
        expect(machine.receivedManifest(manifest.body), equals: expected)
        expectEnd(machine, state == .awaitingManifest ? nil : outOfTurn(.manifest), in: state)
    }

    @Test(arguments: State.allCases)
    func offerAccepted(state: State) throws {
        var machine = try Self.machine(in: state)
        let selection = ResourceSelection(kinds: [.mbtiles, .waypoints], unknown: [.routing])
        expect(
            machine.offerAccepted([.waypoints, .mbtiles, .plannedroutes], unknown: [.routing]),
            equals: state == .deciding ? .sendSelection(selection) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func offerDeclined(state: State) throws {
        var machine = try Self.machine(in: state)
        expect(
            machine.offerDeclined(Sample.refusal),
            equals: state == .deciding ? .sendDecline(Sample.refusal) : .none
        )
        expectEnd(machine, state == .deciding ? .declined(Sample.refusal) : nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedDigests(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: ReceiverStateMachine.OnReceivedDigests =
            switch state {
            case .wanted: .locateChunks(0, Sample.tiles.digests)
            case .idle, .inviting, .awaitingManifest, .deciding, .listed, .queried, .comparing, .arriving, .gathered,
                .requested, .arrived, .stored, .committing:
                .end(outOfTurn(.digests))
            case .ended: .none
            }
        expect(machine.receivedDigests(Self.list), equals: expected)
        expectEnd(machine, state == .wanted ? nil : outOfTurn(.digests), in: state)
    }

    @Test(arguments: State.allCases)
    func chunksLocated(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [1..<3])
        expect(
            machine.chunksLocated(0, missing: try Sample.tiles.runs(1..<3)),
            equals: state == .listed ? .sendRequest(request) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func chunksLocatedOfWhichSomeCanBeCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let query = PageQuery(resource: 0, runs: [1..<2])
        expect(
            machine.chunksLocated(0, missing: try Sample.tiles.runs(1..<3), comparable: try Sample.tiles.runs(1..<2)),
            equals: state == .listed ? .sendPageQuery(query) : .none
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
            case .queried: .comparePages(0, try Sample.tiles.runs(0..<1, 2..<3))
            case .wanted, .listed, .comparing, .arriving, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .inviting, .awaitingManifest, .deciding, .committing: .end(outOfTurn(.pageDigests))
            case .ended: .none
            }
        expect(machine.receivedPageDigests(Self.pageDigests), equals: expected)
    }

    @Test(arguments: State.allCases)
    func pagesCompared(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = PageRequest(resource: 0, runs: [1..<3, 9..<10])
        expect(
            machine.pagesCompared(0, differing: try Self.differing()),
            equals: state == .comparing ? .sendPageRequest(request) : .none
        )
        expectEnd(machine, nil, in: state)
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

    @Test(arguments: State.allCases)
    func receivedPages(state: State) throws {
        var machine = try Self.machine(in: state)
        #expect(machine.isAwaitingData == [.arriving, .requested].contains(state))
        let unasked = violation(.unexpectedFrame, "The other side sent data that was not requested.")
        let expected: ReceiverStateMachine.OnReceivedData =
            switch state {
            case .arriving: .assemble(0)
            case .wanted, .listed, .queried, .comparing, .gathered, .requested, .arrived, .stored: .end(unasked)
            case .idle, .inviting, .awaitingManifest, .deciding, .committing: .end(outOfTurn(.data))
            case .ended: .none
            }
        expect(machine.receivedData(Self.firstPages), equals: expected)
    }

    @Test(arguments: State.allCases)
    func noChunkIsMissing(state: State) throws {
        var machine = try Self.machine(in: state)
        let request = ChunkRequest(resource: 0, runs: [])
        expect(
            machine.chunksLocated(0, missing: .none),
            equals: state == .listed ? .sendRequestAndStore(request) : .none
        )
    }

    @Test(arguments: State.allCases)
    func receivedData(state: State) throws {
        var machine = try Self.machine(in: state)
        let unasked = violation(.unexpectedFrame, "The other side sent data that was not requested.")
        let expected: ReceiverStateMachine.OnReceivedData =
            switch state {
            case .requested: .keep(0)
            case .wanted, .listed, .queried, .comparing, .arriving, .gathered, .arrived, .stored: .end(unasked)
            case .idle, .inviting, .awaitingManifest, .deciding, .committing: .end(outOfTurn(.data))
            case .ended: .none
            }
        expect(machine.receivedData(Self.first), equals: expected)
    }

    @Test(arguments: State.allCases)
    func resourceStored(state: State) throws {
        var machine = try Self.machine(in: state)
        let entry = Sample.tiles.entry
        expect(
            machine.resourceStored(0),
            equals: state == .arrived
                ? .sendConfirmation(Confirmation(resource: 0, digest: entry.digest)) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedDone(state: State) throws {
        var machine = try Self.machine(in: state)
        let early = violation(
            .unexpectedFrame,
            "The other side ended the transfer before it was complete."
        )
        let expected: ReceiverStateMachine.OnReceivedDone =
            switch state {
            case .stored: .commit
            case .wanted, .listed, .queried, .comparing, .arriving, .gathered, .requested, .arrived: .end(early)
            case .idle, .inviting, .awaitingManifest, .deciding, .committing: .end(outOfTurn(.done))
            case .ended: .none
            }
        expect(machine.receivedDone(Self.completion), equals: expected)
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
            FrameType.hello, .pong, .invite, .selection, .request, .confirmation, .acknowledgement, .pageQuery,
            .pageRequest,
        ]
    )
    func receivedOther(state: State, type: FrameType) throws {
        var machine = try Self.machine(in: state)
        expect(machine.receivedOther(type), equals: state == .ended ? .none : .end(outOfTurn(type)))
        expectEnd(machine, outOfTurn(type), in: state)
    }

    /// The events that end the session wherever it is, some of them not while it commits.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: SessionEnd
        let endsACommit: Bool
        let event: @Sendable (inout ReceiverStateMachine) -> ReceiverStateMachine.OnEvent
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
        Ending(testDescription: "fail", end: .failed(Sample.failure), endsACommit: true) { $0.fail(Sample.failure) },
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

    // What the table cannot hold.

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

    @Test func refusesAManifestThatLies() throws {
        var machine = try Self.machine(in: .awaitingManifest)
        guard case .end(.violated(let error)) = machine.receivedManifest(Data("{}".utf8)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .invalidManifest)
        #expect(machine.end == .violated(error))
    }

    @Test func holdsTheManifestAgainstItsOwnLimits() throws {
        var limits = ProtocolLimits.standard
        limits.maximumResourceCount = 1
        var machine = ReceiverStateMachine(limits: limits)
        _ = machine.start(Sample.invitation)
        _ = machine.receivedAccept()
        guard case .end(.violated(let error)) = machine.receivedManifest(try Sample.manifest().body) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .limitExceeded)
    }

    @Test func mayWantNothing() throws {
        var machine = try Self.machine(in: .deciding)
        expect(machine.offerAccepted([]), equals: .sendSelection(ResourceSelection(kinds: [])))
        expect(machine.receivedDone(Self.completion), equals: .commit)
    }

    @Test func refusesDigestListsThatDoNotProveThemselves() throws {
        var machine = try Self.machine(in: .wanted)
        let list = DigestListPart(resource: 0, digests: Sample.tiles.digests.reversed())
        guard case .end(.violated(let error)) = machine.receivedDigests(list) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .digestMismatch)
    }

    @Test(arguments: [1, 2, -1, Int(UInt32.max)])
    func refusesDigestListsOfWhatIsNotWanted(resource: Int) throws {
        var machine = try Self.machine(in: .wanted)
        let list = DigestListPart(resource: resource, digests: Sample.waypoints.digests)
        expect(machine.receivedDigests(list), equals: .end(outOfTurn(.digests)))
    }

    @Test(arguments: [
        DataHeader(resource: 1, offset: 0, length: 1), DataHeader(resource: 9, offset: 0, length: 1),
        DataHeader(resource: -1, offset: 0, length: 1), DataHeader(resource: 0, offset: 1, length: 1),
        DataHeader(resource: 0, offset: 16_384, length: 1), DataHeader(resource: 0, offset: 32_768, length: 7_232),
        DataHeader(resource: 0, offset: 0, length: 16_385), DataHeader(resource: 0, offset: 0, length: 0),
        DataHeader(resource: 0, offset: .max, length: .max), DataHeader(resource: 0, offset: 0, length: .min),
    ])
    func refusesDataThatAreNotTheNext(header: DataHeader) throws {
        var machine = try Self.machine(in: .requested)
        guard case .end(.violated(let error)) = machine.receivedData(header) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func takesDataInPiecesOfAnyLength() throws {
        var machine = try Self.machine(in: .requested)
        expect(machine.receivedData(DataHeader(resource: 0, offset: 0, length: 1)), equals: .keep(0))
        expect(machine.receivedData(DataHeader(resource: 0, offset: 1, length: 16_383)), equals: .keep(0))
        expect(machine.receivedData(DataHeader(resource: 0, offset: 32_768, length: 7_231)), equals: .keep(0))
        expect(machine.receivedData(DataHeader(resource: 0, offset: 39_999, length: 1)), equals: .keepAndStore(0))
    }

    /// Both resources requested.
    private func machineWithTwoRequests() throws -> ReceiverStateMachine {
        var machine = try Self.machine(in: .requested, selection: [.mbtiles, .waypoints])
        expect(
            machine.receivedDigests(DigestListPart(resource: 1, digests: Sample.waypoints.digests)),
            equals: .locateChunks(1, Sample.waypoints.digests)
        )
        _ = machine.chunksLocated(1, missing: Sample.waypoints.layout.allChunks)
        return machine
    }

    @Test func resourcesMayArriveInAnyOrder() throws {
        var machine = try machineWithTwoRequests()
        expect(machine.receivedData(DataHeader(resource: 1, offset: 0, length: 2)), equals: .keepAndStore(1))
        expect(machine.receivedData(Self.first), equals: .keep(0))
        expect(machine.receivedData(Self.last), equals: .keepAndStore(0))
        _ = machine.resourceStored(0)
        guard case .end = machine.receivedDone(Self.completion) else {
            Issue.record("committed without the waypoints")
            return
        }
    }

    @Test func resourcesAreNeverMixed() throws {
        var machine = try machineWithTwoRequests()
        expect(machine.receivedData(Self.first), equals: .keep(0))
        guard case .end(.violated(let error)) = machine.receivedData(DataHeader(resource: 1, offset: 0, length: 2))
        else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func refusesTheEndOfAnotherTransfer() throws {
        var machine = try Self.machine(in: .stored)
        guard case .end(.violated(let error)) = machine.receivedDone(Completion(id: Sample.otherID)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func storesAnEmptyResourceWithoutData() throws {
        var machine = ReceiverStateMachine()
        _ = machine.start(Sample.invitation)
        _ = machine.receivedAccept()
        _ = machine.receivedManifest(try Sample.manifest([Sample.emptyRoutes]).body)
        _ = machine.offerAccepted([.savedroutes])
        expect(machine.receivedDigests(DigestListPart(resource: 0, digests: [])), equals: .locateChunks(0, []))
        expect(
            machine.chunksLocated(0, missing: .none),
            equals: .sendRequestAndStore(ChunkRequest(resource: 0, runs: []))
        )
        let entry = Sample.emptyRoutes.entry
        expect(
            machine.resourceStored(0),
            equals: .sendConfirmation(Confirmation(resource: 0, digest: entry.digest))
        )
        expect(machine.receivedDone(Self.completion), equals: .commit)
    }
}
