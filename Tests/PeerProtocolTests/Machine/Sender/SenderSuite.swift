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
    /// The pages of the first chunk of the tiles are being hashed, before the selection.
    case askedForPages
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

extension SenderSuite {
    typealias State = SenderState

    static var request: ChunkRequest { ChunkRequest(resource: 0, runs: [0..<1, 2..<3]) }
    static var query: PageQuery { PageQuery(resource: 0, runs: [0..<1]) }
    static var pageRequest: PageRequest { PageRequest(resource: 0, runs: [1..<3]) }
    static var confirmation: PeerProtocol.Confirmation {
        PeerProtocol.Confirmation(resource: 0, digest: Sample.tiles.entry.digest)
    }
    static var endOfTable: ConversationEnd { ConversationEnd.cancelled(Cancellation(reason: "before")) }

    static func machine(in state: State, selection: [ResourceKind] = [.mbtiles]) throws -> SenderStateMachine {
        var machine = SenderStateMachine(manifest: try Sample.manifest())
        if state == .ended {
            _ = machine.cancel(Cancellation(reason: "before"))
        }
        if state == .idle || state == .ended { return machine }
        _ = machine.start()
        if state == .offering { return machine }
        if state == .asked || state == .askedForPages {
            _ = machine.receivedDigestQuery(DigestQuery(kinds: [.mbtiles]))
            if state == .askedForPages { _ = machine.receivedPageQuery(query) }
            return machine
        }
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

    /// The states in which the receiver has not answered the offer.
    static var unanswered: [State] { [.offering, .asked, .askedForPages] }

    func outOfTurn(_ type: FrameType) -> ConversationEnd {
        .violated(ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn."))
    }

    /// Checks that an end that a machine reports is also the one that it keeps.
    func expectEnd(
        _ machine: SenderStateMachine,
        _ end: ConversationEnd?,
        in state: State,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(machine.end == (state == .ended ? Self.endOfTable : end), sourceLocation: sourceLocation)
    }
}
