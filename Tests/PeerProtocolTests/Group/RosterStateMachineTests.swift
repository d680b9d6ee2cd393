import FoundationEssentials
import PeerProtocol
import Testing

/// The rows of the table in Groups, "The roster".
@Suite struct RosterStateMachineTests {
    private static let start = ContinuousClock.now
    private let anna = Self.id("anna")
    private let ben = Self.id("ben")
    private let cara = Self.id("cara")
    private let dan = Self.id("dan")

    private static func id(_ name: String) -> PeerID { PeerID(digest: ContentDigest(hashing: Array(name.utf8))) }

    private func record(_ id: PeerID, _ counter: UInt64 = 1, _ status: MemberRecord.Status = .present) -> MemberRecord {
        MemberRecord(
            id: id,
            incarnation: Incarnation(high: 1, low: 1),
            counter: counter,
            status: status,
            displayName: id.short
        )
    }

    private func time(_ seconds: Double) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    /// Anna's roster, connected with peers, which have been sent everything.
    private func roster(_ peers: [PeerID], introduces: Bool = true) -> RosterStateMachine {
        var roster = RosterStateMachine(own: record(anna, 0), introduces: introduces)
        for peer in peers {
            roster.connected(peer, at: time(0))
            _ = roster.received([record(peer)], from: peer, at: time(0))
        }
        roster.tick(at: time(1))
        for peer in peers { _ = roster.takeRecords(for: peer) }
        return roster
    }

    @Test func aPeerThatIsConnectedGetsEverything() {
        var roster = roster([ben])
        roster.connected(cara, at: time(10))
        #expect(Set(roster.takeRecords(for: cara).map(\.id)) == [anna, ben])
        #expect(roster.own.links == [MemberRecord.Mark(of: ben), MemberRecord.Mark(of: cara)].sorted())
        #expect(roster.takeRecords(for: ben).map(\.id) == [anna])
        #expect(roster.takeRecords(for: ben).isEmpty)
    }

    @Test func inAStarAPeerGetsOnlyTheOwnRecord() {
        var roster = roster([ben], introduces: false)
        roster.connected(cara, at: time(10))
        #expect(roster.takeRecords(for: cara).map(\.id) == [anna])
        #expect(roster.received([record(dan)], from: ben, at: time(10)).isEmpty)
        #expect(roster.members[dan] == nil)
    }

    @Test func theOwnRecordChangesOnceASecondAtMost() {
        var roster = roster([ben])
        roster.connected(cara, at: time(5))
        let counter = roster.own.counter
        roster.connected(dan, at: time(5.5))
        #expect(roster.own.counter == counter && roster.own.links.count == 2)
        roster.tick(at: time(5.9))
        #expect(roster.own.counter == counter)
        roster.tick(at: time(6))
        #expect(roster.own.counter == counter + 1 && roster.own.links.count == 3)
        roster.tick(at: time(20))
        #expect(roster.own.counter == counter + 1)
    }

    @Test func whoeverIsNewIsIntroduced() {
        var roster = roster([ben, cara])
        #expect(roster.received([record(dan)], from: ben, at: time(2)) == [.introduce(dan)])
        #expect(roster.members[dan]?.introducer == ben)
        #expect(roster.takeRecords(for: cara).map(\.id) == [dan])
        #expect(roster.takeRecords(for: ben).isEmpty)
        // Whoever tells it again tells nothing new.
        #expect(roster.received([record(dan)], from: cara, at: time(3)).isEmpty)
        #expect(roster.received([record(dan, 2)], from: cara, at: time(3)) == [.update(dan)])
    }

    @Test func whoeverHasLeftIsRemovedUnlessItIsConnected() {
        var roster = roster([ben, cara])
        _ = roster.received([record(dan)], from: ben, at: time(2))
        #expect(roster.received([record(dan, 2, .left)], from: ben, at: time(2)) == [.remove(dan, isOwnWord: false)])
        #expect(roster.members[dan] == nil)
        // Older news does not bring it back, newer does.
        #expect(roster.received([record(dan, 1), record(dan, 2)], from: cara, at: time(3)).isEmpty)
        #expect(roster.received([record(dan, 3)], from: cara, at: time(3)) == [.introduce(dan)])
        // As long as there is a connection, its two ends speak for it.
        #expect(roster.received([record(cara, 9, .left)], from: ben, at: time(4)).isEmpty)
        #expect(roster.takeRecords(for: cara).contains { $0.id == cara && $0.status == .left })
        #expect(roster.disconnected(cara, at: time(5)) == [.remove(cara, isOwnWord: false)])
    }

    @Test func aMembersOwnWordIsToldFromThatOfOthers() {
        var roster = roster([ben, cara])
        #expect(roster.received([record(cara, 2, .left)], from: cara, at: time(4)).isEmpty)
        #expect(roster.disconnected(cara, at: time(5)) == [.remove(cara, isOwnWord: true)])
        #expect(roster.isSaidToHaveLeft(cara) && !roster.isSaidToHaveLeft(ben))
        // Somebody else has said the same before.
        _ = roster.received([record(ben, 2, .left)], from: dan, at: time(6))
        _ = roster.received([record(ben, 2, .left)], from: ben, at: time(6))
        #expect(roster.disconnected(ben, at: time(7)) == [.remove(ben, isOwnWord: true)])
    }

