import NIOConcurrencyHelpers

/// Limits automatic connection attempts to eight at a time.
///
/// Announcements, links and members of groups name peers and addresses. Without a limit, one of them could make this machine open
/// any number of connections at once. Attempts to resume a link come first, and two slots are reserved for them.
final class DialPace: Sendable {
    /// The maximum number of attempts at the same time.
    static let maximumCount = 8
    /// How many of these attempts may be to peers without a link.
    static let maximumCountWithoutLink = 6
    /// The minimum time for which a failed attempt to a peer without a link keeps its slot.
    static let minimumSlotTime: Duration = .seconds(1)

    private struct Waiter {
        var number: Int
        var hasLink: Bool
        var start: ReadyQueue<Void>
    }

    private struct State {
        var count = 0
        var countWithoutLink = 0
        var waiting: [Waiter] = []
        var lastNumber = 0

        mutating func begin(_ hasLink: Bool) -> Bool {
            guard count < maximumCount, hasLink || countWithoutLink < maximumCountWithoutLink else { return false }
            count += 1
            if !hasLink { countWithoutLink += 1 }
            return true
        }
    }

    private let box = NIOLockedValueBox(State())

    /// Waits for a slot; returns false if the task was cancelled first.
    func begin(hasLink: Bool) async -> Bool {
        let start = ReadyQueue<Void>(maximumCount: 1)
        let number = box.withLockedValue { state -> Int? in
            if state.begin(hasLink) { return nil }
            state.lastNumber += 1
            state.waiting.append(Waiter(number: state.lastNumber, hasLink: hasLink, start: start))
            return state.lastNumber
        }
        guard let number else { return true }
        if await start.next() != nil { return true }
        let wasWaiting = box.withLockedValue { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0.number == number }
            return state.waiting.count < count
        }
        // The attempt got its slot at the moment at which the task was cancelled.
        if !wasWaiting { end(hasLink: hasLink) }
        return false
    }

    /// Returns a slot, and lets waiting attempts begin.
    func end(hasLink: Bool) {
        let due = box.withLockedValue { state -> [ReadyQueue<Void>] in
            state.count -= 1
            if !hasLink { state.countWithoutLink -= 1 }
            var due: [ReadyQueue<Void>] = []
            for isFirst in [true, false] {
                while let position = state.waiting.firstIndex(where: { $0.hasLink == isFirst }), state.begin(isFirst) {
                    due.append(state.waiting.remove(at: position).start)
                }
            }
            return due
        }
        for start in due { start.add(()) }
    }
}
