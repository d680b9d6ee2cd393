import PeerProtocol
import PeerTestSupport
import Testing

/// Rosters that exchange records by chance know the same in the end.
@Suite struct RosterConvergenceTests {
    /// Members whose connections come and go.
    ///
    /// Records arrive in any order, and are lost with their connection.
    private struct Village {
        struct Parcel {
            var sender: Int
            var receiver: Int
            var records: [MemberRecord]
        }

        var random: SeededGenerator
        var rosters: [RosterStateMachine] = []
        var runs: [UInt64] = []
        var isGone: [Bool] = []
        var parcels: [Parcel] = []
        var now = ContinuousClock.now

        init(count: Int, seed: UInt64) {
            random = SeededGenerator(seed: seed)
            for index in 0..<count {
                runs.append(0)
                isGone.append(false)
                rosters.append(Self.roster(index, run: 0))
            }
        }

        static func id(_ index: Int) -> PeerID { PeerID(digest: ContentDigest(hashing: [UInt8(index)])) }

        static func roster(_ index: Int, run: UInt64) -> RosterStateMachine {
            RosterStateMachine(
                own: MemberRecord(
                    id: id(index),
                    incarnation: Incarnation(high: UInt64(index), low: run),
                    displayName: "\(index)"
                ),
                introduces: true
            )
        }

        func areConnected(_ one: Int, _ two: Int) -> Bool { rosters[one].connected.contains(Self.id(two)) }

        mutating func connect(_ one: Int, _ two: Int) {
            guard one != two, !isGone[one], !isGone[two], !areConnected(one, two) else { return }
            rosters[one].connected(Self.id(two), at: now)
            rosters[two].connected(Self.id(one), at: now)
        }

        mutating func disconnect(_ one: Int, _ two: Int) {
            guard one != two, areConnected(one, two) else { return }
            _ = rosters[one].disconnected(Self.id(two), at: now)
            _ = rosters[two].disconnected(Self.id(one), at: now)
            parcels.removeAll { [one, two] == [$0.sender, $0.receiver] || [two, one] == [$0.sender, $0.receiver] }
        }

        mutating func collect() {
            for sender in rosters.indices {
                for peer in rosters[sender].peersToTell {
                    guard let receiver = rosters.indices.first(where: { Self.id($0) == peer }) else { continue }
                    let records = rosters[sender].takeRecords(for: peer)
                    parcels.append(Parcel(sender: sender, receiver: receiver, records: records))
                }
            }
        }

        mutating func deliver() {
            guard let index = parcels.indices.randomElement(using: &random) else { return }
            let parcel = parcels.remove(at: index)
            let sender = Self.id(parcel.sender)
            guard rosters[parcel.receiver].connected.contains(sender) else { return }
            _ = rosters[parcel.receiver].received(parcel.records, from: sender, at: now)
        }

        mutating func step() {
            let one = rosters.indices.randomElement(using: &random) ?? 0
            let two = rosters.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<24, using: &random) {
            case 0...2: connect(one, two)
            case 3: disconnect(one, two)
            case 4:
                guard !isGone[one] else { break }
                for other in rosters.indices { disconnect(one, other) }
                runs[one] += 1
                rosters[one] = Self.roster(one, run: runs[one])
            case 5 where rosters.count > 2 && isGone.count(where: { $0 }) == 0:
                rosters[one].leave()
                collect()
                while parcels.contains(where: { $0.sender == one }) { deliver() }
                for other in rosters.indices { disconnect(one, other) }
                isGone[one] = true
            case 6...9: now += .milliseconds(300)
            default: deliver()
            }
            for index in rosters.indices { rosters[index].tick(at: now) }
            collect()
        }

        mutating func forgetTheLost() {
            for index in rosters.indices {
                for id in rosters[index].members.keys where !rosters[index].connected.contains(id) {
                    if !rosters[index].isVouchedFor(id) { rosters[index].forget(id, at: now) }
                }
            }
        }

        /// No more faults: all are connected, and everything arrives.
        mutating func settle() {
            for one in rosters.indices { for two in rosters.indices { connect(one, two) } }
            for round in 0..<16 {
                // Nobody has heard of some departures: they are given up, as sessions do it after a while.
                if round == 8 { forgetTheLost() }
                while !parcels.isEmpty {
                    deliver()
                    collect()
                }
                now += .seconds(1)
                for index in rosters.indices { rosters[index].tick(at: now) }
                collect()
            }
        }
    }

    @Test(arguments: 1...300)
    func rostersBecomeEqual(seed: UInt64) {
        var village = Village(count: 2 + Int(seed % 6), seed: seed)
        for _ in 0..<200 { village.step() }
        village.settle()
        let present = village.rosters.indices.filter { !village.isGone[$0] }
        for index in present {
            let roster = village.rosters[index]
            let others = present.filter { $0 != index }
            #expect(Set(roster.members.keys) == Set(others.map(Village.id)))
            for other in others {
                #expect(roster.members[Village.id(other)]?.record == village.rosters[other].own)
            }
            #expect(roster.links.values.allSatisfy { $0.count == others.count })
        }
    }
}
