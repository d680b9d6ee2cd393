/// A queue of nodes to be looked at, the one with the least sum of costs first.
struct SearchQueue {
    /// A node, the cost of the way to it, and that cost with the least one of the rest.
    struct Entry {
        var sum: Double
        var cost: Double
        var node: Int32
    }

    // A heap: no entry is less than the one at half of its position.
    private var entries: [Entry] = []

    /// Adds an entry.
    mutating func insert(_ entry: Entry) {
        var position = entries.count
        entries.append(entry)
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.sum < entries[parent].sum else { break }
            entries[position] = entries[parent]
            position = parent
        }
        entries[position] = entry
    }

    /// Removes and returns the first entry; nil if there is none.
    mutating func removeFirst() -> Entry? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last }
        var position = 0
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].sum < entries[child].sum { child += 1 }
            guard entries[child].sum < last.sum else { break }
            entries[position] = entries[child]
            position = child
        }
        entries[position] = last
        return first
    }
}
