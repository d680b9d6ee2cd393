/// A part of a way that is of one kind.
package struct WayStretch: Hashable, Sendable {
    /// The kind.
    package var kind: WayKind
    /// The difficulty; nil if it is not known.
    package var sacScale: SACScale?
    /// How well the path can be seen; nil if it is not known.
    package var visibility: TrailVisibility?
    /// OpenStreetMap's key `surface`; nil if it is not known.
    package var surface: String?
    /// The name; nil if there is none.
    package var name: String?
    /// The distance of its beginning from the beginning of the way, in metres.
    package var start: Double
    /// The length, in metres.
    package var distance: Double

    /// Creates a stretch.
    package init(
        kind: WayKind,
        sacScale: SACScale? = nil,
        visibility: TrailVisibility? = nil,
        surface: String? = nil,
        name: String? = nil,
        start: Double,
        distance: Double
    ) {
        self.kind = kind
        self.sacScale = sacScale
        self.visibility = visibility
        self.surface = surface
        self.name = name
        self.start = start
        self.distance = distance
    }
}
