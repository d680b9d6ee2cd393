public import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Writes a region's map to a file, with the imported bytes.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - path: The path of the new file.
    ///   - progress: Called with the number of written bytes and the total number.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist.
    public func exportMap(
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(.mbtiles, of: regionID, to: path, progress: progress)
    }

    /// Writes a region's routing database to a file, with the imported bytes.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - path: The path of the new file.
    ///   - progress: Called with the number of written bytes and the total number.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the region does not exist or has no routing database.
    public func exportRouting(
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(.routing, of: regionID, to: path, progress: progress)
    }

    private func export(
        _ kind: ResourceKind,
        of regionID: UUID,
        to path: String,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        // The lock prevents the collection of the file before it is open. An open file stays readable.
        let (source, known) = try folders.withSharedLock {
            let (region, file) = try database.read { database in
                (try Self.summary(regionID, database), try KnownFile.fetchOne(kind, of: regionID, database))
            }
            guard let file else { throw RegionStoreError(.notFound, "“\(region.name)” has no \(kind.title).") }
            return (try folders.open(file), file)
        }
        try FileExport.write(to: path) { file in
            guard let layout = ChunkLayout(size: known.size) else { throw SystemError(number: EFBIG) }
            let isCloned = FileCopy.clone(source, to: file)
            let contents = try FileDigester().digest(
                isCloned ? file : source,
                layout,
                copyingTo: isCloned ? nil : file,
                progress: progress
            )
            // The disk may have changed bytes since the file was checked.
            guard contents.digest == known.digest else {
                throw RegionStoreError(
                    .storage,
                    "\(folders.path(of: known)) is damaged: it is not the file that was imported or received.",
                    remedy: "Import it again to restore the file."
                )
            }
        }
    }
}
