import PeerProtocol
import PeerTestSupport
import Testing

@testable import MapFiles

/// What other programs read of archives of tiles.
enum ReferenceTools {
    /// Runs a command of `Tests/ReferenceArchives/archives.py` and returns the lines that it prints.
    static func run(_ arguments: String...) async throws -> [String] {
        try await ReferencePrograms.run("archives.py", arguments)
    }

    /// Describes a tile as the commands do: by its digest without gzip.
    static func line(_ tile: MapTile) throws -> String {
        let data = GzipData.isGzip(tile.data) ? try #require(GzipData.inflate(tile.data, atMost: 8 << 20)) : tile.data
        return "\(tile.address.name) \(ContentDigest(hashing: data).hex)"
    }
}
