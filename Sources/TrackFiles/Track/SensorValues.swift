/// The values of a sensor, in thousandths of its unit.
package struct SensorValues: Hashable, Sendable {
    /// The values that can be stored.
    static let range: ClosedRange<Int64> = -2_000_000_000...2_000_000_000

    private static let missing = Int32.min

    // Points after the last value are not in the array.
    private var values: [Int32] = []

    package init() {}

    /// Whether no point has a value.
    package var isEmpty: Bool { values.allSatisfy { $0 == Self.missing } }

    /// The value of a point; nil if it has none.
    package subscript(index: Int) -> Int64? {
        guard values.indices.contains(index), values[index] != Self.missing else { return nil }
        return Int64(values[index])
    }

    /// All known values.
    var known: some Sequence<Int64> { values.lazy.filter { $0 != Self.missing }.map { Int64($0) } }

    /// Sets the value of a point, if it is in ``range``.
    package mutating func set(_ value: Int64, at index: Int) {
        guard index >= 0, Self.range.contains(value), let value = Int32(exactly: value) else { return }
        if values.count <= index {
            values.append(contentsOf: repeatElement(Self.missing, count: index + 1 - values.count))
        }
        values[index] = value
    }

    /// Sets the value of a point, in its unit; returns whether it can be stored.
    mutating func set(unit value: Double, at index: Int) -> Bool {
        guard let thousandths = Int64(exactly: (value * 1000).rounded()), Self.range.contains(thousandths) else {
            return false
        }
        set(thousandths, at: index)
        return true
    }

    func part(_ range: Range<Int>) -> SensorValues {
        var part = SensorValues()
        for index in range {
            if let value = self[index] { part.set(value, at: index - range.lowerBound) }
        }
        return part
    }
}
