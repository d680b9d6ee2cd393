import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import TrackFiles

/// A file of a few bytes that promises much: what its import takes is known before, and is all that it takes.
enum CostBody {
    /// The memory of SQLite, in bytes.
    private static let memory: Int64 = 12 << 20
    /// The most tiles of an archive, because each costs time here.
    private static let maximumTileCount = 10_000
    /// By how much an MBTiles file can be larger than what is known before, as in an import.
    private static let slack: (bytes: UInt64, factor: UInt64) = (16 << 20, 2)

    static func run(_ input: [UInt8]) throws {
        if TrackFormat(beginning: Array(input.prefix(1 << 16))) != nil {
            // Its limits bound the time and the memory.
            _ = try? TrackFileReader(limits: .upload).read(Data(input), named: "fuzz")
            return
        }
        let path = DatabaseBody.folder + "/hikeshare-fuzz-" + UUID().uuidString
        try Data(input).write(to: URL(filePath: path))
        defer {
            for suffix in ["", ".mbtiles"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let scratch = try Folder(DatabaseBody.folder)
        let file = try OpenFile(path, O_RDONLY)
        guard try file.prefix(PMTilesFile.mark.count) != PMTilesFile.mark else {
            let archive = try? PMTilesFile(file, called: path, scratch: scratch, maximumTileCount: maximumTileCount)
            if let archive { try check(archive, path) }
            return
        }
        guard let database = try? database(path) else { return }
        // The cost is known of every file that can be read; what it is wrong about is checked below.
        _ = try? DatabaseArchive.cost(of: database, scratch: scratch)
        if let archive = try? DatabaseArchive.open(database, scratch: scratch) {
            try check(archive, path)
        } else if let map = try? MapDescription(checking: database) {
            for isTurned in [true, false] {
                let other = try? RewrittenMap(Self.database(path), map, isTurned: isTurned, scratch: scratch)
                if let other { try check(other, path) }
            }
        }
    }

    private static func database(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 0.2, memory: memory))
    }

    private static func check(_ archive: some TileArchive, _ path: String) throws {
        guard let cost = try? archive.cost() else { return }
        let limit = slack.factor * min(cost.byteCount, 1 << 40) + slack.bytes
        var (written, tileCount): (UInt64, Int) = (0, 0)
        let map = try OpenFile(path + ".mbtiles", O_RDWR | O_CREAT | O_TRUNC)
        let isWhole =
            (try? archive.writeMBTiles(
                to: map,
                check: { count throws(SystemError) in
                    written += UInt64(count)
                    guard written <= limit else { throw SystemError(number: EFBIG) }
                },
                progress: { done, _ in tileCount = max(tileCount, done) }
            )) != nil
        try require(cost.tileCount.map { tileCount <= $0 } ?? true, "more tiles than were promised")
        guard isWhole, let database = try? database(path + ".mbtiles") else { return }
        do {
            let made = try MapDescription(checking: database)
            try require(
                cost.tileCount.map { made.tileCount <= $0 } ?? true,
                "the map has more tiles than were promised"
            )
        } catch let error as BrokenInvariant {
            throw error
        } catch {
            // An archive without tiles makes an empty map.
        }
    }
}
