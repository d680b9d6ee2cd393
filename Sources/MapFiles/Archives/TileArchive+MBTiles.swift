package import PeerStorage
import RegionModel

extension TileArchive {
    /// Makes an MBTiles file of the archive.
    ///
    /// - Parameter progress: Called with how many tiles are done and the number of all tiles; the latter is 0 while unknown.
    package func writeMBTiles(
        to file: OpenFile,
        check: @escaping WriteCheck = { _ in },
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> OmittedEntries {
        do {
            var writer = MBTilesWriter(to: file, check: check)
            let omitted = try forEachTile(progress: progress) { try writer.add($0) }
            try writer.finish(metadata: metadata)
            return omitted
        } catch let error as SystemError {
            throw RegionStoreError.storage("written", file.path, error)
        }
    }
}
