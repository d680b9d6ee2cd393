package import FoundationEssentials
import PeerStorage

/// What a file of tracks says of an item, and what OpenHiker's models have no field for.
///
/// In JSON the values have keys that OpenHiker ignores.
package struct ItemSupplement: Hashable, Sendable {
    /// The texts of the item; nil if the item does not come from a file of tracks. (`gpx` in JSON)
    package var words: ItemWords?

    /// A table of positions, elevations, times and segments; nil if there is none. (`trackDetail` in JSON)
    package var track: Data?

    /// A table of heart rates and other values of sensors, which counts as health data; nil if there is none. (`trackSensors` in
    /// JSON)
    package var sensors: Data?

    /// The texts of the points of a planned route; nil if there are none. (`pointTexts` in JSON)
    package var pointTexts: [PointTexts]?

    /// Creates a supplement; without arguments, an empty one.
    package init(
        words: ItemWords? = nil,
        track: Data? = nil,
        sensors: Data? = nil,
        pointTexts: [PointTexts]? = nil
    ) {
        self.words = words
        self.track = track
        self.sensors = sensors
        self.pointTexts = pointTexts
    }

    /// Returns the supplement with values of another one that it lacks; those of points count only if the line is the same.
    package func filled(from other: ItemSupplement, hasSameLine: Bool) -> ItemSupplement {
        var copy = self
        copy.words = other.words.map { words?.filled(from: $0) ?? $0 } ?? words
        guard hasSameLine else { return copy }
        copy.track = track ?? other.track
        copy.sensors = sensors ?? other.sensors
        copy.pointTexts = pointTexts ?? other.pointTexts
        return copy
    }
}
