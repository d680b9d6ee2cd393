public import FoundationEssentials
import Glibc
import PeerCore

extension RegionStore {
    /// Writes a region's map to a file: the same bytes that were imported.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists already.
    public func exportMap(
        of regionID: UUID,
        to path: String,
        progress: @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(.mbtiles, of: regionID, to: path, progress: progress)
    }

    /// Writes a region's routing database to a file: the same bytes that were imported.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists already,
    ///   ``RegionStoreError/Code/notFound`` if the region has no routing database.
    public func exportRouting(
        of regionID: UUID,
        to path: String,
        progress: @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws {
        try export(.routing, of: regionID, to: path, progress: progress)
    }

    private func export(
        _ kind: ResourceKind,
        of regionID: UUID,
        to path: String,
        progress: @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws {
        let region = try region(regionID)
        // The source holds the file, whatever happens to the region meanwhile.
        guard region.hasRoutingData || kind != .routing else {
            throw RegionStoreError(.notFound, "“\(region.name)” has no routing database.")
        }
        let source = try source(for: regionID, kinds: [kind])
        defer { withExtendedLifetime(source) {} }
        guard let entry = source.manifest.entry(of: kind), case .file(let held) = try source.content(of: entry) else {
            throw RegionStoreError(.notFound, "“\(region.name)” has no \(kind.title).")
        }
        try FileExport.write(to: path) { (file) throws(SystemError) in
            try FileCopy.copy(try OpenFile(held, O_RDONLY), to: file, size: entry.size) { done in
                progress(Int64(clamping: done), Int64(clamping: entry.size))
            }
        }
    }
}
