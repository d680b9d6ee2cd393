/// What a point of a track may say without being doubted.
enum TrackLimits {
    /// Metres above sea level, from below the deepest trench to space.
    static let elevations = -12_000.0...100_000.0
}
