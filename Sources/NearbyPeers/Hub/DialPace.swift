import NIOConcurrencyHelpers

/// Limits automatic connection attempts to eight at a time.
///
/// Announcements, links and members of groups name peers and addresses. Without a pace, one of them could make this machine open
/// any number of connections at once. Links that are being resumed come first, and two places are kept for them.
final class DialPace: Sendable {
    /// How many attempts run at a time.
    static let maximumCount = 8
    /// How many of them may be to peers with which there is no link.
    static let maximumCountWithoutLink = 6
    /// How long a failed attempt to a peer without a link keeps its place, at least.
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
    /// - Returns: Whether there is one; false if the task was cancelled before.
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
        // Its turn has come at the same moment.
        if !wasWaiting { end(hasLink: hasLink) }
        return false
    }

    /// Gives a place back.
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
