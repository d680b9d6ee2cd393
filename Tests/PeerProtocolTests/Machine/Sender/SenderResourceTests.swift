import PeerProtocol
import Testing

/// Requests and what was sent: every event in every state, and what the table cannot hold.
@Suite struct SenderResourceTests: SenderSuite {
    @Test(arguments: State.allCases)
    func receivedRequest(state: State) throws {
        var machine = try Self.machine(in: state)
        let noSuchChunks = Conversation.End.violated(
            ProtocolError(.unexpectedFrame, "The other side requested chunks that do not exist.")
        )
        let expected: SenderStateMachine.Action =
            switch state {
            case .transferring, .listed, .ranged: .sendChunks(0, try Sample.tiles.runs(0..<1, 2..<3))
            case .listing, .requested: .end(noSuchChunks)
            case .idle, .offering, .asked, .askedForPieces, .awaitingConfirmation,
                .awaitingAcknowledgement:
                .end(outOfTurn(.request))
            case .ended: .none
            }
        expect(machine.receivedRequest(Self.request), equals: expected)
    }

    @Test(arguments: State.allCases)
    func chunksSent(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: SenderStateMachine.Action =
            state == .requested ? .sendDone(Completion(id: Sample.id)) : .none
        expect(machine.chunksSent(0), equals: expected)
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedConfirmation(state: State) throws {
        var machine = try Self.machine(in: state)
        let expected: OnTransferEvent =
            switch state {
            case .requested, .awaitingConfirmation, .ended: .none
            case .idle, .offering, .asked, .askedForPieces, .transferring, .listing, .listed,
                .ranged,
                .awaitingAcknowledgement:
                .end(outOfTurn(.confirmation))
            }
        expect(machine.receivedConfirmation(Self.confirmation), equals: expected)
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
}
