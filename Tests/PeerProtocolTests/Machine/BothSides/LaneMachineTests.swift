import NIOCore
import PeerProtocol
import Testing

/// Requests that are answered over several connections, as both machines see them.
@Suite struct LaneMachineTests {
    private typealias Receiver = ReceiverResourceTests
    private typealias Sender = SenderResourceTests

    static let invitation = LaneInvitation(secret: Sample.laneSecret, count: 3)
    static let allDispatched = AllDispatched(resource: 0)

    private func outOfTurn(_ type: FrameType) -> Conversation.End {
        .violated(ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn."))
    }

    private let unwanted = Conversation.End.violated(
        ProtocolError(.unexpectedFrame, "The other side sent data that was not requested.")
    )

    /// The tiles are requested, chunks 0 and 2, and lanes invited.
    private func spreadReceiver() throws -> ReceiverStateMachine {
        var machine = try Receiver.machine(in: .requested)
        expect(machine.receivedLanes(Self.invitation), equals: .openLanes(Self.invitation))
        return machine
    }

    @Test(arguments: Receiver.State.allCases)
    private func receivedLanes(state: Receiver.State) throws {
        var machine = try Receiver.machine(in: state)
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .wanted, .listed, .queried, .comparing, .arriving, .gathered, .requested, .arrived, .stored:
                .openLanes(Self.invitation)
            case .ended: .none
            default: .end(outOfTurn(.lanes))
            }
        expect(machine.receivedLanes(Self.invitation), equals: expected)
    }

    @Test(arguments: Receiver.State.allCases)
    private func receivedAllDispatchedWithoutLanes(state: Receiver.State) throws {
        var machine = try Receiver.machine(in: state)
        expect(
            machine.receivedAllDispatched(Self.allDispatched),
            equals: state == .ended ? .none : .end(outOfTurn(.allDispatched))
        )
    }

    @Test(arguments: Receiver.State.allCases)
    private func receivedAllDispatchedWithLanes(state: Receiver.State) throws {
        var machine = try Receiver.machine(in: state)
        guard case .openLanes = machine.receivedLanes(Self.invitation) else { return }
        let isRequested = [.requested, .arrived, .stored].contains(state)
        expect(
            machine.receivedAllDispatched(Self.allDispatched),
            equals: isRequested ? .awaitEndOfLanes(0) : .end(outOfTurn(.allDispatched))
        )
        guard isRequested else { return }
        expect(machine.receivedAllDispatched(Self.allDispatched), equals: .end(outOfTurn(.allDispatched)))
    }

