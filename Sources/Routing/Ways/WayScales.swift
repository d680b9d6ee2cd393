/// The difficulty of a mountain path, by OpenStreetMap's key `sac_scale`: T1 to T6 of the Swiss Alpine Club.
package enum SACScale: String, CaseIterable, Comparable, Sendable {
    /// T1.
    case hiking
    /// T2.
    case mountainHiking = "mountain_hiking"
    /// T3.
    case demandingMountainHiking = "demanding_mountain_hiking"
    /// T4.
    case alpineHiking = "alpine_hiking"
    /// T5.
    case demandingAlpineHiking = "demanding_alpine_hiking"
    /// T6.
    case difficultAlpineHiking = "difficult_alpine_hiking"

    /// The number of the grade, from 1 to 6.
    package var grade: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    /// Returns whether a difficulty is less than another.
    package static func < (left: SACScale, right: SACScale) -> Bool { left.grade < right.grade }
}

/// How well a path can be seen, by OpenStreetMap's key `trail_visibility`; a greater value is worse to find.
package enum TrailVisibility: String, CaseIterable, Comparable, Sendable {
    case excellent
    case good
    case intermediate
    case bad
    case horrible
    /// There is no path to be seen.
    case no

    /// The number of the grade, from 0.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Returns whether a path is better to find than another.
    package static func < (left: TrailVisibility, right: TrailVisibility) -> Bool { left.rank < right.rank }
}
