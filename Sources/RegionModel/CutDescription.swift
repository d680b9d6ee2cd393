package import PeerProtocol

/// What a person knows of a part of a map: what it was cut along, and how large the whole map is.
package struct CutDescription: Hashable, Sendable {
    /// The maximum number of names of routes.
    package static let maximumNameCount = 8

    /// The names of the routes along which the map was cut; empty if it was not cut along any.
    package var names: [String]

    /// The distance from the routes, in metres, and the smallest if they differ; nil without routes.
    package var distance: Double?

    /// The distance from each route, in metres; empty if it is the same for all.
    package private(set) var distances: [Double] = []

    /// The area to which the map was cut; nil if there is none.
    package var area: BoundingBox?

    /// The highest zoom level of the part; nil if it has those of the map.
    package var maximumZoom: Int?

    /// The number of tiles of the whole map.
    package var wholeTileCount: Int

    /// The size of the whole map, in bytes.
    package var wholeSize: Int64

    /// The digest of the whole map; nil if it is not known.
    package var wholeDigest: ContentDigest?

    /// Whether the size is an estimate, because only the number of tiles is known.
    package var isSizeEstimated = false

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
    /// The routes with the distance from each; the distance is nil if it is not known.
    package var strips: [(name: String, distance: Double?)] {
        names.indices.map { (names[$0], distances.indices.contains($0) ? distances[$0] : distance) }
    }

    /// Says that the strips have different widths.
    private mutating func set(_ strips: [(name: String, distance: Double?)]) {
        names = strips.map(\.name)
        let known = strips.compactMap(\.distance)
        distance = known.count == strips.count ? known.min() : nil
        distances = distance != nil && Set(known).count > 1 ? known : []
    }

    /// Whether nothing is known but that it is a part.
    private var isUnknown: Bool { names.isEmpty && area == nil && maximumZoom == nil }

    /// Whether a map cut as this says has every tile that one cut as `other` says has.
    package func includes(_ other: CutDescription) -> Bool {
        guard !isUnknown else { return false }
        let hasLines =
            names.isEmpty
            || !other.names.isEmpty
                && other.strips.allSatisfy { strip in
                    strips.contains { $0.name == strip.name && (strip.distance ?? 0) <= ($0.distance ?? 0) }
                }
        let hasZooms = maximumZoom.map { highest in other.maximumZoom.map { $0 <= highest } ?? false } ?? true
        return hasLines && hasZooms && (area == nil || area == other.area)
    }

    /// Returns the description of two parts together, which says no more than is there.
    package func joined(with other: CutDescription) -> CutDescription {
        var joined: CutDescription
        if includes(other) {
            joined = self
        } else if other.includes(self) {
            joined = other
        } else if area == other.area, maximumZoom == other.maximumZoom, !names.isEmpty, !other.names.isEmpty {
            joined = self
            var all = strips
            for strip in other.strips {
                guard let index = all.firstIndex(where: { $0.name == strip.name }) else {
                    all.append(strip)
                    continue
                }
                // The wider one has the other.
                all[index].distance = all[index].distance.flatMap { one in strip.distance.map { max(one, $0) } }
            }
            joined.set(Array(all.prefix(Self.maximumNameCount)))
        } else {
            // The zoom levels that are told must be those of both, and places of different kinds have no words together.
            let highest = [self, other].map { $0.maximumZoom ?? .max }.max()
            joined =
                [self, other].first { part in
                    !part.names.isEmpty && part.area == nil && part.maximumZoom ?? .max == highest
                } ?? ofUnknownPlace
        }
        joined.wholeTileCount = max(wholeTileCount, other.wholeTileCount)
        joined.wholeDigest = wholeDigest == other.wholeDigest ? wholeDigest : nil
        // What is known counts.
        let known = [self, other].filter { !$0.isSizeEstimated }
        joined.wholeSize = (known.isEmpty ? [self, other] : known).map(\.wholeSize).max() ?? wholeSize
        joined.isSizeEstimated = known.isEmpty
        return joined
    }

    /// Returns the description of a part that is cut as this says from a map that is a part itself.
    ///
    /// If that map does not have everything, nothing is said of the place.
    package func cut(from former: CutDescription) -> CutDescription {
        var part = former.includes(self) ? self : ofUnknownPlace
        (part.wholeTileCount, part.wholeSize) = (former.wholeTileCount, former.wholeSize)
        part.wholeDigest = former.wholeDigest
        part.isSizeEstimated = former.isSizeEstimated
        return part
    }

    private var ofUnknownPlace: CutDescription {
        var part = CutDescription(wholeTileCount: wholeTileCount, wholeSize: wholeSize)
        part.isSizeEstimated = isSizeEstimated
        return part
    }
}

extension CutDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case names = "along"
        case distance = "within"
        case distances = "withinEach"
        case area
        case maximumZoom = "maxZoom"
        case wholeTileCount = "tileCount"
        case wholeSize = "fileSizeBytes"
        case wholeDigest = "digest"
        case isSizeEstimated = "fileSizeIsEstimated"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        names = try container.names(.names)
        distance = try container.decodeIfPresent(Double.self, forKey: .distance)
        guard distance.map({ (0...1_000_000).contains($0) }) ?? true else {
            throw container.wrong(.distance, "is not a distance")
        }
        let each: [Double] = try container.arrayIfPresent(.distances, atMost: Self.maximumNameCount) ?? []
        // What does not fit the other values says nothing.
        let fits = each.count == names.count && each.min() == distance && (each.max() ?? 0) <= 1_000_000
        distances = fits && Set(each).count > 1 ? each : []
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
        wholeDigest = try container.decodeIfPresent(ContentDigest.self, forKey: .wholeDigest)
        isSizeEstimated = try container.decodeIfPresent(Bool.self, forKey: .isSizeEstimated) ?? false
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !names.isEmpty { try container.encode(names, forKey: .names) }
        try container.encodeIfPresent(distance, forKey: .distance)
        if !distances.isEmpty { try container.encode(distances, forKey: .distances) }
        try container.encodeIfPresent(area, forKey: .area)
        try container.encodeIfPresent(maximumZoom, forKey: .maximumZoom)
        try container.encode(wholeTileCount, forKey: .wholeTileCount)
        try container.encode(wholeSize, forKey: .wholeSize)
        try container.encodeIfPresent(wholeDigest, forKey: .wholeDigest)
        if isSizeEstimated { try container.encode(true, forKey: .isSizeEstimated) }
    }
}
