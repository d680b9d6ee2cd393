/// Actions to perform at certain times, in the order of time; actions of the same time in the order in which they were added.
struct Timers<Action: Sendable>: Sendable {
    private struct Timer: Sendable {
        var time: ContinuousClock.Instant
        var number: Int
        var action: Action
    }

    /// The last one is due first.
    private var timers: [Timer] = []
    private var lastNumber = 0

    /// The time of the first action; nil if there is none.
    var next: ContinuousClock.Instant? { timers.last?.time }

    /// The number of actions.
    var count: Int { timers.count }

    /// Adds an action.
    mutating func add(at time: ContinuousClock.Instant, _ action: Action) -> Int {
        lastNumber += 1
        var (low, high) = (0, timers.count)
        while low < high {
            let middle = low + (high - low) / 2
            if timers[middle].time > time { low = middle + 1 } else { high = middle }
        }
        timers.insert(Timer(time: time, number: lastNumber, action: action), at: low)
        return lastNumber
    }

    /// Removes an action, if it was not taken.
    mutating func remove(_ number: Int) { timers.removeAll { $0.number == number } }

    /// Takes the first action that is due at a time.
    mutating func takeDue(at now: ContinuousClock.Instant) -> Action? {
        guard let first = timers.last, first.time <= now else { return nil }
        timers.removeLast()
        return first.action
    }
}
