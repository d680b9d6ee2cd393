import PeerProtocol
import Testing

/// When members that are not connected are tried again, and when they are forgotten.
@Suite struct RosterAbsenceTests {
    private static let start = ContinuousClock.now
    private let ben = Self.id("ben")
    private let dan = Self.id("dan")
    private let patience = RosterStateMachine.Patience(absence: .seconds(630), pause: .seconds(15))

    private static func id(_ name: String) -> PeerID { PeerID(digest: ContentDigest(hashing: Array(name.utf8))) }

    private func time(_ seconds: Double) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    private func record(_ id: PeerID, _ counter: UInt64 = 1, links: [PeerID] = []) -> MemberRecord {
        MemberRecord(
            id: id,
            incarnation: Incarnation(high: 1, low: 1),
            counter: counter,
            displayName: id.short,
            links: links.map { MemberRecord.Mark(of: $0) }
        )
    }

    /// Anna's roster: Ben is connected, and has told of Dan.
    private func roster(danIsVouchedFor: Bool = false) -> RosterStateMachine {
        var roster = RosterStateMachine(own: record(Self.id("anna"), 0), introduces: true)
        roster.connected(ben, at: time(0))
        let records = [record(ben, links: danIsVouchedFor ? [dan] : []), record(dan)]
        #expect(roster.received(records, from: ben, at: time(0)) == [.update(ben), .introduce(dan)])
        return roster
    }

    private func look(
        _ roster: inout RosterStateMachine,
        _ seconds: Double,
        _ obstacle: RosterStateMachine.Obstacle
    ) -> [RosterStateMachine.Action] {
        roster.lookAtAbsent(at: time(seconds), patience: patience) { _ in obstacle }
    }

    @Test(arguments: [(RosterStateMachine.Obstacle.none, 15.0), (.hasDeclined, 60)])
    func anAbsentMemberIsTriedAgainAfterAPause(obstacle: RosterStateMachine.Obstacle, pause: Double) {
        var roster = roster()
        for round in 0..<3 {
            let begin = Double(round) * 100
            #expect(look(&roster, begin, .isBusy).isEmpty)
            #expect(look(&roster, begin + 1, obstacle).isEmpty)
            #expect(look(&roster, begin + pause + 0.9, obstacle).isEmpty)
            #expect(look(&roster, begin + pause + 1, obstacle) == [.introduce(dan)])
        }
    }

    @Test func whoHasLeftIsNotTriedAgain() {
        var roster = roster()
        for second in stride(from: 0.0, to: 600, by: 10) { #expect(look(&roster, second, .isFinal).isEmpty) }
    }

    @Test func whoIsNotConnectedWithAnybodyIsForgotten() {
        var roster = roster()
        #expect(look(&roster, 629.9, .isBusy).isEmpty)
        #expect(look(&roster, 630, .isBusy) == [.forget(dan)])
        #expect(roster.members[dan] == nil && look(&roster, 700, .none).isEmpty)
    }

    @Test func whoIsVouchedForStays() {
        var roster = roster(danIsVouchedFor: true)
        #expect(look(&roster, 1000, .isBusy).isEmpty && roster.members[dan] != nil)
    }

    /// The time counts from the last connection.
    @Test func whoWasConnectedMeanwhileIsNotForgotten() {
        var roster = roster()
        roster.connected(dan, at: time(600))
        #expect(look(&roster, 700, .none).isEmpty)
        _ = roster.disconnected(dan, at: time(800))
        #expect(look(&roster, 1429, .isBusy).isEmpty)
        #expect(look(&roster, 1430, .isBusy) == [.forget(dan)])
    }
}
