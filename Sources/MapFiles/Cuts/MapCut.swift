package import PeerStorage
package import RegionModel

/// A part of a map: the tiles that a rule takes.
///
/// The bytes of its file depend only on these tiles and on the metadata of the map that still hold, so every machine that has the
/// map makes the same file, however it stores the map. A rule that takes the same tiles makes the same file.
package struct MapCut {
    /// The maximum number of tiles, whose numbers are in memory, 8 bytes each.
    package static let maximumTileCount = 1_000_000

    private let database: UntrustedDatabase
    private let tiles: TileList

    /// The number of tiles.
    package var tileCount: Int { tiles.count }

    /// The number of tiles of the whole map.
    package let wholeTileCount: Int

    /// Finds the tiles in one pass over all tile addresses of a map.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the rule takes no tile, or too many;
    ///   `CancellationError` in a cancelled task.
    package init(_ rule: CutRule, of database: UntrustedDatabase, atMost limit: Int = maximumTileCount) throws {
        var selection = try CutRule.Selection(rule)
        guard let tiles = try TileList(of: database, atMost: limit, where: { selection.contains($0) }) else {
            throw Self.tooManyTiles(limit)
        }
        guard tiles.count > 0 else { throw Self.noTiles }
        (self.database, self.tiles) = (database, tiles)
        wholeTileCount =
            rule.isWhole ? tiles.count : try MapDescription.tally(of: database).coverage?.tileCount ?? tiles.count
    }

    fileprivate static func tooManyTiles(_ limit: Int) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "This part of the map has more than \(limit) tiles.",
            remedy: "Choose a smaller part, or a lower highest zoom level."
        )
    }

    private static let noTiles = RegionStoreError(.invalidArgument, "The map has no tiles in this part.")

    /// Reads the tiles of the part, in the order of its file.
    package func forEachTile(_ body: (MapTile) throws -> Void) throws {
        try database.forEachTile(at: tiles.addresses, body)
    }

    /// Writes the part to an empty file.
    ///
    /// - Parameter progress: Called with the number of tiles that are written.
    package func write(
        to file: OpenFile,
        check: @escaping WriteCheck = { _ in },
        progress: (_ done: Int) -> Void = { _ in }
    ) throws {
        let source = try MapDescription.metadata(ofCut: database)
        var metadata = source
        if tileCount < wholeTileCount {
            // A part of a part is a part of the whole.
            let former = metadata[MapDescription.partKey].flatMap { Int($0) } ?? 0
            metadata[MapDescription.partKey] = "\(max(former, wholeTileCount))"
        }
        let editions = TileEditions(metadata: source)
        var described = TileEditions.Builder()
        for address in tiles.addresses { described.add(address, editions.edition(of: address)) }
        metadata["bounds"] = Self.bounds(tiles.coverage?.stating(ownZooms: MapDescription.ownZooms(in: source)).area)
        described.write(to: &metadata, from: [source])
        var writer = MBTilesWriter(to: file, check: check)
        try forEachTile { tile in
            try writer.add(tile)
            progress(writer.tileCount)
        }
        guard writer.tileCount > 0 else { throw Self.noTiles }
        try writer.finish(metadata: metadata)
    }

    /// Returns an area as metadata state it; rounded, so that it is the same with every mathematical library.
    static func bounds(_ area: BoundingBox?) -> String? {
        guard let area else { return nil }
        return [area.west, area.south, area.east, area.north].map { edge in
            String((edge * 1_000_000).rounded() / 1_000_000)
        }.joined(separator: ",")
    }
}

extension UntrustedDatabase {
    /// Returns where a rule takes tiles; nil if it takes none.
    package func coverage(of rule: CutRule) throws -> Coverage? {
        var (selection, builder) = (try CutRule.Selection(rule), CoverageBuilder())
        try MapDescription.forEachAddress(of: self) { if selection.contains($0) { builder.add($0) } }
        return builder.coverage
    }

    /// Reads the tiles that a rule takes: first the zoom levels that are taken whole, in the order of the file.
    package func forEachTile(of rule: CutRule, _ body: (MapTile) throws -> Void) throws {
        let whole = rule.wholeZoom ?? -1
        if whole >= 0 { try forEachTile(ofZooms: 0...whole, body) }
        guard rule.maximumZoom ?? .max > whole else { return }
        let limit = MapCut.maximumTileCount
        var selection = try CutRule.Selection(rule)
        let tiles = try TileList(of: self, atMost: limit) { $0.zoomLevel > whole && selection.contains($0) }
        guard let tiles else { throw MapCut.tooManyTiles(limit) }
        try forEachTile(at: tiles.addresses, body)
    }
}
