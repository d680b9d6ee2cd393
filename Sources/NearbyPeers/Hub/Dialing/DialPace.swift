import NIOConcurrencyHelpers

/// Limits automatic connection attempts to eight at a time.
///
/// Announcements, links and members of groups name peers and addresses. Without a limit, one of them could make this machine open
/// any number of connections at once. Attempts to resume a link come first, and two places are reserved for them.
final class DialPace: Sendable {
    /// The maximum number of attempts at the same time.
    static let maximumCount = 8
    /// How many of these attempts may be to peers without a link.
    static let maximumCountWithoutLink = 6
    /// The minimum time for which a failed attempt to a peer without a link keeps its place.
    static let shortestTurn: Duration = .seconds(1)

    private struct Waiter {
        var number: Int
        var hasLink: Bool
        var turn: ReadyQueue<Void>
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

    /// Waits for a place.
    ///
    /// - Parameter hasLink: Whether there is a link with the peer, which is being resumed.
    /// - Returns: Whether the attempt may begin; false if the task was cancelled first.
    func begin(hasLink: Bool) async -> Bool {
        let turn = ReadyQueue<Void>(maximumCount: 1)
        let number = box.withLockedValue { state -> Int? in
            if state.begin(hasLink) { return nil }
            state.lastNumber += 1
            state.waiting.append(Waiter(number: state.lastNumber, hasLink: hasLink, turn: turn))
            return state.lastNumber
        }
        guard let number else { return true }
        if await turn.next() != nil { return true }
        let wasWaiting = box.withLockedValue { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0.number == number }
            return state.waiting.count < count
        }
        // The attempt got its place at the moment at which the task was cancelled.
        if !wasWaiting { end(hasLink: hasLink) }
        return false
    }

    /// Returns a place, and lets waiting attempts begin.
    func end(hasLink: Bool) {
        let turns = box.withLockedValue { state -> [ReadyQueue<Void>] in
            state.count -= 1
            if !hasLink { state.countWithoutLink -= 1 }
            var turns: [ReadyQueue<Void>] = []
            for isFirst in [true, false] {
                while let position = state.waiting.firstIndex(where: { $0.hasLink == isFirst }), state.begin(isFirst) {
                    turns.append(state.waiting.remove(at: position).turn)
                }
            }
            return turns
        }
        for turn in turns { turn.add(()) }
    }
}
