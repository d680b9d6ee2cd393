import PeerProtocol
import Testing

@testable import NearbyPeers

/// What waits for a reader that does not exist yet, and for how long.
@Suite struct ReaderPatienceTests {
    private static let start = ContinuousClock.now
    private let invitations = ReaderPatience.Subject.invitations

    private func time(_ seconds: Double) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    private func lines(_ channel: String = "main") throws -> ReaderPatience.Subject {
        .messages(Inboxes.Key(channel: try #require(LinkName(channel)), name: LinkName("chat.line")))
    }

    /// The time is that from the first arrival on: later ones do not prolong it.
    @Test func theFirstReaderIsAwaitedForALimitedTime() throws {
        let patience = Readers(.seconds(10))
        let lines = try lines()
        #expect(patience.arrived(lines, at: time(0)))
        #expect(patience.arrived(lines, at: time(9)))
        #expect(patience.arrived(invitations, at: time(5)))
        #expect(patience.expire(at: time(9.9)).isEmpty)
        #expect(patience.expire(at: time(10)) == [lines])
        #expect(!patience.arrived(lines, at: time(10)))
        #expect(patience.expire(at: time(14.9)).isEmpty)
        #expect(patience.expire(at: time(15)) == [invitations])
        #expect(patience.expire(at: time(100)).isEmpty)
        #expect(!patience.arrived(invitations, at: time(100)))
    }

    /// Nothing is kept after its end, although nobody has looked at the time.
    @Test func theEndCountsAlsoBeforeAnybodyLooks() throws {
        let patience = Readers(.seconds(10))
        #expect(patience.arrived(invitations, at: time(0)))
        #expect(!patience.arrived(invitations, at: time(10)))
    }

    @Test func aReaderEndsTheWait() throws {
        let patience = Readers(.seconds(10))
        #expect(patience.arrived(invitations, at: time(0)))
        #expect(patience.began(invitations) && patience.isRead(invitations))
        #expect(!patience.began(invitations))
        #expect(patience.expire(at: time(20)).isEmpty)
        #expect(patience.arrived(invitations, at: time(20)))
    }

    /// An application that has read enough is no application that has not begun.
    @Test func nothingWaitsForAReaderThatHasGone() throws {
        let patience = Readers(.seconds(10))
        #expect(patience.began(invitations))
        patience.ended(invitations)
        #expect(!patience.arrived(invitations, at: time(0)))
        #expect(patience.began(invitations))
    }

    @Test func aReaderMayComeAfterTheTime() throws {
        let patience = Readers(.seconds(10))
        #expect(patience.arrived(invitations, at: time(0)))
        #expect(patience.expire(at: time(10)) == [invitations])
        #expect(patience.began(invitations))
        #expect(patience.arrived(invitations, at: time(11)))
    }

    @Test func withoutPatienceNothingWaits() throws {
        let patience = Readers(.zero)
        #expect(!patience.arrived(invitations, at: time(0)))
        #expect(patience.stages.isEmpty)
    }

    /// A peer may invent channels, and their number stays limited, also over a long time.
    @Test func fewSubjectsWait() throws {
        let patience = Readers(.seconds(10))
        for number in 0..<1000 {
            let isKept = patience.arrived(try lines("c\(number)"), at: time(Double(number)))
            #expect(isKept == (number < ReaderPatience.maximumCount))
            _ = patience.expire(at: time(Double(number)))
        }
        #expect(patience.stages.count == ReaderPatience.maximumCount)
        // What the application reads is not limited.
        #expect(patience.began(try lines("mine")))
        #expect(patience.arrived(try lines("mine"), at: time(1000)))
    }
}

/// The value that is tested, which changes within expectations.
private final class Readers {
    private var patience: ReaderPatience

    init(_ duration: Duration) { patience = ReaderPatience(duration) }

    var stages: [ReaderPatience.Subject: ReaderPatience.Stage] { patience.stages }

    func arrived(_ subject: ReaderPatience.Subject, at now: ContinuousClock.Instant) -> Bool {
        patience.arrived(subject, at: now)
    }

    func began(_ subject: ReaderPatience.Subject) -> Bool { patience.began(subject) }
    func ended(_ subject: ReaderPatience.Subject) { patience.ended(subject) }
    func isRead(_ subject: ReaderPatience.Subject) -> Bool { patience.isRead(subject) }
    func expire(at now: ContinuousClock.Instant) -> [ReaderPatience.Subject] { patience.expire(at: now) }
}
