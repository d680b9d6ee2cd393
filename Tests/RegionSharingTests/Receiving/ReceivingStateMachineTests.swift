import PeerCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import Diagnosis
@testable import RegionSharing
@testable import RegionStore

/// What a receiver does in every order of what can happen to it in a small world.
@Suite struct ReceivingStateMachineTests {
    /// A world with a sender, Ana, whose map Ben announces, too, after an offer was accepted.
    private struct World {
        static let map = Sample.digest(1)
        static let ana = Sample.discovered("Ana", 1)
        static let ben = Sample.discovered("Ben", 2)

        var hasAgreed = false
        /// The names of what is left of a list.
        var left: [String] = []
        var received = 0
        var stored: UInt64 = 0
        var isStopped = false
        /// How many attempts in a row have brought nothing, on a network.
        var failures = 0
        /// The steps until now, for the message of a failure.
        var steps: [String] = []
    }

    /// What can become of an attempt.
    private enum Event: CaseIterable {
        case received, declined, refusesConnection, lost, agreedAndLost, stoppedThere, failsThere, stopped
    }

    private static let limits: ReceivingStateMachine.Limits = {
        var limits = ReceivingStateMachine.Limits(retries: 2, deadline: .now + .seconds(1000))
        (limits.canSearch, limits.takesAny) = (true, true)
        return limits
    }()

    private var depth: Int { 10 }

    @Test(arguments: [[], ["Alp", "Urgell"]]) func everyOrderOfEventsEndsWell(list: [String]) throws {
        var count = 0
        let machine = ReceivingStateMachine(at: .peer(World.ana), within: Self.limits)
        var world = World()
        world.left = list
        try explore(machine, machine.start, world, depth, &count)
        #expect(count > 500)
    }

    /// Follows all continuations, and checks what the machine decides.
    private func explore(
        _ machine: ReceivingStateMachine,
        _ decision: ReceivingStateMachine.Decision,
        _ world: World,
        _ depth: Int,
        _ count: inout Int
    ) throws {
        try check(decision, world)
        guard depth > 0 else { return }
        switch decision.action {
        case .attempt(let location, let passingOver):
            for event in Event.allCases {
                guard event != .failsThere || !world.left.isEmpty else { continue }
                // Only what was agreed to can be stopped there.
                guard event != .stoppedThere || world.hasAgreed else { continue }
                var (machine, world) = (machine, world)
                if passingOver, !world.left.isEmpty { world.left.removeFirst() }
                world.steps.append("\(event) at \(location.peerID == World.ana.peerID ? "Ana" : "Ben")")
                let next = attempt(event, &machine, &world)
                try explore(machine, next, world, depth - 1, &count)
            }
        case .look(_, _, let substitutes, _):
            for (next, isStopped) in looks(world, canBeOther: substitutes != nil) {
                var (machine, world) = (machine, world)
                world.isStopped = isStopped
                world.steps.append("sees \(next.map { $0.peerID == World.ana.peerID ? "Ana" : "Ben" } ?? "nobody")")
                let decision = machine.found(next, isStopped: isStopped)
                try explore(machine, decision, world, depth - 1, &count)
            }
        case .search:
            var (machine, world) = (machine, world)
            world.steps.append("finds Ana")
            let decision = machine.found(.peer(World.ana), isStopped: false)
            try explore(machine, decision, world, depth - 1, &count)
        case .examine:
            for (isOffline, isStopped) in [(false, world.isStopped), (true, world.isStopped), (false, true)] {
                var (machine, world) = (machine, world)
                world.isStopped = isStopped
                world.failures += isOffline ? 0 : 1
                world.steps.append(isOffline ? "offline" : "online")
                let next = machine.examined(isOffline ? Self.offline : nil, isStopped: isStopped, at: .now)
                try explore(machine, next, world, depth - 1, &count)
            }
        case .end:
            count += 1
            // Whatever comes too late begins nothing.
            var late = machine
            guard case .end = late.found(.peer(World.ana), isStopped: false).action else {
                Issue.record("it goes on after the end: \(world.steps)")
                return
            }
        }
    }

