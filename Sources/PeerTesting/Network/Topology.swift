/// Which machines reach which others, and how fast.
///
/// A plain value.
struct Topology {
    /// From one machine to another.
    struct Direction: Hashable {
        var sender: String
        var receiver: String
    }

    /// The time that bytes take from one machine to another.
    var delay: Duration = .zero
    private var groups: [Set<String>]?
    private var blocked: Set<Direction> = []
    /// Bytes per second.
    private var rates: [Direction: Int] = [:]
    /// When the bytes that were accepted so far have left.
    private var busyUntil: [Direction: ContinuousClock.Instant] = [:]

    /// Separates machines that are in no common group; all machines that are in none are one more group.
    mutating func partition(_ groups: [Set<String>]) { self.groups = groups }

    mutating func block(from sender: String, to receiver: String) {
        blocked.insert(Direction(sender: sender, receiver: receiver))
    }

    /// Ends partition and blocks.
    mutating func heal() {
        groups = nil
        blocked = []
    }

    mutating func setRate(_ bytesPerSecond: Int?, between one: String, _ other: String) {
        let rate = bytesPerSecond.map { max(1, $0) }
        for direction in [Direction(sender: one, receiver: other), Direction(sender: other, receiver: one)] {
            rates[direction] = rate
            busyUntil[direction] = nil
        }
    }

    /// Whether two machines are in one network.
    func areJoined(_ one: String, _ other: String) -> Bool {
        guard let groups, one != other else { return true }
        if groups.contains(where: { $0.contains(one) && $0.contains(other) }) { return true }
        return !groups.contains { $0.contains(one) || $0.contains(other) }
    }

    /// Whether a machine can open connections to another one.
    func allowsConnection(from sender: String, to receiver: String) -> Bool {
        areJoined(sender, receiver) && !blocked.contains(Direction(sender: sender, receiver: receiver))
    }

    /// The delay between two machines; programs of one machine have none.
    func delay(from sender: String, to receiver: String) -> Duration { sender == receiver ? .zero : delay }

    /// Accepts bytes after all that were accepted before.
    mutating func accept(
        _ count: Int,
        from sender: String,
        to receiver: String,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        let direction = Direction(sender: sender, receiver: receiver)
        guard let rate = rates[direction] else { return now }
        let begin = max(now, busyUntil[direction] ?? now)
        let end = begin.advanced(by: .seconds(1) * count / rate)
        busyUntil[direction] = end
        return end
    }
}
