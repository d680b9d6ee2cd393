import NIOCore
import PeerProtocol
import Testing

/// What the suites of the receiver's machine share: a machine in every state.
protocol ReceiverSuite {}

/// Every state, reached by legal events only: the tiles are wanted, the waypoints are not.
enum ReceiverState: CaseIterable {
    case idle
    case awaitingManifest
    case deciding
    /// The digest list of the tiles was queried, before the answer to the offer.
    case asking
    /// It came; which chunks are missing is being found out.
    case surveying
    /// The list of the pieces of the first and the last chunk is awaited.
    case surveyingPieces
    /// They are looked for.
    case comparingEarly
    /// The digest list of the tiles is awaited.
    case wanted
    /// Which chunks are missing is being found out.
    case listed
    /// The list of the pieces of the first and the last chunk is awaited.
    case queried
    /// They are looked for.
    case comparing
    /// The bytes that are missing are on the way.
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

extension ReceiverSuite {
    typealias State = ReceiverState

    static var list: DigestListPart { DigestListPart(resource: 0, digests: Sample.tiles.digests) }
    static var first: DataHeader { DataHeader(resource: 0, offset: 0, length: 16_384) }
    static var last: DataHeader { DataHeader(resource: 0, offset: 32_768, length: 7_232) }
    static var pieceList: PieceListPart {
        PieceListPart(resource: 0, rest: 0, bytes: ByteBuffer(bytes: [1, 2, 3]))
    }
    /// The same, as it goes to the driver.
    static func received() throws -> PieceList.Received {
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        return PieceList.Received(query: chunks, wanted: chunks, bytes: pieceList.bytes)
    }
    static var firstPages: DataHeader { DataHeader(resource: 0, offset: 4096, length: 8192) }
    static var lastPage: DataHeader { DataHeader(resource: 0, offset: 36_864, length: 3136) }
    static var completion: Completion { Completion(id: Sample.id) }
    static var endOfTable: Conversation.End { Conversation.End.cancelled(Cancellation(reason: "before")) }

    static func machine(in state: State, selection: Set<ResourceKind> = [.mbtiles]) throws -> ReceiverStateMachine {
        var machine = ReceiverStateMachine()
        if state == .ended { _ = machine.cancel(Cancellation(reason: "before")) }
        if state == .idle || state == .ended { return machine }
        _ = machine.start()
        if state == .awaitingManifest { return machine }
        _ = machine.receivedManifest(try Sample.manifest().body)
        if state == .deciding { return machine }
        if unanswered.contains(state) { return try survey(machine, until: state) }
        _ = machine.offerAccepted(selection)
        if state == .wanted { return machine }
        _ = machine.receivedDigests(list)
        if state == .listed { return machine }
        if [.queried, .comparing, .arriving, .gathered].contains(state) { return try compare(machine, until: state) }
        _ = machine.chunksLocated(0, missing: try Sample.tiles.runs(0..<1, 2..<3))
        if state == .requested { return machine }
        _ = machine.receivedWhole(first)
        _ = machine.receivedWhole(last)
        if state == .arrived { return machine }
        _ = machine.resourceStored(0)
        if state == .stored { return machine }
        _ = machine.receivedDone(completion)
        return machine
    }

    /// The states in which the offer is not answered.
    static var unanswered: [State] { [.deciding, .asking, .surveying, .surveyingPieces, .comparingEarly] }

    private static func survey(_ deciding: ReceiverStateMachine, until state: State) throws -> ReceiverStateMachine {
        var machine = deciding
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        _ = machine.startSurvey([.mbtiles])
        if state == .asking { return machine }
        _ = machine.receivedDigests(list)
        if state == .surveying { return machine }
        _ = machine.chunksLocated(0, missing: chunks, comparable: chunks)
        if state == .surveyingPieces { return machine }
        _ = machine.receivedPieceList(pieceList)
        return machine
    }

    /// The second and the third page are missing, and the last one.
    static func missing() throws -> ByteRuns {
        try Sample.tiles.pages(1..<3, 9..<10)
    }

    static func compare(_ listed: ReceiverStateMachine, until state: State) throws -> ReceiverStateMachine {
        var machine = listed
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        _ = machine.chunksLocated(0, missing: chunks, comparable: chunks)
        if state == .queried { return machine }
        _ = machine.receivedPieceList(pieceList)
        if state == .comparing { return machine }
        _ = machine.piecesCompared(0, chunks, missing: try missing())
        if state == .arriving { return machine }
        _ = machine.receivedWhole(firstPages)
        _ = machine.receivedWhole(lastPage)
        return machine
    }

    func violation(_ code: ProtocolError.Code, _ message: String) -> Conversation.End {
        .violated(ProtocolError(code, message))
    }

    func outOfTurn(_ type: FrameType) -> Conversation.End {
        violation(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }

    /// Checks that an end that a machine reports is also the one that it keeps.
    func expectEnd(
        _ machine: ReceiverStateMachine,
        _ end: Conversation.End?,
        in state: State,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(machine.end == (state == .ended ? Self.endOfTable : end), sourceLocation: sourceLocation)
    }
}
