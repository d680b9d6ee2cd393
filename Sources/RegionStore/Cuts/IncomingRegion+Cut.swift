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
    /// If the map has all tiles of the part, it stays as it is.
    func joinCut(_ state: inout State) throws {
        let kind = ResourceKind.mbtiles
        guard region.cut != nil, let entry = entries.first(where: { $0.kind == kind }),
            let known = filesBefore[kind], known != entry.digest,
            let local = try store.database.read({ try RegionFileRecord.fetchOne(kind, of: region.id, $0) }),
            local.digest == known
        else { return }
        do {
            let joined = try JoinedMap(
                adding: entry.size,
                to: local,
                in: workspace,
                store.folders,
                limits: checkLimits,
                isCancelled: { [weak self] in self?.state.withLock { $0.hasEnded || $0.isStopped } ?? true }
            )
            (state.joinedMap, state.mapChange) = (joined.contents, joined.change)
            state.stamps[kind] = joined.stamp
            if let checked = joined.checked { state.arrivals.findings[kind] = checked }
        } catch let error as SystemError {
            throw RegionStoreError.storage("kept in the store", "“\(region.name)”", error)
        }
    }
}
