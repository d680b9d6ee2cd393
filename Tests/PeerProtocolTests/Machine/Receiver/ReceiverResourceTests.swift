import FoundationEssentials
import PeerProtocol
import Testing

/// Digests, requests and data: every event in every state, and what the table cannot hold.
@Suite struct ReceiverResourceTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func receivedDigests(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .wanted, .asking: .locateChunks(0, Sample.tiles.digests)
            case .idle, .awaitingManifest, .deciding, .surveying, .surveyingPieces, .comparingEarly, .listed,
                .queried, .comparing, .arriving, .gathered, .requested, .arrived, .stored, .committing:
                .end(outOfTurn(.digests))
            case .ended: .none
            }
        expect(machine.receivedDigests(Self.list), equals: expected)
        expectEnd(machine, [.wanted, .asking].contains(state) ? nil : outOfTurn(.digests), in: state)
    }

    @Test(arguments: State.allCases)
    func chunksLocated(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .listed: .sendRequest(ChunkRequest(resource: 0, runs: [1..<3]))
            case .surveying: .finishEstimate(0, isComplete: true)
            default: .none
            }
        expect(machine.chunksLocated(0, missing: try Sample.tiles.runs(1..<3)), equals: expected)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func noChunkIsMissing(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .listed: .sendRequestAndStore(ChunkRequest(resource: 0, runs: []))
            case .surveying: .finishEstimate(0, isComplete: true)
            default: .none
            }
        expect(machine.chunksLocated(0, missing: .none), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedData(state: State) throws {
        var machine = try Self.machine(in: state)
        let unasked = violation(.unexpectedFrame, "The other side sent data that was not requested.")
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .requested: .none
            case .wanted, .listed, .queried, .comparing, .arriving, .gathered, .arrived, .stored: .end(unasked)
            case .idle, .awaitingManifest, .deciding, .asking, .surveying, .surveyingPieces, .comparingEarly,
                .committing:
                .end(outOfTurn(.data))
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
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 0, length: 1)), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 1, length: 16_383)), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 32_768, length: 7_231)), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 39_999, length: 1)), equals: .keepAndStore(0))
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
        expect(machine.receivedWhole(DataHeader(resource: 1, offset: 0, length: 2)), equals: .keepAndStore(1))
        expect(machine.receivedWhole(Self.first), equals: .keep(0))
        expect(machine.receivedWhole(Self.last), equals: .keepAndStore(0))
        _ = machine.resourceStored(0)
        guard case .end = machine.receivedDone(Self.completion) else {
            Issue.record("committed without the waypoints")
            return
        }
    }

    @Test func resourcesAreNeverMixed() throws {
        var machine = try machineWithTwoRequests()
        expect(machine.receivedWhole(Self.first), equals: .keep(0))
        guard case .end(.violated(let error)) = machine.receivedData(DataHeader(resource: 1, offset: 0, length: 2))
        else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
    }

    @Test func storesAnEmptyResourceWithoutData() throws {
        var machine = ReceiverStateMachine()
        _ = machine.start()
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