    private func attempt(
        _ event: Event,
        _ machine: inout ReceivingStateMachine,
        _ world: inout World
    ) -> ReceivingStateMachine.Decision {
        var known = ReceivingStateMachine.Knowledge()
        known.stored.before = world.stored
        let error: any Error
        switch event {
        case .received:
            (world.received, world.hasAgreed) = (world.received + 1, true)
            if !world.left.isEmpty { world.left.removeFirst() }
            return machine.succeeded(isSettled: world.left.isEmpty)
        case .declined:
            known.refusal = .declined(region: nil)
            world.left = []
            error = PeerError(.declined, "Declined.")
        case .refusesConnection: error = PeerError(.cannotConnect, "Nobody answers.")
        case .lost: error = PeerError(.connectionLost, "Lost.")
        case .agreedAndLost:
            (world.hasAgreed, world.stored, world.failures) = (true, world.stored + 1, 0)
            error = PeerError(.connectionLost, "Lost.")
        case .stoppedThere: error = PeerError(.peerCancelled, "The other side stopped.")
        case .failsThere: error = PeerError(.peerFailed, "The disk is broken there.")
        case .stopped:
            world.isStopped = true
            error = PeerError(.cancelled, "Stopped.")
        }
        (known.hasAgreed, known.agreedPeer) = (world.hasAgreed, world.hasAgreed ? World.ana.peerID : nil)
        known.map = world.hasAgreed ? World.map : nil
        known.picked = (world.left.count, world.left.first, world.received)
        (known.stored.now, known.isStopped) = (world.stored, world.isStopped)
        return machine.failed(error, known)
    }

    private func looks(_ world: World, canBeOther: Bool) -> [(SenderLocation?, isStopped: Bool)] {
        guard !world.isStopped else { return [(nil, true)] }
        let other: [(SenderLocation?, isStopped: Bool)] = canBeOther ? [(.peer(World.ben), false)] : []
        // A stop may also come just after somebody was seen.
        return [(.peer(World.ana), false), (nil, true), (.peer(World.ana), true)] + other
    }

    /// What must hold of every decision.
    private func check(_ decision: ReceivingStateMachine.Decision, _ world: World) throws {
        let retries = decision.told.filter { if case .receiving(.reconnecting) = $0 { true } else { false } }
        switch decision.action {
        case .attempt(let location, _):
            #expect(!world.isStopped, "\(world.steps)")
            // Another machine sends only what was agreed to.
            #expect(location.peerID == World.ana.peerID || world.hasAgreed, "\(world.steps)")
            #expect(retries.isEmpty, "\(world.steps)")
        case .look(_, _, let substitutes, let isSearch):
            #expect(!world.isStopped, "\(world.steps)")
            #expect(substitutes == nil || world.hasAgreed, "\(world.steps)")
            // Every attempt is announced once.
            #expect(retries.count == (isSearch ? 0 : 1), "\(world.steps)")
            #expect(isSearch || world.failures <= Self.limits.retries, "\(world.steps)")
        case .search:
            #expect(!world.isStopped, "\(world.steps)")
            // Who is found then is asked about anew.
            #expect(!world.hasAgreed, "\(world.steps)")
            #expect(retries.count == 1 && world.failures <= Self.limits.retries, "\(world.steps)")
        case .examine:
            #expect(decision.told.isEmpty, "\(world.steps)")
        case .end(let ending):
            #expect(retries.isEmpty, "\(world.steps)")
            switch ending {
            case .received: #expect(world.received > 0, "\(world.steps)")
            case .refused(let error):
                let isRefusal = error is ReceivingError || (error as? PeerError)?.code == .peerFailed
                #expect(world.received == 0 && isRefusal, "\(world.steps)")
            case .incomplete(_, let isStopped): #expect(isStopped == world.isStopped, "\(world.steps)")
            }
        }
    }

    // MARK: Single orders

    private static let offline = NetworkCause(finding: Finding(.noCarrier([]), .problem))
    private static let vpn = NetworkCause(finding: Finding(.tunnelBlocks("tun0"), .problem))
    private static let asleep = NetworkCause(
        finding: Finding(.peerSilent(.init(of: PeerFacts(name: "A", ways: []), at: nil)), .problem)
    )

    /// How far is looked after each of some attempts that have brought nothing, until the end.
    private func looks(
        finding cause: NetworkCause?,
        broughtData: Int? = nil,
        _ count: Int = 6
    ) -> [NetworkCause.Look] {
        var limits = Self.limits
        limits.retries = .max
        var machine = ReceivingStateMachine(at: .peer(World.ana), within: limits)
        var known = ReceivingStateMachine.Knowledge()
        (known.hasAgreed, known.agreedPeer) = (true, World.ana.peerID)
        var looks: [NetworkCause.Look] = []
        for number in 0..<count {
            known.stored = number == broughtData ? (0, 9) : (9, 9)
            guard case .examine(_, let look, _) = machine.failed(Self.lost, known).action else { break }
            looks.append(look)
            let found = look == .network ? nil : cause
            guard case .look = machine.examined(found, isStopped: false, at: .now).action else { break }
            _ = machine.found(.peer(World.ana), isStopped: false)
        }
        return looks
    }

