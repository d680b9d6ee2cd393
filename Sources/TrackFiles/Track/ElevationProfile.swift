package import RegionModel

/// Looks up elevations along a route, from the start on.
package struct ElevationProfile {
    private let samples: [ElevationSample]
    private var index = 0

    package init(_ samples: [ElevationSample]) { self.samples = samples.sorted { $0.distance < $1.distance } }

    /// Returns the elevation at a distance, interpolated; nil outside the profile.
    ///
    /// Distances must not decrease from call to call.
    package mutating func elevation(at distance: Double) -> Double? {
        // The program that made the profile may have added up distances on another sphere.
        let slack = 1 + distance * 0.005
        guard let first = samples.first, let last = samples.last,
            distance >= first.distance - slack, distance <= last.distance + slack
        else { return nil }
        while index + 1 < samples.count, samples[index + 1].distance <= distance { index += 1 }
        let left = samples[index]
        guard index + 1 < samples.count, distance > left.distance else { return left.elevation }
        let right = samples[index + 1]
        let share = (distance - left.distance) / (right.distance - left.distance)
        return left.elevation + (right.elevation - left.elevation) * share
    }
}
