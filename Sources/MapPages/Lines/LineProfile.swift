internal import RegionStore

/// The elevations along a line, for drawing.
struct LineProfile: Hashable, Sendable {
    /// A point with a known elevation.
    struct Sample: Hashable, Sendable {
        /// The distance from the start along the line, in metres.
        var distance: Double
        /// The elevation, in metres.
        var elevation: Double
        /// The position.
        var place: Coordinate
    }

    /// The maximum number of samples that are drawn.
    static let maximumCount = 800
    /// The samples; at least two.
    let samples: [Sample]

    /// Selects samples that look like all of them: of each stretch the lowest and the highest, and both ends.
    ///
    /// Nil if fewer than two elevations are known.
    init?(_ all: [Sample], limit: Int = maximumCount) {
        guard let first = all.first, let last = all.last, all.count > 1, last.distance > 0 else { return nil }
        guard all.count > limit else {
            samples = all
            return
        }
        let stretches = max(1, limit / 2 - 1)
        var selected = [first]
        var index = 0
        for stretch in 1...stretches {
            let end = last.distance * Double(stretch) / Double(stretches)
            let start = index
            while index < all.count, all[index].distance <= end { index += 1 }
            let part = all[start..<index]
            guard let lowest = part.indices.min(by: { all[$0].elevation < all[$1].elevation }),
                let highest = part.indices.max(by: { all[$0].elevation < all[$1].elevation })
            else { continue }
            selected.append(all[min(lowest, highest)])
            if lowest != highest { selected.append(all[max(lowest, highest)]) }
        }
        selected.append(last)
        samples = selected
    }
}
