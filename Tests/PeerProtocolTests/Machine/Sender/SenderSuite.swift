import NIOCore
import PeerProtocol
import Testing

/// What the suites of the sender's machine share: a machine in every state.
protocol SenderSuite {}

/// Every state, reached by legal events only: the tiles are wanted, the waypoints are not.
enum SenderState: CaseIterable {
    case idle
    case offering
    /// The digest list of the tiles was queried.
    case asked
    /// The pieces of the first chunk of the tiles are being listed, before the selection.
    case askedForPieces
    /// Nothing was requested yet.
    case transferring
    /// The pieces of the first chunk of the tiles are being listed.
    case listing
    /// Their list was sent.
    case listed
    /// Some of their bytes were requested.
    case ranged
    /// The tiles were requested and are not yet sent.
    case requested
    /// All was sent, nothing is confirmed.
    case awaitingConfirmation
    /// All was sent and confirmed.
    case awaitingAcknowledgement
    case ended
}

extension SenderSuite {
    typealias State = SenderState

    static var request: ChunkRequest { ChunkRequest(resource: 0, runs: [0..<1, 2..<3]) }
    static var query: PieceQuery { PieceQuery(resource: 0, runs: [0..<1]) }
    static var rangeRequest: RangeRequest { RangeRequest(resource: 0, runs: [4096..<12_288]) }
    static var pieceList: ByteBuffer { ByteBuffer(bytes: [1, 2, 3]) }
    static var confirmation: PeerProtocol.Confirmation {
        PeerProtocol.Confirmation(resource: 0, digest: Sample.tiles.entry.digest)
    }
    static var endOfTable: Conversation.End { Conversation.End.cancelled(Cancellation(reason: "before")) }

    static func machine(in state: State, selection: [ResourceKind] = [.mbtiles]) throws -> SenderStateMachine {
        var machine = SenderStateMachine(manifest: try Sample.manifest())
        if state == .ended {
            _ = machine.cancel(Cancellation(reason: "before"))
        }
        if state == .idle || state == .ended { return machine }
        _ = machine.start()
        if state == .offering { return machine }
        if state == .asked || state == .askedForPieces {
            _ = machine.receivedDigestQuery(DigestQuery(kinds: [.mbtiles]))
            if state == .askedForPieces { _ = machine.receivedPieceQuery(query) }
            return machine
        }
        _ = machine.receivedSelection(ResourceSelection(kinds: selection))
        if state == .transferring { return machine }
        if [.listing, .listed, .ranged].contains(state) {
            _ = machine.receivedPieceQuery(query)
            if state == .listing { return machine }
            _ = machine.piecesListed(0, pieceList, until: 1)
            if state == .listed { return machine }
            _ = machine.receivedRangeRequest(rangeRequest)
            return machine
        }
        _ = machine.receivedRequest(request)
        if state == .requested { return machine }
        _ = machine.chunksSent(0)
        if state == .awaitingConfirmation { return machine }
        _ = machine.receivedConfirmation(confirmation)
        return machine
    }

    /// The states in which the receiver has not answered the offer.
    static var unanswered: [State] { [.offering, .asked, .askedForPieces] }

    func outOfTurn(_ type: FrameType) -> Conversation.End {
        .violated(ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn."))
    }

    /// Checks that an end that a machine reports is also the one that it keeps.
    func expectEnd(
        _ machine: SenderStateMachine,
        _ end: Conversation.End?,
        in state: State,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(machine.end == (state == .ended ? Self.endOfTable : end), sourceLocation: sourceLocation)
    }
}
