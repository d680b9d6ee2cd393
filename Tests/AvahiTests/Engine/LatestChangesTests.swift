import Avahi
import Testing

@Suite struct LatestChangesTests {
    private enum Event: LatestChange, Equatable {
        case found(Int, String)
        case changed(Int, String)
        case lost(Int)
        case allForNow

        var subject: Int {
            switch self {
            case .found(let number, _), .changed(let number, _), .lost(let number): number
            case .allForNow: -1
            }
        }
        var kind: ChangeKind {
            switch self {
            case .found: .found
            case .changed: .changed
            case .lost: .lost
            case .allForNow: .word
            }
        }
        var asFound: Event { if case .changed(let number, let text) = self { .found(number, text) } else { self } }
    }

    private func left(of events: [Event], afterReading count: Int = 0) async -> [Event] {
        let changes = LatestChanges<Event>()
        for event in events.prefix(count) { changes.add(event) }
        for _ in 0..<count { _ = await changes.next() }
        for event in events.dropFirst(count) { changes.add(event) }
        changes.finish()
        var left: [Event] = []
        while let event = await changes.next() { left.append(event) }
        return left
    }

    @Test func onlyWhatStillCountsIsRead() async {
        #expect(await left(of: [.found(1, "a"), .found(2, "b"), .lost(1)]) == [.found(2, "b")])
        #expect(await left(of: [.found(1, "a"), .changed(1, "b"), .changed(1, "c")]) == [.found(1, "c")])
        #expect(await left(of: [.found(1, "a"), .changed(1, "b"), .lost(1)], afterReading: 1) == [.lost(1)])
        let again: [Event] = [.found(1, "a"), .lost(1), .found(1, "b")]
        #expect(await left(of: again, afterReading: 1) == [.lost(1), .found(1, "b")])
        #expect(await left(of: again + [.lost(1)], afterReading: 1) == [.lost(1)])
    }

    @Test func aWordComesAfterWhatWasSaidBefore() async {
        #expect(
            await left(of: [.found(1, "a"), .allForNow, .found(2, "b"), .allForNow])
                == [.found(1, "a"), .found(2, "b"), .allForNow]
        )
    }

    /// A machine on the network announces ever new services, and nobody reads.
    @Test func whatComesAndGoesLeavesNothing() async {
        let changes = LatestChanges<Event>()
        changes.add(.found(-2, "stays"))
        for number in 0..<100_000 {
            changes.add(.found(number, "x"))
            if number >= 10 { changes.add(.lost(number - 10)) }
        }
        #expect(changes.count == 11)
        #expect(await changes.next() == .found(-2, "stays"))
        #expect(await changes.next() == .found(99_990, "x"))
    }

    @Test func aReaderThatWaitsGetsTheNextChange() async {
        let changes = LatestChanges<Event>()
        async let first = changes.next()
        changes.add(.found(1, "a"))
        #expect(await first == .found(1, "a"))
        let waiting = Task { await changes.next() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        changes.add(.lost(1))
        #expect(await changes.next() == .lost(1))
        changes.finish()
        #expect(await changes.next() == nil)
    }
}
