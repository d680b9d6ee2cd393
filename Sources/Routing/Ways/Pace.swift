/// The pace of a hiker.
package struct Pace: Hashable, Sendable {
    /// The distance walked on the flat in an hour, in metres.
    package var metresPerHour: Double
    /// The ascent of an hour, in metres.
    package var ascentPerHour: Double
    /// The descent of an hour, in metres.
    package var descentPerHour: Double

    /// The pace of DIN 33466, by which signposts in the Alps are made.
    package static let din33466 = Pace(metresPerHour: 4000, ascentPerHour: 300, descentPerHour: 500)

    /// Returns the pace of a hiker who is faster (above 1) or slower by a factor.
    package func scaled(by factor: Double) -> Pace {
        Pace(
            metresPerHour: metresPerHour * factor,
            ascentPerHour: ascentPerHour * factor,
            descentPerHour: descentPerHour * factor
        )
    }

    /// Returns the seconds for a way, without breaks: the longer of the times for the distance and for the height, and half of the
    /// shorter one.
    ///
    /// - Parameters:
    ///   - distance: The length, in metres.
    ///   - ascent: The total ascent, in metres.
    ///   - descent: The total descent, in metres; a positive number.
    package func duration(distance: Double, ascent: Double, descent: Double) -> Double {
        let flat = distance / metresPerHour
        let steep = ascent / ascentPerHour + descent / descentPerHour
        return 3600 * (max(flat, steep) + min(flat, steep) / 2)
    }
}
