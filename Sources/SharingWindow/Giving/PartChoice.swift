import FoundationEssentials
import MapFiles
import MapPages
package import RegionModel
package import RegionStore

/// A part of a map, as a person has drawn it.
package struct PartChoice: Hashable, Sendable {
    /// The maximum number of hikes and planned routes along which the map is cut.
    static let maximumLineCount = 20

    /// The area; nil for everywhere.
    package var area: BoundingBox?
    /// The keys of the hikes and planned routes along which the map is cut (``ItemKey``).
    package var lines: [String] = []
    /// The distance from them to each side, in metres.
    package var distance = CutRule.usualDistance
    /// The highest zoom level; nil for all.
    package var maximumZoom: Int?

    /// Creates a part; nil if it is none.
    package init?(edges: [Double]?, lines: [String], distance: Double?, maximumZoom: Int?) {
        guard lines.count <= Self.maximumLineCount, distance?.isFinite ?? true,
            maximumZoom.map(Region.possibleZoomLevels.contains) ?? true
        else { return nil }
        if let edges {
            guard edges.count == 4,
                let area = BoundingBox(north: edges[3], south: edges[1], east: edges[2], west: edges[0])
            else { return nil }
            self.area = area
        }
        (self.lines, self.maximumZoom) = (lines, maximumZoom)
        if let distance { self.distance = distance }
        guard area != nil || !lines.isEmpty || maximumZoom != nil else { return nil }
    }

    /// Reads a part of the components of a path, such as `area_1.4_42.5_1.5_42.6`, `along_KEY`, `within_500` and `zoom_14`.
    package init?(path: [String]) {
        var (edges, lines, distance, zoom) = (nil as [Double]?, [String](), nil as Double?, nil as Int?)
        for component in path {
            let words = component.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
            switch (words[0], words.count) {
            case ("area", 5) where edges == nil:
                edges = words.dropFirst().compactMap { Double($0) }
            case ("along", 2): lines.append(words[1])
            case ("within", 2) where distance == nil:
                guard let metres = Double(words[1]) else { return nil }
                distance = metres
            case ("zoom", 2) where zoom == nil:
                guard let level = Int(words[1]) else { return nil }
                zoom = level
            default: return nil
            }
        }
        self.init(edges: edges, lines: lines, distance: distance, maximumZoom: zoom)
    }

    /// Finds the lines in a region.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the region has one of them no more.
    package func rule(for region: RegionSummary, in store: RegionStore) throws -> CutRule {
        var rule = CutRule(within: distance, area: area, maximumZoom: maximumZoom)
        guard !lines.isEmpty else { return rule }
        let known = try store.routes(of: region)
        for key in lines {
            guard let line = known.first(where: { ItemKey.text(of: $0.id) == key }) else {
                throw RegionStoreError(
                    .notFound,
                    "“\(region.name)” does not have this hike or route any more.",
                    remedy: "Open the map again, and choose another one."
                )
            }
            rule.names.append(line.name)
            rule.lines.append(try store.points(of: line, in: region))
        }
        return rule
    }
}

extension PartChoice: Decodable {
    private enum CodingKeys: String, CodingKey { case area, along, within, maximumZoom }

    /// Reads what a page has sent: the edges in the order west, south, east and north.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let part = PartChoice(
            edges: try container.decodeIfPresent([Double].self, forKey: .area),
            lines: try container.decodeIfPresent([String].self, forKey: .along) ?? [],
            distance: try container.decodeIfPresent(Double.self, forKey: .within),
            maximumZoom: try container.decodeIfPresent(Int.self, forKey: .maximumZoom)
        )
        guard let part else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "It is no part."))
        }
        self = part
    }
}
