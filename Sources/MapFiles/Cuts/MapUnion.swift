package import PeerStorage
import RegionModel

/// A map with the tiles of a part added: those of the part, and those of the map that the part does not have.
///
/// So nothing is taken away from the map. A tile of the part that has no data replaces none.
package struct MapUnion {
    private let part: (tiles: MapCut, database: UntrustedDatabase)
    private let map: (tiles: MapCut, database: UntrustedDatabase)

    /// Whether the map has all tiles of the part, with the same bytes.
    package let isMap: Bool

    /// Compares a part with a map; nil if together they have more than ``MapCut/maximumTileCount`` tiles.
    ///
    /// - Throws: `RegionStoreError` if one of them cannot be read.
    package init?(adding part: UntrustedDatabase, to map: UntrustedDatabase) throws {
        do {
            let tiles = try MapCut(CutRule(), of: part)
            self.part = (tiles, part)
            self.map = (try MapCut(CutRule(), of: map, atMost: MapCut.maximumTileCount - tiles.tileCount), map)
        } catch let error as RegionStoreError where error.code == .invalidArgument {
            return nil
        }
        isMap = try Self.has(map, self.part.tiles, of: part)
    }

    /// Writes the union to an empty file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - check: Called with the length of each piece before it is written.
    /// - Throws: `RegionStoreError` if a map cannot be read; `SystemError` if the file cannot be written.
    package func write(to file: OpenFile, check: @escaping WriteCheck) throws {
        var metadata = try MBTilesFile.metadata(ofCut: map.database)
        let others = try MBTilesFile.metadata(ofCut: part.database)
        // No tile is older than the older of the two.
        if let date = MapDate.date(of: metadata), let other = MapDate.date(of: others), other < date {
            for key in MapDate.keys { metadata[key] = others[key] }
        }
        var area = CoverageBuilder()
        var writer = MBTilesWriter(to: file, check: check)
        var run: (addresses: [TileAddress], isOfPart: Bool) = ([], true)
        func write() throws {
            for address in run.addresses {
                area.add(zoomLevel: address.zoomLevel, column: address.column, row: address.row)
            }
            guard run.isOfPart else {
                return try map.database.forEachTile(at: run.addresses) { try writer.add($0) }
            }
            var rest = run.addresses[...]
            try part.database.forEachTile(at: run.addresses) { tile in
                while let next = rest.popFirst(), next != tile.address {
                    try map.database.forEachTile(at: [next]) { try writer.add($0) }
                }
                try writer.add(tile)
            }
            try map.database.forEachTile(at: rest) { try writer.add($0) }
        }
        try forEachAddress { address, isOfPart in
            if run.isOfPart != isOfPart || run.addresses.count >= Self.longestRun {
                try write()
                run = ([], isOfPart)
            }
            run.addresses.append(address)
        }
        try write()
        metadata["bounds"] = MapCut.bounds(area.coverage)
        if let former = metadata[MBTilesFile.partKey] {
            // The part may be one of a map with more tiles.
            let whole = max(Int(former) ?? 0, others[MBTilesFile.partKey].flatMap { Int($0) } ?? 0)
            metadata[MBTilesFile.partKey] = writer.tileCount < whole ? "\(whole)" : nil
        }
        try writer.finish(metadata: metadata)
    }

    private static let longestRun = 4096

    /// Calls `body` with each position in order, and whether the part has it.
    private func forEachAddress(_ body: (TileAddress, _ isOfPart: Bool) throws -> Void) rethrows {
        var ours = map.tiles.addresses.makeIterator()
        var next = ours.next()
        for address in part.tiles.addresses {
            while let here = next, here < address {
                try body(here, false)
                next = ours.next()
            }
            if next == address { next = ours.next() }
            try body(address, true)
        }
        while let here = next {
            try body(here, false)
            next = ours.next()
        }
    }

    private struct Difference: Error {}

    private static func has(_ map: UntrustedDatabase, _ tiles: MapCut, of part: UntrustedDatabase) throws -> Bool {
        do {
            try tiles.forEachTile(of: part) { tile in
                guard try MBTilesFile.tile(tile.address, of: map) == tile else { throw Difference() }
            }
            return true
        } catch is Difference {
            return false
        }
    }
}
