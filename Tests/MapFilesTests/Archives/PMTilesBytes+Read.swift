import Foundation
import PeerStorage
import PeerTestSupport
import RegionTestSupport

@testable import MapFiles

extension PMTilesBytes {
    /// Reads the archive as an import does, and calls `body` with each tile.
    @discardableResult
    func read(in directory: TemporaryDirectory, _ body: (MapTile) throws -> Void = { _ in }) throws -> OmittedEntries {
        let path = directory.path("map.pmtiles")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let archive = try PMTilesFile(OpenFile(path, O_RDONLY), called: "map.pmtiles", scratch: Folder(directory.path))
        return try archive.forEachTile(progress: { _, _ in }, body)
    }
}
