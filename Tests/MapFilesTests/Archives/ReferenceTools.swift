import Foundation
import PeerProtocol
import PeerTestSupport
import Testing

@testable import MapFiles

/// What other programs read of archives of tiles.
///
/// `Scripts/setup test` installs them.
enum ReferenceTools {
    /// Runs a command of `Tests/ReferenceArchives/archives.py` and returns the lines that it prints.
    static func run(_ arguments: String...) async throws -> [String] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let python = tests.deletingLastPathComponent().appendingPathComponent(".build/python/bin/python").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "Scripts/setup test installs what is missing"
        )
        let script = tests.appendingPathComponent("ReferenceArchives/archives.py").path
        return try await ChildProcess.with(python, [script] + arguments) { child in
            let (status, output, errors) = await child.complete()
            try #require(status == .exited(0), "\(arguments): \(errors.joined(separator: "\n"))")
            return output
        }
    }

    /// Describes a tile as the commands do: by its digest without gzip.
    static func line(_ tile: MapTile) throws -> String {
        let data = GzipData.isGzip(tile.data) ? try #require(GzipData.inflate(tile.data, atMost: 8 << 20)) : tile.data
        return "\(tile.address.name) \(ContentDigest(hashing: data).hex)"
    }
}
