import NIOCore
import PeerProtocol
import Testing

/// Questions before the answer to the offer: every event in every state, and what the table cannot hold.
@Suite struct ReceiverSurveyTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func startSurvey(state: State) throws {
        var machine = try Self.machine(in: state)
        let query = DigestQuery(kinds: [.mbtiles, .waypoints])
        expect(
            machine.startSurvey([.waypoints, .mbtiles, .plannedroutes]),
            equals: state == .deciding ? .sendDigestQuery(query) : .none
        )
        expect(machine.startSurvey([.mbtiles]), equals: .none)
        expectEnd(machine, nil, in: state)
    }

    @Test func asksForNothingThatIsNotOffered() throws {
        var machine = try Self.machine(in: .deciding)
        expect(machine.startSurvey([]), equals: .none)
        expect(machine.startSurvey([.plannedroutes]), equals: .none)
        expect(machine.startSurvey([.mbtiles]), equals: .sendDigestQuery(DigestQuery(kinds: [.mbtiles])))
    }

    @Test(arguments: State.allCases)
    func owesNothingBeforeTheSelection(state: State) throws {
        let machine = try Self.machine(in: state)
        if Self.unanswered.contains(state) { #expect(!machine.isAwaitingData && !machine.hasSelection) }
        #expect(
            machine.hasSelection
                == !(Self.unanswered + [.idle, .awaitingManifest, .ended]).contains(state)
        )
    }

    @Test(arguments: [State.surveying, .surveyingPieces, .comparingEarly])
    func aListThatHasComeDoesNotComeAgain(state: State) throws {
        var machine = try Self.machine(in: state)
        _ = machine.offerAccepted([.mbtiles, .waypoints])
        // Its chunks are copied, and requested, without a list.
        let missing = try Sample.tiles.runs(1..<3)
        let request = ChunkRequest(resource: 0, runs: [1..<3])
        expect(machine.chunksLocated(0, missing: missing), equals: .sendRequest(request))
        let waypoints = DigestListPart(resource: 1, digests: Sample.waypoints.digests)
        expect(machine.receivedDigests(waypoints), equals: .locateChunks(1, Sample.waypoints.digests))
        expect(machine.receivedDigests(Self.list), equals: .end(outOfTurn(.digests)))
    }

    @Test func aListMayComeAfterTheSelection() throws {
        var machine = try Self.machine(in: .asking)
        _ = machine.offerAccepted([.mbtiles])
        expect(machine.chunksLocated(0, missing: .none), equals: .none)
        expect(machine.receivedDigests(Self.list), equals: .locateChunks(0, Sample.tiles.digests))
    }

    @Test(arguments: [State.asking, .surveying]) func aListThatIsNotWantedAfterAllMayCome(state: State) throws {
        var machine = try Self.machine(in: state)
        _ = machine.offerAccepted([.waypoints])
        expect(machine.chunksLocated(0, missing: .none), equals: .none)
        guard state == .asking else { return }
        expect(machine.receivedDigests(Self.list), equals: .none)
        expect(machine.receivedDigests(Self.list), equals: .end(outOfTurn(.digests)))
    }

    /// The list that was queried before the selection comes first, and counts no more.
    @Test func aPieceListMayComeAfterTheSelection() throws {
        var machine = try Self.machine(in: .surveyingPieces)
        _ = machine.offerAccepted([.mbtiles])
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        _ = machine.chunksLocated(0, missing: chunks, comparable: chunks)
        let half = PieceListPart(resource: 0, rest: 3, bytes: ByteBuffer(repeating: 0, count: 32_768))
        expect(machine.receivedPieceList(half), equals: .none)
        expect(machine.receivedPieceList(Self.pieceList), equals: .none)
        expect(machine.receivedPieceList(Self.pieceList), equals: .readList(0, try Self.received()))
    }

    @Test func aPartThatIsNotTheNextEndsTheTransferAfterTheSelectionToo() throws {
        var machine = try Self.machine(in: .surveyingPieces)
        _ = machine.offerAccepted([.waypoints])
        let unasked = violation(.unexpectedFrame, "The other side sent a list of pieces that was not requested.")
        let short = PieceListPart(resource: 0, rest: 3, bytes: ByteBuffer(repeating: 0, count: 32_767))
        expect(machine.receivedPieceList(short), equals: .end(unasked))
    }

    /// A list that came before the selection serves after it, as far as its chunks are still missing.
    @Test func aListFromBeforeTheSelectionIsNotQueriedAgain() throws {
        var machine = try Self.machine(in: .comparingEarly)
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        expect(machine.piecesCompared(0, chunks, missing: .none), equals: .finishEstimate(0, isComplete: true))
        _ = machine.offerAccepted([.mbtiles])
        var list = try Self.received()
        list.wanted = try Sample.tiles.runs(2..<3)
        let missing = try Sample.tiles.runs(1..<3)
        expect(machine.chunksLocated(0, missing: missing, comparable: missing), equals: .readList(0, list))
        guard
            case .sendRangeRequests(0, let wanted, .none, let ready) = machine.piecesCompared(0, chunks, missing: .none)
        else {
            Issue.record("not compared")
            return
        }
        #expect(try wanted == Sample.tiles.runs(2..<3))
        #expect(ready.map(\.position) == [2])
        expect(
            machine.chunksCombined(0, except: []),
            equals: .sendRequest(ChunkRequest(resource: 0, runs: [1..<2]))
        )
    }

    @Test func aListThatIsTooLongEndsTheTransfer() throws {
        var machine = try Self.machine(in: .queried)
        let part = PieceListPart(resource: 0, rest: 5 << 20, bytes: ByteBuffer(repeating: 0, count: 32_768))
        let tooLong = violation(.limitExceeded, "The other side sent a list of pieces that is too long.")
        expect(machine.receivedPieceList(part), equals: .end(tooLong))
    }

    @Test func aWrongListEndsTheTransferBeforeTheAnswer() throws {
        var machine = try Self.machine(in: .asking)
        var digests = Sample.tiles.digests
        digests[1] = ContentDigest(hashing: [1])
        guard case .end(.violated(let error)) = machine.receivedDigests(DigestListPart(resource: 0, digests: digests))
        else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .digestMismatch)
        expect(machine.offerAccepted([.mbtiles]), equals: .none)
    }
}
