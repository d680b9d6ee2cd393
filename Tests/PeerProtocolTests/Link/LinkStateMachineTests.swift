import NIOCore
import PeerProtocol
import Testing

/// Each cell of the table of records, in the order of its rows.
@Suite struct LinkStateMachineTests {
    static let start = ContinuousClock.now

    static func record(_ number: Int, length: Int = 8) -> Record {
        var payload = ByteBuffer(integer: UInt64(number))
        payload.writeRepeatingByte(0, count: length - 8)
        return Record(.bytes, payload: payload)
    }

    private func attached(_ limits: LinkLimits = .standard) -> LinkStateMachine {
        var link = LinkStateMachine(limits: limits, start: Self.start)
        expect(link.prepare(at: Self.start), equals: .announce(received: 0))
        expect(link.attached(to: 1, received: 0), equals: .replay([]))
        return link
    }

    private func ended() -> LinkStateMachine {
        var link = attached()
        _ = link.end()
        return link
    }

    private var limits: LinkLimits {
        var limits = LinkLimits.standard
        // Room for three small records.
        limits.maximumKeptLength = 3 * Self.record(0).cost
        return limits
    }

    // MARK: attached

    @Test func anAttachedLinkNumbersKeepsAndWrites() {
        var link = attached(limits)
        for number in 1...3 { expect(link.send(Self.record(number)), equals: .write) }
        #expect(link.room == 0)
        expect(link.send(Self.record(4)), equals: .full)
        expect(link.receivedAcknowledgement(1, on: 1), equals: .release(Self.record(0).cost))
        expect(link.send(Self.record(4)), equals: .write)
        _ = link.prepare(at: Self.start)
        expect(link.attached(to: 2, received: 1), equals: .replay([2, 3, 4].map { Self.record($0) }))
    }

    @Test func anAttachedLinkCountsAndDelivers() {
        var link = attached()
        expect(link.received(length: 10, on: 1, at: Self.start), equals: .deliver)
        #expect(link.received == 1)
        expect(link.received(length: 10, on: 2, at: Self.start), equals: .none)
        #expect(link.received == 1)
        expect(link.tick(at: Self.start + .milliseconds(19)), equals: .none)
        #expect(link.nextTick == Self.start + .milliseconds(20))
        expect(link.tick(at: Self.start + .milliseconds(20)), equals: .acknowledge(1))
        #expect(link.nextTick == nil)
        expect(link.tick(at: Self.start + .seconds(100)), equals: .none)
    }

    @Test(arguments: [(65_535, false), (65_536, true)])
    func muchIsAcknowledgedAtOnce(length: Int, isAtOnce: Bool) {
        var link = attached()
        _ = link.received(length: length, on: 1, at: Self.start)
        expect(link.tick(at: Self.start), equals: isAtOnce ? .acknowledge(1) : .none)
    }

    @Test func aCreditIsDueSoonOrAtOnce() {
        var link = attached()
        link.creditRaised(isUrgent: false, at: Self.start)
        #expect(link.nextTick == Self.start + .milliseconds(20))
        link.creditRaised(isUrgent: true, at: Self.start + .milliseconds(5))
        #expect(link.nextTick == Self.start + .milliseconds(5))
        link.creditRaised(isUrgent: false, at: Self.start + .milliseconds(6))
        expect(link.tick(at: Self.start + .milliseconds(5)), equals: .acknowledge(0))
    }

    @Test func acknowledgementsReleaseRecords() {
        var link = attached()
        for number in 1...3 { _ = link.send(Self.record(number)) }
        expect(link.receivedAcknowledgement(2, on: 1), equals: .release(2 * Self.record(0).cost))
        expect(link.receivedAcknowledgement(2, on: 1), equals: .none)
        expect(link.receivedAcknowledgement(1, on: 1), equals: .none)
        expect(link.receivedAcknowledgement(3, on: 2), equals: .none)
        #expect(link.room == LinkLimits.standard.maximumKeptLength - Self.record(0).cost)
        expect(link.end(), equals: .lost([Self.record(3)]))
    }

    @Test func anAcknowledgementOfWhatWasNotSentEndsTheLink() {
        for count in [2, UInt64.max] {
            var link = attached()
            _ = link.send(Self.record(1))
            guard case .violated(let error) = link.receivedAcknowledgement(count, on: 1) else {
                Issue.record("taken")
                continue
            }
            #expect(error.code == .unexpectedFrame)
            expect(link.prepare(at: Self.start), equals: .none)
            expect(link.send(Self.record(2)), equals: .refuse)
        }
    }