    @Test func aLaneMayBringEverythingAfterAllWasDispatched() throws {
        var machine = try spreadReceiver()
        expect(machine.receivedAllDispatched(Self.allDispatched), equals: .awaitEndOfLanes(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 0, length: 16_384), on: 1), equals: .keep(0))
        let last = DataHeader(resource: 0, offset: 32_768, length: 7_232)
        expect(machine.receivedWhole(last, on: 1), equals: .keepAndStore(0))
    }

    @Test func chunksComeOverAnyConnectionInAnyOrder() throws {
        var machine = try spreadReceiver()
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 32_768, length: 7_000), on: 2), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 0, length: 100)), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 39_768, length: 232), on: 2), equals: .keep(0))
        #expect(machine.isAwaitingData)
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 100, length: 16_284)), equals: .keepAndStore(0))
        guard case .sendConfirmation = machine.resourceStored(0) else {
            Issue.record("not stored")
            return
        }
        expect(machine.receivedDone(Receiver.completion), equals: .commit)
    }

    @Test(arguments: [
        // Chunk 1 is not wanted.
        DataHeader(resource: 0, offset: 16_384, length: 1), DataHeader(resource: 0, offset: 0, length: 16_385),
        // Not a chunk's beginning.
        DataHeader(resource: 0, offset: 1, length: 1),
        // Chunk 2 has begun on connection 1.
        DataHeader(resource: 0, offset: 32_768, length: 1), DataHeader(resource: 0, offset: 32_868, length: 1),
        DataHeader(resource: 1, offset: 0, length: 1), DataHeader(resource: 9, offset: 0, length: 1),
        DataHeader(resource: 0, offset: .max, length: .max), DataHeader(resource: 0, offset: 0, length: .min),
        DataHeader(resource: 0, offset: 0, length: 0), DataHeader(resource: 0, offset: 40_000, length: 1),
    ])
    func refusesWhatNobodyAskedForOnEveryConnection(header: DataHeader) throws {
        for connection in [0, 2] {
            var machine = try spreadReceiver()
            expect(
                machine.receivedWhole(DataHeader(resource: 0, offset: 32_768, length: 100), on: 1),
                equals: .keep(0)
            )
            expect(machine.receivedData(header, on: connection), equals: .end(unwanted))
        }
    }

    @Test func aConnectionEndsAChunkBeforeItGoesOn() throws {
        var machine = try spreadReceiver()
        _ = machine.receivedWhole(DataHeader(resource: 0, offset: 32_768, length: 100), on: 1)
        expect(
            machine.receivedData(DataHeader(resource: 0, offset: 0, length: 16_384), on: 1),
            equals: .end(unwanted)
        )
    }

    @Test func lanesBringNothingBeforeTheyAreInvited() throws {
        var machine = try Receiver.machine(in: .requested)
        expect(machine.receivedData(Receiver.first, on: 1), equals: .end(unwanted))
    }

    @Test func pagesComeOnlyOverTheMainConnection() throws {
        var machine = try Receiver.machine(in: .arriving)
        _ = machine.receivedLanes(Self.invitation)
        expect(machine.receivedData(Receiver.firstPages, on: 1), equals: .end(unwanted))
    }

    @Test func lanesMayComeInTheMiddleOfAChunk() throws {
        var machine = try Receiver.machine(in: .requested)
        _ = machine.receivedWhole(DataHeader(resource: 0, offset: 0, length: 100))
        _ = machine.receivedLanes(Self.invitation)
        expect(machine.receivedWhole(Receiver.last, on: 1), equals: .keep(0))
        expect(machine.receivedWhole(DataHeader(resource: 0, offset: 100, length: 16_284)), equals: .keepAndStore(0))
    }

    @Test func whatALaneLostIsAskedForOnceMore() throws {
        var machine = try spreadReceiver()
        _ = machine.receivedWhole(DataHeader(resource: 0, offset: 32_768, length: 100), on: 1)
        _ = machine.receivedWhole(Receiver.first)
        expect(machine.lanesEnded(0), equals: .none)
        expect(machine.receivedAllDispatched(Self.allDispatched), equals: .awaitEndOfLanes(0))
        machine.laneEnded(1)
        machine.laneEnded(2)
        expect(
            machine.lanesEnded(0),
            equals: .sendRequest(ChunkRequest(resource: 0, runs: [2..<3]))
        )
        expect(machine.receivedData(Receiver.last, on: 2), equals: .end(unwanted))
    }

    @Test func whatALaneLostComesOverTheMainConnection() throws {
        var machine = try spreadReceiver()
        _ = machine.receivedData(Receiver.last, on: 1)
        expect(machine.receivedBytes(7_231, on: 1), equals: .keep(0))
        expect(machine.receivedWhole(Receiver.first), equals: .keep(0))
        machine.laneEnded(1)
        _ = machine.receivedAllDispatched(Self.allDispatched)
        guard case .sendRequest = machine.lanesEnded(0) else {
            Issue.record("not asked for")
            return
        }
        #expect(machine.isAwaitingData)
        expect(machine.receivedWhole(Receiver.last), equals: .keepAndStore(0))
        guard case .sendConfirmation = machine.resourceStored(0) else {
            Issue.record("not stored")
            return
        }
        expect(machine.lanesEnded(0), equals: .none)
    }

    @Test func nothingIsAskedForAgainIfNothingWasLost() throws {
        var machine = try spreadReceiver()
        _ = machine.receivedWhole(Receiver.last, on: 1)
        _ = machine.receivedAllDispatched(Self.allDispatched)
        // It was on its way when the sender had handed out everything.
        expect(machine.receivedWhole(Receiver.first, on: 2), equals: .keepAndStore(0))
        machine.laneEnded(1)
        expect(machine.lanesEnded(0), equals: .none)
    }

    @Test func aChunkIsMissingUntilItsLastByteHasCome() throws {
        var machine = try spreadReceiver()
        _ = machine.receivedData(Receiver.first, on: 1)
        expect(machine.receivedBytes(16_383, on: 1), equals: .keep(0))
        expect(machine.receivedWhole(Receiver.last, on: 2), equals: .keep(0))
        expect(machine.resourceStored(0), equals: .none)
        #expect(machine.isAwaitingData)
        expect(machine.receivedBytes(1, on: 1), equals: .keepAndStore(0))
        #expect(!machine.isAwaitingData)
        expect(machine.receivedBytes(1, on: 3), equals: .none)
    }

    // MARK: The sender

    @Test(arguments: Sender.State.allCases)
    private func lanesWanted(state: Sender.State) throws {
        var machine = try Sender.machine(in: state)
        let isTransferring = [.transferring, .listing, .listed, .ranged, .requested].contains(state)
        expect(
            machine.lanesWanted(3, secret: Sample.laneSecret),
            equals: isTransferring ? .sendLanes(Self.invitation) : .none
        )
        expect(machine.lanesWanted(0, secret: Sample.laneSecret), equals: .none)
        expect(machine.lanesWanted(8, secret: Sample.laneSecret), equals: .none)
    }

    @Test(arguments: Sender.State.allCases)
    private func chunksDispatched(state: Sender.State) throws {
        var machine = try Sender.machine(in: state)
        expect(
            machine.chunksDispatched(0),
            equals: state == .requested ? .sendAllDispatched(Self.allDispatched) : .none
        )
    }

    @Test func aSecondRequestIsForWhatWasLost() throws {
        let missing = ChunkRequest(resource: 0, runs: [2..<3])
        var machine = try Sender.machine(in: .requested)
        _ = machine.chunksDispatched(0)
        expect(machine.receivedRequest(missing), equals: .sendChunks(0, try Sample.tiles.runs(2..<3)))
        expect(machine.chunksSent(0), equals: .sendDone(Completion(id: Sample.id)))
    }

    @Test(arguments: [
        ChunkRequest(resource: 0, runs: [1..<2]), ChunkRequest(resource: 0, runs: [0..<3]),
        ChunkRequest(resource: 0, runs: []), ChunkRequest(resource: 0, runs: [3..<4]),
    ])
    func refusesASecondRequestForAnythingElse(request: ChunkRequest) throws {
        var machine = try Sender.machine(in: .requested)
        _ = machine.chunksDispatched(0)
        expectRefused(machine.receivedRequest(request))
    }

    @Test func refusesASecondRequestOutOfTurn() throws {
        var early = try Sender.machine(in: .requested)
        expectRefused(early.receivedRequest(Sender.request))
        var confirmed = try Sender.machine(in: .requested)
        _ = confirmed.chunksDispatched(0)
        expect(confirmed.receivedConfirmation(Sender.confirmation), equals: .none)
        expectRefused(confirmed.receivedRequest(Sender.request))
        var third = try Sender.machine(in: .requested)
        _ = third.chunksDispatched(0)
        _ = third.receivedRequest(Sender.request)
        expectRefused(third.receivedRequest(Sender.request))
    }

    private func expectRefused(
        _ action: SenderStateMachine.Action,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .end(.violated(let error)) = action else {
            Issue.record("accepted: \(action)", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == .unexpectedFrame, sourceLocation: sourceLocation)
    }

    @Test func secretsAreHidden() {
        let invitation = LaneInvitation(secret: Sample.laneSecret, count: 3)
        for text in ["\(invitation)", String(reflecting: invitation), "\(LaneJoin(secret: Sample.laneSecret))"] {
            #expect(!text.contains("AAEC"))
            #expect(text.contains("<connection secret>"))
        }
        var dumped = ""
        dump(invitation, to: &dumped)
        #expect(!dumped.contains("AAEC"))
    }

    // MARK: Parts

    @Test func wholeChunksAreTakenFromTheShared() throws {
        let layout = Sample.tiles.layout
        var cursor = try ChunkCursorTests.cursor(0..<3)
        expect(cursor.takeChunks(atMost: 1, layout: layout), equals: 0..<1)
        expect(cursor.takeChunks(atMost: .min, layout: layout), equals: 1..<2)
        expect(cursor.takeChunks(atMost: .max, layout: layout), equals: 2..<3)
        expect(cursor.takeChunks(atMost: .max, layout: layout), equals: nil)
        #expect(cursor.isAtEnd)
        var apart = try ChunkCursorTests.cursor(0..<1, 2..<3)
        expect(apart.takeChunks(atMost: .max, layout: layout), equals: 0..<1)
        expect(apart.takeChunks(atMost: 40_000, layout: layout), equals: 2..<3)
        var whole = try ChunkCursorTests.cursor(0..<3)
        expect(whole.takeChunks(atMost: 32_768, layout: layout), equals: 0..<2)
        #expect(whole.remaining == 7_232)
    }

    @Test func aVerifierJumpsBetweenChunks() throws {
        let resource = Sample.tiles
        var verifier = ChunkVerifier(layout: resource.layout, digests: resource.digests)
        verifier.expectBytes(from: 32_768)
        #expect(try verifier.receive([resource.buffer(32_768..<36_000)]).isEmpty)
        verifier.expectBytes(from: 0)
        #expect(try verifier.receive([resource.buffer(36_000..<40_000)]).map(\.offset) == [32_768])
        verifier.expectBytes(from: 0)
        #expect(try verifier.receive([resource.buffer(0..<32_768)]).map(\.offset) == [0])
    }
}

extension SampleResource {
    fileprivate func buffer(_ range: Range<Int>) -> ByteBuffer { ByteBuffer(bytes: bytes[range]) }
}
