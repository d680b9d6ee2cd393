import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// When `receive --keep` visits a sender.
@Suite struct KeepStateMachineTests {
    private static let anna = Sample.peerID(1)

    private static func peer(_ byte: UInt8 = 1, mark: String? = "a") -> DiscoveredPeer {
        var peer = Sample.discovered("Anna", byte)
        peer.info.offerMark = mark
        return peer
    }

    private let start = ContinuousClock.now

    @Test func aSenderIsVisitedOnceForEachOffer() {
        var machine = KeepStateMachine()
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        machine.received(.found(Self.peer()))
        #expect(machine.next(among: [], at: start) == nil, "a stranger is visited")
        #expect(machine.next(among: [Self.anna], at: start)?.peer.id == Self.peer().id)
        #expect(machine.next(among: [Self.anna], at: start) == nil, "a visit is going on")
        machine.ended(.complete, of: Self.anna, at: start)
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        // It comes back with the same.
        machine.received(.lost(Self.peer().id))
        machine.received(.found(Self.peer()))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        // It comes back with something else.
        machine.received(.lost(Self.peer().id))
        machine.received(.found(Self.peer(mark: "b")))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(5)) != nil)
        machine.ended(.declined, of: Self.anna, at: start + .seconds(6))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        machine.received(.changed(Self.peer(mark: "c")))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(10)) == nil, "twice within 5 s")
        #expect(machine.next(among: [Self.anna], at: start + .seconds(11)) != nil)
    }

    @Test func aSenderThatDoesNotSayIsVisitedWhenItComesBack() {
        var machine = KeepStateMachine()
        machine.received(.found(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start) != nil)
        machine.ended(.complete, of: Self.anna, at: start)
        machine.received(.changed(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        machine.received(.lost(Self.peer().id))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        machine.received(.found(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start + .seconds(5)) != nil)
    }

    /// No announcement brings the next visit nearer.
    @Test(arguments: [false, true]) func aVisitThatFailedIsRepeatedLaterAndLater(isAnnouncedAnew: Bool) {
        var machine = KeepStateMachine()
        machine.received(.found(Self.peer()))
        var (now, pauses) = (start, [Duration]())
        for attempt in 0..<10 {
            #expect(machine.next(among: [Self.anna], at: now) != nil)
            machine.ended(.failed, of: Self.anna, at: now)
            if isAnnouncedAnew {
                machine.received(.lost(Self.peer().id))
                machine.received(.found(Self.peer(mark: "\(attempt)")))
                machine.received(.changed(Self.peer(mark: nil)))
            }
            var pause: Duration = .zero
            while pause < .seconds(400) {
                pause += .seconds(1)
                var copy = machine
                if copy.next(among: [Self.anna], at: now + pause) != nil { break }
            }
            pauses.append(pause)
            now += pause
        }
        #expect(pauses.map(\.components.seconds) == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300])
        // A visit to a machine that has proved the id begins anew.
        #expect(machine.next(among: [Self.anna], at: now) != nil)
        machine.ended(.complete, of: Self.anna, at: now)
        machine.received(.changed(Self.peer(mark: "new")))
        #expect(machine.next(among: [Self.anna], at: now + .seconds(5)) != nil)
        machine.ended(.failed, of: Self.anna, at: now + .seconds(5))
        #expect(machine.next(among: [Self.anna], at: now + .seconds(9)) == nil)
        #expect(machine.next(among: [Self.anna], at: now + .seconds(10)) != nil)
    }

    @Test func slowSendersDoNotHoldBackOthers() {
        var machine = KeepStateMachine()
        let ids = (1...UInt8(KeepStateMachine.maximumVisitCount + 1)).map { Sample.peerID($0) }
        for number in 1...UInt8(ids.count) { machine.received(.found(Self.peer(number))) }
        let visited = ids.compactMap { _ in machine.next(among: Set(ids), at: start)?.id }
        #expect(visited.count == KeepStateMachine.maximumVisitCount && Set(visited).count == visited.count)
        #expect(machine.runningCount == KeepStateMachine.maximumVisitCount)
        // One of them takes a day. A place that is free is for the one that was not visited yet.
        machine.ended(.failed, of: visited[1], at: start)
        #expect(machine.next(among: Set(ids), at: start + .seconds(9999))?.id == ids.first { !visited.contains($0) })
    }

    @Test func onlyWhatIsAnnouncedAndTrustedIsRemembered() {
        var machine = KeepStateMachine()
        for number in 0..<1000 {
            var peer = Self.peer()
            peer.id = "\(number)"
            machine.received(.found(peer))
            machine.received(.lost(peer.id))
        }
        #expect(machine.count == 0)
        machine.received(.found(Self.peer()))
        _ = machine.next(among: [Self.anna], at: start)
        machine.ended(.failed, of: Self.anna, at: start)
        #expect(machine.count == 2)
        #expect(machine.next(among: [], at: start) == nil)
        #expect(machine.count == 1, "a machine that is not trusted any more is remembered")
    }

    // MARK: Any announcements

    /// What machines announce, and what visits to them would show.
    private struct World {
        /// The ids that a hostile machine announces, and that no machine proves.
        let pretended: [UInt8]
        /// The ids of honest senders, which it announces, too.
        let honest: [UInt8]
        var generator: SeededGenerator
        var machine = KeepStateMachine()
        var now: ContinuousClock.Instant
        var running: [(id: PeerID, end: ContinuousClock.Instant, outcome: KeepStateMachine.Outcome)] = []
        /// When each id was visited.
        var visits: [PeerID: [ContinuousClock.Instant]] = [:]

        var trusted: Set<PeerID> { Set((pretended + honest).map { Sample.peerID($0) }) }

        /// The hostile machine says anything of the false ids, and of those of honest senders that it may use.
        mutating func lie(of ids: [UInt8]) {
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                guard let id = ids.randomElement(using: &generator) else { return }
                let marks: [String?] = [nil, "a", "\(Int.random(in: 0...1_000_000, using: &generator))"]
                let peer = KeepStateMachineTests.peer(id, mark: marks.randomElement(using: &generator) ?? nil)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: machine.received(.lost(peer.id))
                case 1: machine.received(.found(peer))
                default: machine.received(.changed(peer))
                }
            }
        }

        /// Half a second passes.
        ///
        /// Visits to false ids last up to 10 s and fail.
        mutating func pass() {
            now += .milliseconds(500)
            for visit in running where visit.end <= now { machine.ended(visit.outcome, of: visit.id, at: now) }
            running.removeAll { $0.end <= now }
            while let id = machine.next(among: trusted, at: now)?.id {
                visits[id, default: []].append(now)
                let isHonest = honest.contains { Sample.peerID($0) == id }
                let length: Duration = isHonest ? .seconds(1) : .seconds(Int.random(in: 1...10, using: &generator))
                running.append((id, now + length, isHonest ? .complete : .failed))
            }
        }
    }

    /// A hostile machine that announces trusted ids keeps no honest sender waiting, and is visited more and more rarely.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func noAnnouncementChangesWhatVisitsHaveShown(seed: UInt64) throws {
        // The ids of false machines sort before and behind those of honest ones.
        let falseCount = UInt8(2 + seed % 7)
        var world = World(
            pretended: (1...falseCount).map { $0.isMultiple(of: 2) ? $0 : 100 + $0 },
            honest: [50, 51],
            generator: SeededGenerator(seed: seed),
            now: start
        )
        // Each false id is visited once for 10 s before an honest sender, and there are four places.
        let bound = Duration.seconds(10) * Int((falseCount + 3) / 4 + 1) + KeepStateMachine.firstPause
        for round in 0..<20 {
            world.machine.received(.changed(Self.peer(50, mark: "round \(round)")))
            let changed = world.now
            while world.now - changed < .seconds(120) {
                world.lie(of: world.pretended)
                world.pass()
            }
            let visits = try #require(world.visits[Sample.peerID(50)])
            #expect(visits.count == round + 1, "seed \(seed), round \(round)")
            #expect((visits.last ?? start) - changed <= bound, "seed \(seed), round \(round)")
        }
        // In 40 minutes: seven with growing pauses, and then one in five minutes.
        for id in world.pretended {
            let times = world.visits[Sample.peerID(id)] ?? []
            #expect(times.count <= 16, "seed \(seed): \(times.count) visits to a machine that proves nothing")
            for (number, pair) in zip(times, times.dropFirst()).enumerated() {
                #expect(pair.1 - pair.0 >= min(.seconds(5) * (1 << min(number, 10)), .seconds(300)), "seed \(seed)")
            }
        }
    }

    /// If it announces the ids of honest senders, too, each is visited at most once in five seconds, and none is forgotten.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func liesOfHonestSendersAreBounded(seed: UInt64) throws {
        var world = World(pretended: [1, 2], honest: [50, 51], generator: SeededGenerator(seed: seed), now: start)
        for _ in 0..<2400 {
            world.lie(of: world.pretended + world.honest)
            world.pass()
        }
        for id in world.honest {
            let times = try #require(world.visits[Sample.peerID(id)])
            #expect(times.count > 20, "seed \(seed)")
            for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .seconds(5), "seed \(seed)") }
        }
    }
}
