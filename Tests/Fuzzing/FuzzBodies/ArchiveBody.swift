import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage

/// An archive of tiles of a stranger: PMTiles, a map for OsmAnd, or a GeoPackage.
enum ArchiveBody {
    /// The memory of SQLite for an archive, in bytes.
    private static let memory: Int64 = 20 << 20

    static func run(_ input: [UInt8]) throws {
        let path = DatabaseBody.folder + "/hikeshare-fuzz-" + UUID().uuidString
        try Data(input).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let archive = try? archive(path) else { return }
        var last: TileAddress?
        do {
            _ = try archive.forEachTile { _, _ in
            } _: { tile in
                if let last { try require(last < tile.address, "tiles do not come in their order") }
                last = tile.address
            }
        } catch let error as BrokenInvariant {
            throw error
        } catch {
            return
        }
    }

    private static func archive(_ path: String) throws -> (any TileArchive)? {
        let file = try OpenFile(path, O_RDONLY)
        let scratch = try Folder(DatabaseBody.folder)
        if try file.prefix(PMTilesFile.mark.count) == PMTilesFile.mark {
            // A few bytes can stand for many tiles.
            return try PMTilesFile(file, called: path, scratch: scratch, maximumTileCount: 10_000)
        }
        let limits = CheckLimits(seconds: 0.2, memory: memory)
        return try DatabaseArchive.open(UntrustedDatabase(path, .immutable, within: limits), scratch: scratch)
    }
}
