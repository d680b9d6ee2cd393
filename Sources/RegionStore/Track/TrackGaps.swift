/// Fills gaps in the values of a track.
enum TrackGaps {
    /// Interpolates missing values between their neighbours and repeats the first and last; nil if all are missing.
    static func filled(_ values: [Double?]) -> [Double]? {
        guard let first = values.first(where: { $0 != nil }) ?? nil else { return nil }
        var result: [Double] = []
        result.reserveCapacity(values.count)
        var last = first
        var lastIndex: Int?
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let missing = index - result.count
            for step in 0..<missing {
                let share = lastIndex == nil ? 1 : Double(step + 1) / Double(missing + 1)
                result.append(last + (value - last) * share)
            }
            result.append(value)
            last = value
            lastIndex = index
        }
        result.append(contentsOf: repeatElement(last, count: values.count - result.count))
        return result
    }
}
