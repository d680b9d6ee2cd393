import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel
import Synchronization

/// A received part of a map never takes tiles away: it is added to the map that the region has.
extension IncomingRegion {
    /// Puts the map of the region, with the received part added, in the place of the received part.
    ///
    /// If the map has all tiles of the part, or too many tiles, it stays as it is.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the map cannot be read or written.
    func joinCut(_ state: inout State) throws {
        let kind = ResourceKind.mbtiles
        guard region.cut != nil, let entry = entries.first(where: { $0.kind == kind }),
            let known = filesBefore[kind], known != entry.digest,
            let local = try store.database.read({ try RegionFileRecord.fetchOne(kind, of: region.id, $0) }),
            local.digest == known
        else { return }
        do {
            let (held, joined) = (kind.rawValue + ".local", kind.rawValue + ".joined")
            let folder = try store.folders.regions.folder(region.id.uuidString)
            try workspace.folder.hold(local.fileName, of: folder, as: held)
            // Both are open until the union is written, so the time for both counts for each.
            let (size, isTooLarge) = local.layout.size.addingReportingOverflow(entry.size)
            guard !isTooLarge else { throw SystemError(number: EFBIG) }
            let map = try database(held, size: size, called: "The map in the store")
            let part = try database(kind.rawValue, size: size, called: "The received map")
            guard let union = try MapUnion(adding: part, to: map), !union.isMap else {
                state.joinedMap = FileDigester.Result(
                    layout: local.layout,
                    chunkDigests: local.chunkDigests,
                    digest: local.digest
                )
                state.stamps[kind] = local.stamp
                return try workspace.folder.replace(kind.rawValue, with: held)
            }
            let file = try workspace.folder.createFile(joined)
            try union.write(to: file, check: workspace.spaceCheck())
            guard let layout = ChunkLayout(size: try file.size()) else { throw SystemError(number: EFBIG) }
            state.joinedMap = try FileDigester().digest(file, layout)
            state.stamps[kind] = nil
            state.arrivals.findings[kind] = try MBTilesFile(
                checking: database(joined, size: layout.size, called: "The map with the received part")
            )
            try workspace.folder.replace(kind.rawValue, with: joined)
        } catch let error as SystemError {
            throw RegionStoreError.storage("kept in the store", "“\(region.name)”", error)
        }
    }

    private func database(_ name: String, size: UInt64, called title: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(
            workspace.folder.path(of: name),
            .immutable,
            called: title,
            for: .read,
            within: checkLimits(size),
            isCancelled: { [weak self] in self?.state.withLock { $0.hasEnded || $0.isStopped } ?? true }
        )
    }
}
