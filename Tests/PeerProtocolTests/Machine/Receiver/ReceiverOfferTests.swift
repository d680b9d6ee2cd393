import FoundationEssentials
import PeerProtocol
import Testing

/// From the manifest to the answer to the offer: every event in every state, and what the table cannot hold.
@Suite struct ReceiverOfferTests: ReceiverSuite {
    @Test(arguments: State.allCases)
    func start(state: State) throws {
        var machine = try Self.machine(in: state)
        #expect(machine.start() == (state == .idle))
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func receivedManifest(state: State) throws {
        var machine = try Self.machine(in: state)
        let manifest = try Sample.manifest()
        let expected: ReceiverStateMachine.Action =
            switch state {
            case .awaitingManifest: .ask(manifest)
            case .idle, .deciding, .asking, .surveying, .surveyingPieces, .comparingEarly, .wanted,
                .listed, .queried, .comparing, .arriving, .gathered, .requested, .arrived, .stored, .committing:
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
            equals: Self.unanswered.contains(state) ? .sendSelection(selection) : .none
        )
        expectEnd(machine, nil, in: state)
    }

    @Test(arguments: State.allCases)
    func offerDeclined(state: State) throws {
        var machine = try Self.machine(in: state)
        expect(
            machine.offerDeclined(Sample.refusal),
            equals: Self.unanswered.contains(state) ? .sendDecline(Sample.refusal) : .none
        )
        expectEnd(machine, Self.unanswered.contains(state) ? .declined(Sample.refusal) : nil, in: state)
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
        _ = machine.start()
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
}
