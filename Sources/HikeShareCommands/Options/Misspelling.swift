/// Words that a person has typed wrongly, and those that may have been meant.
enum Misspelling {
    /// Returns the candidate that differs least from a word; nil if all of them differ too much.
    static func closest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let near = candidates.map { (distance: distance(word.lowercased(), $0), name: $0) }.filter {
            $0.distance <= limit
        }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// Returns how many characters must be inserted, removed, replaced or swapped with the next one (optimal string alignment
    /// distance).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(rows[row][column + 1], current[column]) + 1
                least = min(least, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                current.append(least)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
