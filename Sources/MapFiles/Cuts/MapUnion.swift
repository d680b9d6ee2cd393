package import PeerStorage
import RegionModel

/// A map with the tiles of a part added.
///
/// Nothing is taken away from the map, and no tile takes the place of a newer one, in whatever order parts come: the tiles that
/// only one of the two has are taken, and of two tiles of one place that of the newer edition (``MapEdition``). If it is not known
/// which is newer, the tile of the map stays.
package struct MapUnion {
    /// What becomes of the tiles of the part; a tile that the map has with the same bytes counts as none of these.
    package struct Counts: Hashable, Sendable {
        /// Those that the map lacks.
        package var added = 0
        /// Those that take the place of older ones of the map.
        package var replaced = 0
        /// Those that the map has with the same bytes, and that are known to be newer now.
        package var confirmed = 0
        /// Those that are left out, because those of the map are newer.
        package var older = 0
        /// Those that are left out, because it is not known which are newer.
        package var unknown = 0

        /// Creates counts.
        package init(added: Int = 0, replaced: Int = 0, older: Int = 0, unknown: Int = 0) {
            (self.added, self.replaced, self.older, self.unknown) = (added, replaced, older, unknown)
        }

        /// Whether the map stays as it is.
        package var isNothing: Bool { added == 0 && replaced == 0 && confirmed == 0 }
    }

    private struct Side {
        let tiles: TileList
        let database: UntrustedDatabase
        let metadata: [String: String]
        let editions: TileEditions
        /// Where the tiles are, and the area as the metadata state it.
        let place: (coverage: Coverage, area: BoundingBox)?

        init?(_ database: UntrustedDatabase) throws {
            let tiles = try TileList(of: database, atMost: MapCut.maximumTileCount)
            guard let tiles, tiles.count > 0 else { return nil }
            self.tiles = tiles
            self.database = database
            metadata = try MapDescription.metadata(ofCut: database)
            editions = TileEditions(metadata: metadata)
            let stated = try MapDescription.statedBounds(of: database)
            let coverage = tiles.coverage?.stating(ownZooms: MapDescription.ownZooms(in: metadata))
            place = coverage.flatMap { coverage in coverage.area(statedAs: stated).map { (coverage, $0) } }
        }
    }

    private let part: Side
    private let map: Side

    /// Whether the tiles of the part are in the union, in their order.
    private let isTaken: [Bool]

    /// What becomes of the tiles of the part.
    package let counts: Counts

    /// How the union differs from the map.
    package let difference: MapDifference

    /// Whether the union is the map: no tile of the part is new or newer, nor the same and of a newer edition.
    package let isMap: Bool

    /// Compares a part with a map; nil if together they have more than ``MapCut/maximumTileCount`` tiles.
    package init?(adding part: UntrustedDatabase, to map: UntrustedDatabase) throws {
        guard let part = try Side(part), let map = try Side(map) else { return nil }
        (self.part, self.map) = (part, map)
        var comparison = Comparison(part, map)
        try comparison.run()
        guard comparison.counts.added <= MapCut.maximumTileCount - map.tiles.count else { return nil }
        (isTaken, counts, isMap) = (comparison.isTaken, comparison.counts, !comparison.isTaken.contains(true))
        difference = comparison.difference
    }

    /// Writes the union to an empty file.
    package func write(to file: OpenFile, check: @escaping WriteCheck) throws {
        var metadata = map.metadata
        var (described, coverage) = (TileEditions.Builder(), CoverageBuilder())
        var writer = MBTilesWriter(to: file, check: check)
        var run: (addresses: [TileAddress], isOfPart: Bool) = ([], true)
        func write() throws {
            let side = run.isOfPart ? part : map
            try side.database.forEachTile(at: run.addresses) { tile in
                try writer.add(tile)
                let address = tile.address
                described.add(address, side.editions.edition(of: address))
                coverage.add(address)
            }
        }
        var index = 0
        try Self.forEachAddress(part, map) { address, isInPart, _ in
            let isOfPart = isInPart && isTaken[index]
            if isInPart { index += 1 }
            if run.isOfPart != isOfPart || run.addresses.count >= Self.longestRun {
                try write()
                run = ([], isOfPart)
            }
            run.addresses.append(address)
        }
        try write()
        described.write(to: &metadata, from: [map.metadata, part.metadata])
        let tiled = coverage.coverage
        // Where tiles of the one have tiles of higher zoom levels of the other in them, the tiles do not show any more where it is.
        // Tiles that the map has, too, do not tell that it is elsewhere.
        let levels = part.place?.coverage.ownLevels.filter { map.place?.coverage.has($0) != true } ?? []
        let own = Set(((map.place?.coverage.ownLevels ?? []) + levels).map(\.zoomLevel))
        metadata["bounds"] = MapCut.bounds(area(of: tiled?.stating(ownZooms: own)))
        let stated = own.subtracting(tiled?.ownLevels.map(\.zoomLevel) ?? []).sorted()
        metadata[MapDescription.ownZoomsKey] = stated.isEmpty ? nil : stated.map(String.init).joined(separator: ",")
        if let former = metadata[MapDescription.partKey] {
            // The part may be one of a map with more tiles.
            let whole = max(Int(former) ?? 0, part.metadata[MapDescription.partKey].flatMap { Int($0) } ?? 0)
            metadata[MapDescription.partKey] = writer.tileCount < whole ? "\(whole)" : nil
        }
        try writer.finish(metadata: metadata)
    }

    /// Returns the area of both maps: edges that the tiles of the part do not move stay as the map states them.
    private func area(of union: Coverage?) -> BoundingBox? {
        guard let tiled = union?.area, let (coverage, ours) = map.place, let former = coverage.area,
            let theirs = part.place?.area, ![tiled, former, ours, theirs].contains(where: \.crosses180)
        else { return union?.area }
        func edge(_ edge: KeyPath<BoundingBox, Double>, _ outermost: (Double, Double) -> Double) -> Double {
            tiled[keyPath: edge] == former[keyPath: edge]
                ? ours[keyPath: edge] : outermost(ours[keyPath: edge], theirs[keyPath: edge])
        }
        return BoundingBox(
            north: edge(\.north, max),
            south: edge(\.south, min),
            east: edge(\.east, max),
            west: edge(\.west, min)
        )
    }

    private static let longestRun = 4096

    /// Calls `body` with each position that a part or a map has, in order.
    private static func forEachAddress(
        _ part: Side,
        _ map: Side,
        _ body: (TileAddress, _ isOfPart: Bool, _ isOfMap: Bool) throws -> Void
    ) rethrows {
        var ours = map.tiles.addresses.makeIterator()
        var next = ours.next()
        for address in part.tiles.addresses {
            while let here = next, here < address {
                try body(here, false, true)
                next = ours.next()
            }
            try body(address, true, next == address)
            if next == address { next = ours.next() }
        }
        while let here = next {
            try body(here, false, true)
            next = ours.next()
        }
    }

    /// Decides on each tile of the part.
    private struct Comparison {
        private let part: Side
        private let map: Side
        private(set) var isTaken: [Bool] = []
        private(set) var counts = Counts()
        private(set) var difference: MapDifference
        /// Places that both have: where the decision is, and whether the part is newer.
        private var common: [(address: TileAddress, index: Int, age: MapEdition.Age)] = []

        init(_ part: Side, _ map: Side) {
            (self.part, self.map) = (part, map)
            difference = MapDifference(tileCount: map.tiles.count)
            isTaken.reserveCapacity(part.tiles.count)
        }

        mutating func run() throws {
            try MapUnion.forEachAddress(part, map) { address, isOfPart, isOfMap in
                guard isOfPart else { return }
                isTaken.append(!isOfMap)
                if isOfMap {
                    let age = part.editions.edition(of: address).age(comparedWith: map.editions.edition(of: address))
                    common.append((address, isTaken.count - 1, age))
                    if common.count >= MapUnion.longestRun { try compare() }
                } else {
                    counts.added += 1
                    difference.tileCount += 1
                    difference.added.add(RowNumber(address))
                }
            }
            try compare()
            difference.sort()
        }

        /// Compares the bytes at places that both have.
        private mutating func compare() throws {
            let addresses = common.lazy.map(\.address)
            let (theirs, ours) = (try part.database.digests(at: addresses), try map.database.digests(at: addresses))
            for (address, index, age) in common {
                let isSame = theirs[address] == ours[address]
                switch age {
                case .newer:
                    // Also a tile that is the same, because it is known to be so new now.
                    isTaken[index] = true
                    if isSame {
                        counts.confirmed += 1
                    } else {
                        counts.replaced += 1
                        difference.changed.add(RowNumber(address))
                    }
                case .older where !isSame: counts.older += 1
                case .same where !isSame, .unknown where !isSame: counts.unknown += 1
                case .older, .same, .unknown: break
                }
            }
            common.removeAll(keepingCapacity: true)
        }
    }
}

extension MapDescription {
    /// The key of the metadata with the own zoom levels (``Coverage/ownLevels``) that the tiles do not show, in a map with a part added.
    static let ownZoomsKey = "ownzooms"

    /// Reads the own zoom levels that metadata state.
    static func ownZooms(in metadata: [String: String]) -> Set<Int> {
        Set((metadata[ownZoomsKey] ?? "").prefix(100).split(separator: ",").compactMap { Int($0) })
    }
}
