/// Where a map is, as far as that is known: all questions about it are asked here.
package struct MapPlace: Hashable, Sendable {
    /// The area; stated bounds may have made it smaller than that of the tiles.
    package let area: BoundingBox

    /// The tiles; nil if they are not known, and then only the area counts.
    package let coverage: Coverage?

    package init(area: BoundingBox, coverage: Coverage?) {
        self.area = area
        self.coverage = coverage
    }

    /// Returns whether the map is at a place.
    package func contains(_ place: Coordinate) -> Bool {
        area.contains(place) && coverage?.contains(place) ?? true
    }

    /// Returns whether the map has a part of another area, or touches it.
    package func overlaps(_ other: BoundingBox) -> Bool {
        area.overlaps(other) && coverage.map { !$0.isApart(from: other) } ?? true
    }

    /// Returns whether two maps have an area in common.
    package func overlaps(_ other: MapPlace) -> Bool {
        guard area.overlaps(other.area), let coverage, let theirs = other.coverage else {
            return area.overlaps(other.area)
        }
        return coverage.overlaps(theirs)
    }

    /// Returns how much of the area that two maps cover together is part of both, from 0 to 1.
    ///
    /// Both the areas and the tiles must agree: one large tile may hold two maps whose bounds are apart.
    package func commonPart(with other: MapPlace) -> Double {
        let common = area.commonPart(with: other.area)
        guard common > 0, let coverage, let theirs = other.coverage else { return common }
        return min(common, coverage.commonPart(with: theirs))
    }
}