    /// At the second failure this machine is looked at, at the fourth everything, and each only once.
    @Test func looksFurtherTheLongerNothingComes() {
        #expect(looks(finding: nil) == [.network, .machine, .network, .everything, .network, .network])
        // What may pass by itself is waited for.
        #expect(looks(finding: Self.asleep) == [.network, .machine, .network, .everything, .network, .network])
        // Data that have come begin a new row.
        #expect(looks(finding: nil, broughtData: 3) == [.network, .machine, .network, .network, .machine, .network])
    }

    /// What needs a person does not pass by waiting; before the whole look, it may still be on its way out.
    @Test func whatNeedsAPersonEndsTheWait() {
        #expect(looks(finding: Self.vpn) == [.network, .machine, .network, .everything])
    }

    private static let lost = PeerError(.connectionLost, "Lost.")

    /// A stop is told at once, wherever it comes.
    @Test func aStopEndsTheWait() throws {
        var machine = ReceivingStateMachine(at: .peer(World.ana), within: Self.limits)
        var known = ReceivingStateMachine.Knowledge()
        (known.hasAgreed, known.agreedPeer) = (true, World.ana.peerID)
        guard case .examine = machine.failed(Self.lost, known).action,
            case .look = machine.examined(nil, isStopped: false, at: .now).action,
            case .end(.incomplete(let error, isStopped: true)) = machine.found(nil, isStopped: true).action
        else {
            Issue.record("it does not end")
            return
        }
        #expect(error as? PeerError == Self.lost)
    }

    /// The others may still come, and what has come is here.
    @Test func oneOfSeveralThatFailsThereIsPassedOver() throws {
        var machine = ReceivingStateMachine(at: .peer(World.ana), within: Self.limits)
        var known = ReceivingStateMachine.Knowledge()
        known.picked = (2, "Alp", 1)
        let broken = PeerError(.peerFailed, "The disk is broken there.")
        let next = machine.failed(broken, known)
        known.picked = (1, "Urgell", 1)
        let last = machine.failed(broken, known)
        guard case .attempt(at: _, passingOver: true) = next.action, case .end(.received) = last.action else {
            Issue.record("it does not go on with the others")
            return
        }
        let names = (next.told + last.told).map { if case .receiving(.leftOut(let name, _)) = $0 { name } else { "" } }
        #expect(names == ["Alp", "Urgell"])
    }

    /// Without a network, one sentence is enough, and the attempts do not count.
    @Test func withoutANetworkItWaitsAndSaysSoOnce() throws {
        var machine = ReceivingStateMachine(at: .peer(World.ana), within: Self.limits)
        var known = ReceivingStateMachine.Knowledge()
        (known.hasAgreed, known.agreedPeer) = (true, World.ana.peerID)
        var repeated: [Bool] = []
        for _ in 0..<5 {
            _ = machine.failed(Self.lost, known)
            let decision = machine.examined(Self.offline, isStopped: false, at: .now)
            for case .receiving(.reconnecting(let next)) in decision.told { repeated.append(next.isRepeated) }
            _ = machine.found(.peer(World.ana), isStopped: false)
        }
        #expect(repeated == [false, true, true, true, true])
    }

    /// The time for finding a sender is not for one whose offer was accepted.
    @Test(arguments: [true, false]) func afterTheDeadlineOnlyAnAcceptedOfferIsTriedAgain(hasAgreed: Bool) throws {
        var machine = ReceivingStateMachine(at: .peer(World.ana), within: Self.limits)
        var known = ReceivingStateMachine.Knowledge()
        (known.hasAgreed, known.agreedPeer) = (hasAgreed, hasAgreed ? World.ana.peerID : nil)
        _ = machine.failed(PeerError(.cannotConnect, "Nobody answers."), known)
        let late = Self.limits.deadline + .seconds(1)
        switch machine.examined(nil, isStopped: false, at: late).action {
        case .look: #expect(hasAgreed)
        case .end(.incomplete): #expect(!hasAgreed)
        default: Issue.record("it does something else")
        }
    }
}
