import MapPages
import PeerCore
import RegionStore
import SharingReports

/// What a region has, so that a person can choose what to send of it.
struct RegionContents: Encodable {
    private enum CodingKeys: String, CodingKey { case kinds, lines, hasHikes, hasPhotos }

    /// A kind of parts.
    struct Kind: Encodable {
        /// The word that stands for it in a wish.
        var kind: String
        var title: String
        /// The same with the number of items.
        var name: String
        /// The size, in bytes; nil if it is little, or not known.
        var size: UInt64?
    }

    /// A hike or planned route.
    struct Line: Encodable {
        var key: String
        var name: String
        /// `hike` or `planned`.
        var kind: String
        /// The length, in metres.
        var distance: Double?
    }

    /// The maximum number of lines.
    private static let maximumLineCount = 500

    var kinds: [Kind]
    /// The hikes and planned routes; the newest of very many.
    var lines: [Line]
    var hasHikes: Bool
    var hasPhotos: Bool

    init(of region: RegionSummary, in store: RegionStore) throws {
        kinds = KindWords.all.filter { $0.isThere(in: region) }.map { words in
            let count = words.count(region)
            let name = words.isFile || count == 0 ? words.name : words.counted(count)
            return Kind(kind: words.argument, title: words.name, name: name, size: words.size(in: region))
        }
        lines = try store.routes(of: region).suffix(Self.maximumLineCount).map { line in
            Line(
                key: ItemKey.text(of: line.id),
                name: MapLimits.shownName(line.name),
                kind: line.kind == .hike ? "hike" : "planned",
                distance: line.distance
            )
        }
        (hasHikes, hasPhotos) = (region.hikeCount > 0, region.photoCount > 0)
    }
}

extension KindWords {
    /// Whether a region has it.
    fileprivate func isThere(in region: RegionSummary) -> Bool {
        switch kind {
        case .mbtiles, .foreign: kind == region.mapKind
        case .routing: region.hasRoutingData
        default: count(region) > 0
        }
    }

    fileprivate func size(in region: RegionSummary) -> UInt64? {
        switch kind {
        case .mbtiles, .foreign: region.mapSize
        case .routing: region.routingSize
        case .photos: region.photoSize
        default: nil
        }
    }
}