    @Test func anAttachedLinkIsNotAttachedAgainWithoutBeingPrepared() {
        var link = attached()
        expect(link.attached(to: 2, received: 0), equals: .none)
        expect(link.received(length: 1, on: 1, at: Self.start), equals: .deliver)
    }

    @Test func nothingFromTheOldConnectionCountsOnceTheCountIsAnnounced() {
        var link = attached()
        _ = link.received(length: 1, on: 1, at: Self.start)
        _ = link.send(Self.record(1))
        expect(link.prepare(at: Self.start), equals: .announce(received: 1))
        expect(link.received(length: 1, on: 1, at: Self.start), equals: .none)
        expect(link.receivedAcknowledgement(1, on: 1), equals: .none)
        #expect(link.received == 1)
        expect(link.attached(to: 2, received: 0), equals: .replay([Self.record(1)]))
        expect(link.received(length: 1, on: 1, at: Self.start), equals: .none)
        link.detached(from: 1, at: Self.start)
        #expect(link.isAttached)
    }

    @Test func theLastRecordNeedsNoRoom() {
        var link = attached(limits)
        for number in 1...3 { expect(link.send(Self.record(number)), equals: .write) }
        expect(link.send(Self.record(4)), equals: .full)
        expect(link.send(Self.record(4), isLast: true), equals: .write)
        #expect(link.room == 0)
        expect(link.receivedAcknowledgement(4, on: 1), equals: .release(4 * Self.record(0).cost))
    }

    // MARK: detached

    @Test func aDetachedLinkHoldsUntilItIsFull() {
        var link = attached(limits)
        link.detached(from: 1, at: Self.start)
        #expect(!link.isAttached)
        for number in 1...3 { expect(link.send(Self.record(number)), equals: .hold) }
        expect(link.send(Self.record(4)), equals: .full)
        expect(link.attached(to: 2, received: 0), equals: .replay((1...3).map { Self.record($0) }))
        expect(link.receivedAcknowledgement(3, on: 2), equals: .release(3 * Self.record(0).cost))
    }

    @Test(arguments: [(0, nil), (1, nil), (2, [3]), (3, []), (4, nil)] as [(UInt64, [Int]?)])
    func whatIsReplayedBeginsBehindWhatWasReceived(count: UInt64, replayed: [Int]?) {
        var link = attached()
        for number in 1...3 { _ = link.send(Self.record(number)) }
        _ = link.receivedAcknowledgement(2, on: 1)
        link.detached(from: 1, at: Self.start)
        switch link.attached(to: 2, received: count) {
        case .replay(let records): #expect(records == replayed?.map { Self.record($0) })
        case .violated(let error):
            #expect(replayed == nil)
            #expect(error.code == .unexpectedFrame)
            expect(link.prepare(at: Self.start), equals: .none)
        case .none: Issue.record("not attached")
        }
    }

    @Test func anOldConnectionIsNotAttached() {
        var link = attached()
        link.detached(from: 1, at: Self.start)
        expect(link.attached(to: 1, received: 0), equals: .none)
        #expect(!link.isAttached)
    }

    @Test func aDetachedLinkEndsWhenItsTimeIsOver() {
        var link = attached()
        for number in 1...2 { _ = link.send(Self.record(number)) }
        _ = link.receivedAcknowledgement(1, on: 1)
        _ = link.received(length: 1, on: 1, at: Self.start)
        link.detached(from: 1, at: Self.start + .seconds(1))
        #expect(link.nextTick == Self.start + .seconds(31))
        // Attempts to connect do not give it more time.
        expect(link.prepare(at: Self.start + .seconds(20)), equals: .announce(received: 1))
        link.creditRaised(isUrgent: true, at: Self.start)
        expect(link.tick(at: Self.start + .milliseconds(30_999)), equals: .none)
        expect(link.tick(at: Self.start + .seconds(31)), equals: .lost([Self.record(2)]))
        expect(link.prepare(at: Self.start), equals: .none)
        expect(link.tick(at: Self.start + .seconds(32)), equals: .none)
    }

    // MARK: ended

    @Test func nothingHappensAfterTheEnd() {
        var link = ended()
        expect(link.send(Self.record(1)), equals: .refuse)
        expect(link.received(length: 1, on: 1, at: Self.start), equals: .none)
        expect(link.receivedAcknowledgement(9, on: 1), equals: .none)
        expect(link.prepare(at: Self.start), equals: .none)
        expect(link.attached(to: 2, received: 9), equals: .none)
        link.detached(from: 1, at: Self.start)
        link.creditRaised(isUrgent: true, at: Self.start)
        expect(link.tick(at: Self.start + .seconds(99)), equals: .none)
        expect(link.end(), equals: .none)
        #expect(link.nextTick == nil)
    }
}
