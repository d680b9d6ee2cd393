import PeerProtocol
import Testing

/// From the manifest to the selection: every event in every state, and what the table cannot hold.
@Suite struct SenderOfferTests: SenderSuite {
    @Test(arguments: State.allCases)
    func start(state: State) throws {
        var machine = try Self.machine(in: state)
        expect(machine.start(), equals: state == .idle ? .sendManifest(try Sample.manifest()) : .none)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedSelection(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action =
            switch state {
            case .offering: .sendDigests([0, 1])
            // The list of the tiles was queried before.
            case .asked, .askedForPieces: .sendDigests([1])
            case .idle, .transferring, .listing, .listed, .ranged, .requested,
                .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.selection))
            case .ended: .none
            }
        expect(machine.receivedSelection(ResourceSelection(kinds: [.waypoints, .mbtiles])), equals: expected)
        expectEnd(machine, Self.unanswered.contains(state) ? nil : outOfTurn(.selection), in: state)
    }

    @Test(arguments: State.allCases)
    func receivedWishesForNothing(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action =
            switch state {
            case .offering, .asked, .askedForPieces: .sendDone(Completion(id: Sample.id))
            case .idle, .transferring, .listing, .listed, .ranged, .requested,
                .awaitingConfirmation, .awaitingAcknowledgement:
                .end(outOfTurn(.selection))
            case .ended: .none
            }
        expect(machine.receivedSelection(ResourceSelection(kinds: [])), equals: expected)
    }

    @Test(arguments: State.allCases)
    func receivedDecline(state: State) throws {
        var machine = try Self.machine(in: state)
        let end: Conversation.End =
            Self.unanswered.contains(state) ? .declinedByPeer(Sample.refusal) : outOfTurn(.decline)
        expect(machine.receivedDecline(Sample.refusal), equals: state == .ended ? .none : .end(end))
        expectEnd(machine, end, in: state)
    }

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

    @Test func completesAtOnceIfNothingIsWanted() throws {
        var machine = try Self.machine(in: .offering)
        _ = machine.receivedSelection(ResourceSelection(kinds: []))
        expect(
            machine.receivedAcknowledgement(Sample.acknowledgement),
            equals: .end(.completed(Sample.acknowledgement))
        )
    }
}
