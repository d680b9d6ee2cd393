/// What a person knows of a part of a map: what it was cut along, and how large the whole map is.
package struct CutDescription: Hashable, Sendable {
    /// The maximum number of names of routes.
    package static let maximumNameCount = 8

    /// The names of the routes along which the map was cut; empty if it was not cut along any.
    package var names: [String]

    /// The distance from the routes, in metres; nil without routes.
    package var distance: Double?

    /// The area to which the map was cut; nil if there is none.
    package var area: BoundingBox?

    /// The highest zoom level of the part; nil if it has those of the map.
    package var maximumZoom: Int?

    /// The number of tiles of the whole map.
    package var wholeTileCount: Int

    /// The size of the whole map, in bytes.
    package var wholeSize: Int64

    /// Creates a description; more names than ``maximumNameCount`` are left out, and long names are cut.
    package init(
        names: [String] = [],
        distance: Double? = nil,
        area: BoundingBox? = nil,
        maximumZoom: Int? = nil,
        wholeTileCount: Int,
        wholeSize: Int64
    ) {
        self.names = names.prefix(Self.maximumNameCount).map(ItemEdit.cut)
        self.distance = distance
        self.area = area
        self.maximumZoom = maximumZoom
        self.wholeTileCount = wholeTileCount
        self.wholeSize = wholeSize
    }
}

extension CutDescription {
    /// Whether nothing is known but that it is a part.
    private var isUnknown: Bool { names.isEmpty && area == nil && maximumZoom == nil }

    /// Whether a map cut as this says has every tile that one cut as `other` says has.
    package func includes(_ other: CutDescription) -> Bool {
        guard !isUnknown else { return false }
        let hasLines =
            names.isEmpty
            || !other.names.isEmpty && Set(other.names).isSubset(of: names) && (other.distance ?? 0) <= (distance ?? 0)
        let hasZooms = maximumZoom.map { highest in other.maximumZoom.map { $0 <= highest } ?? false } ?? true
        return hasLines && hasZooms && (area == nil || area == other.area)
    }

    /// Returns the description of two parts together, which says no more than is there.
    package func joined(with other: CutDescription) -> CutDescription {
        var joined: CutDescription
        if includes(other) || other.isUnknown {
            joined = self
        } else if other.includes(self) || isUnknown {
            joined = other
        } else if area == other.area, !names.isEmpty, !other.names.isEmpty {
            joined = self
            joined.names = Array((names + other.names.filter { !names.contains($0) }).prefix(Self.maximumNameCount))
            joined.distance = distance.flatMap { one in other.distance.map { min(one, $0) } }
            joined.maximumZoom = [maximumZoom, other.maximumZoom].compactMap { $0 }.min()
        } else {
            // A strip says more than an area, and both together have no words.
            joined = !names.isEmpty && area == nil ? self : other
            if joined.names.isEmpty || joined.area != nil { joined = joined.ofUnknownPlace }
        }
        joined.wholeTileCount = max(wholeTileCount, other.wholeTileCount)
        joined.wholeSize = max(wholeSize, other.wholeSize)
        return joined
    }

    /// Returns the description of a part that is cut as this says from a map that is a part itself.
    ///
    /// If that map does not have everything, nothing is said of the place.
    package func cut(from former: CutDescription) -> CutDescription {
        var part = former.includes(self) ? self : ofUnknownPlace
        (part.wholeTileCount, part.wholeSize) = (former.wholeTileCount, former.wholeSize)
        return part
    }

    private var ofUnknownPlace: CutDescription {
        CutDescription(wholeTileCount: wholeTileCount, wholeSize: wholeSize)
    }
}

extension CutDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case names = "along"
        case distance = "within"
        case area
        case maximumZoom = "maxZoom"
        case wholeTileCount = "tileCount"
        case wholeSize = "fileSizeBytes"
    }

    /// Decodes a description.
    ///
    /// - Throws: `DecodingError` if a value is missing or not in range.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let hasNames = try container.contains(.names) && !container.decodeNil(forKey: .names)
        names = hasNames ? try container.array(.names, of: String.self, atMost: Self.maximumNameCount) : []
        guard names.allSatisfy({ $0.utf8.count <= ModelLimits.maximumNameLength }) else {
            throw container.wrong(.names, "has a name that is too long")
        }
        distance = try container.decodeIfPresent(Double.self, forKey: .distance)
        guard distance.map({ (0...1_000_000).contains($0) }) ?? true else {
            throw container.wrong(.distance, "is not a distance")
        }
        area = try container.decodeIfPresent(BoundingBox.self, forKey: .area)
        maximumZoom = try container.decodeIfPresent(Int.self, forKey: .maximumZoom)
        guard maximumZoom.map(Region.possibleZoomLevels.contains) ?? true else {
            throw container.wrong(.maximumZoom, "is not a zoom level")
        }
        wholeTileCount = try container.decode(Int.self, forKey: .wholeTileCount)
        guard (1...ModelLimits.maximumTileCount).contains(wholeTileCount) else {
            throw container.wrong(.wholeTileCount, "is not a count of tiles")
        }
        wholeSize = try container.decode(Int64.self, forKey: .wholeSize)
        guard wholeSize > 0 else { throw container.wrong(.wholeSize, "is not a size") }
    }

    /// Encodes the description.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !names.isEmpty { try container.encode(names, forKey: .names) }
        try container.encodeIfPresent(distance, forKey: .distance)
        try container.encodeIfPresent(area, forKey: .area)
        try container.encodeIfPresent(maximumZoom, forKey: .maximumZoom)
        try container.encode(wholeTileCount, forKey: .wholeTileCount)
        try container.encode(wholeSize, forKey: .wholeSize)
    }
}