    /// Members that do not exist do not keep real members out.
    @Test func absentMembersMakeRoom() {
        func stranger(_ number: Int) -> PeerID { Self.id("stranger \(number)") }
        var roster = roster([ben, cara])
        _ = roster.received((0..<63).map { record(stranger($0)) }, from: ben, at: time(2))
        #expect(roster.members.count == 63 && roster.members[stranger(60)] != nil)
        // One that another member introduces, and one that is connected.
        #expect(roster.received([record(dan)], from: cara, at: time(3)) == [.introduce(dan)])
        let eve = Self.id("eve")
        roster.connected(eve, at: time(4))
        #expect(roster.received([record(eve)], from: eve, at: time(4)) == [.update(eve)])
        #expect(roster.members.count == 63 && roster.members[ben] != nil && roster.members[cara] != nil)
        // The liar itself gets no more.
        #expect(roster.received([record(stranger(100))], from: ben, at: time(5)).isEmpty)
        #expect(roster.members[dan]?.introducer == cara)
    }

    @Test func aDepartureIsForgottenAfterTenMinutes() {
        var roster = roster([ben])
        _ = roster.received([record(dan, 5, .left)], from: ben, at: time(2))
        roster.tick(at: time(601))
        #expect(roster.received([record(dan, 1)], from: ben, at: time(601.5)).isEmpty)
        roster.tick(at: time(602))
        #expect(roster.received([record(dan, 1)], from: ben, at: time(602)) == [.introduce(dan)])
    }

    @Test(arguments: [MemberRecord.Status.left, .present])
    func whatIsNotSoIsRefuted(status: MemberRecord.Status) {
        var roster = roster([ben])
        var lie = record(anna, roster.own.counter + 3, status)
        lie.displayName = "somebody else"
        #expect(roster.received([lie], from: ben, at: time(10)).isEmpty)
        #expect(roster.own.counter == lie.counter + 1 && roster.own.status == .present)
        #expect(roster.takeRecords(for: ben) == [roster.own])
        // What is old does not matter.
        lie.counter = 1
        _ = roster.received([lie], from: ben, at: time(20))
        #expect(roster.takeRecords(for: ben).isEmpty)
    }

    @Test func countersThatLeaveNoRoomCountOnlyFromTheirOwner() {
        var roster = roster([ben, cara])
        let high = MemberRecord.maximumCounterOfOthers + 1
        #expect(roster.received([record(dan, high)], from: ben, at: time(2)).isEmpty)
        #expect(roster.received([record(cara, high, .left)], from: ben, at: time(2)).isEmpty)
        #expect(roster.members[cara] != nil)
        _ = roster.received([record(anna, high)], from: ben, at: time(2))
        #expect(roster.own.counter < high)
        #expect(roster.received([record(cara, high)], from: cara, at: time(2)) == [.update(cara)])
        #expect(roster.members[cara]?.record.counter == high)
    }

    @Test func aMemberThatIsGivenUpComesBackOnlyWithNews() {
        var roster = roster([ben])
        _ = roster.received([record(dan, 4)], from: ben, at: time(2))
        roster.forget(dan, at: time(3))
        #expect(roster.members[dan] == nil)
        #expect(roster.received([record(dan, 4)], from: ben, at: time(4)).isEmpty)
        #expect(roster.received([record(dan, 5)], from: ben, at: time(4)) == [.introduce(dan)])
        roster.forget(dan, at: time(5))
        // A restarted program has a lower counter, and its own word counts.
        roster.connected(dan, at: time(6))
        #expect(roster.received([record(dan, 1)], from: dan, at: time(6)) == [.update(dan)])
    }

    @Test func somebodyIsVouchedForByThoseWhoSeeIt() {
        var roster = roster([ben])
        _ = roster.received([record(dan)], from: ben, at: time(2))
        #expect(!roster.isVouchedFor(dan))
        var seen = record(ben, 2)
        seen.links = [MemberRecord.Mark(of: dan)]
        _ = roster.received([seen], from: ben, at: time(2))
        #expect(roster.isVouchedFor(dan))
        #expect(roster.links == [anna: [ben], ben: [dan], dan: []])
        _ = roster.disconnected(ben, at: time(3))
        #expect(!roster.isVouchedFor(dan))
    }

    @Test func leavingIsTold() {
        var roster = roster([ben, cara])
        roster.leave()
        #expect(roster.takeRecords(for: ben).map(\.status) == [.left])
        #expect(roster.takeRecords(for: cara).map(\.id) == [anna])
        // Nobody can keep it in the group.
        _ = roster.received([record(anna, 99)], from: ben, at: time(9))
        #expect(roster.own.status == .left)
    }

    @Test func theGroupIsBounded() {
        var roster = roster([ben])
        let strangers = (0..<80).map { record(Self.id("stranger \($0)")) }
        let actions = roster.received(strangers, from: ben, at: time(2))
        #expect(actions.count == MemberRecord.maximumMemberCount - 2)
        #expect(roster.memberCount == MemberRecord.maximumMemberCount)
        let gone = (0..<200).map { record(Self.id("gone \($0)"), 1, .left) }
        _ = roster.received(gone, from: ben, at: time(3))
        roster.connected(cara, at: time(4))
        #expect(roster.takeRecords(for: cara).count <= 2 * MemberRecord.maximumMemberCount)
    }

    @Test func theOrderOfRecordsIsTotal() {
        var other = record(ben, 1)
        other.displayName = "another"
        let records = [record(ben, 1), other, record(ben, 1, .left), record(ben, 2)]
        for one in records {
            #expect(!one.supersedes(one))
            for two in records where one != two { #expect(one.supersedes(two) != two.supersedes(one)) }
        }
    }
}
