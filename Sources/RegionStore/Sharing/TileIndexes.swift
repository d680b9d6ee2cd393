import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The indexes of the tiles of maps: files beside the maps, which may vanish at any moment and are made again when they are needed.
extension StoreFolders {
    /// What the name of an index ends with; the rest of the name is that of the map.
    static let indexSuffix = ".tiles"

    /// Opens the index of a map, or makes one that is not kept.
    ///
    /// - Returns: The index; nil if the map has no table of tiles, or too many, or if the index cannot be made.
    func tileIndex(
        of map: OpenFile,
        _ digest: ContentDigest,
        regionID: UUID,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) -> (index: TileIndex, unkept: OpenFile?)? {
        let name = digest.hex + Self.indexSuffix
        let folder = try? regions.folder(regionID.uuidString)
        if let file = try? folder?.openFile(name, O_RDONLY), let index = TileIndex(file, of: digest) {
            return (index, nil)
        }
        // A file without a name: nothing of it is left, however the process ends.
        guard let size = try? map.size(),
            let database = try? UntrustedDatabase(
                map.path,
                .immutable,
                called: "The map",
                for: .read,
                within: .receiving(size: size),
                isCancelled: isStopped
            ), let table = try? TileTable(of: database), let file = try? work.temporaryFile(),
            (try? TileIndex.write(to: file, of: map, table, digest: digest, isStopped: isStopped)) == true
        else { return nil }
        return TileIndex(file, of: digest).map { ($0, file) }
    }

    /// Keeps an index that was made, for the next time; if that is not possible, it is made again then.
    func keep(_ index: OpenFile, of digest: ContentDigest, regionID: UUID) {
        guard access != .reading, let folder = try? regions.folder(regionID.uuidString) else { return }
        let name = digest.hex + Self.indexSuffix
        try? folder.removeFile(name)
        try? folder.link(index, as: name)
    }

    /// Opens the index of a region's map, or makes and keeps it; nil if there is none.
    @discardableResult
    func keptTileIndex(_ digest: ContentDigest, regionID: UUID) -> TileIndex? {
        let name = RegionFileRecord.fileName(.mbtiles, digest)
        guard let map = self.open(LocalPlaces.File(regionID: regionID, name: name)),
            let (index, unkept) = tileIndex(of: map, digest, regionID: regionID)
        else { return nil }
        if let unkept { keep(unkept, of: digest, regionID: regionID) }
        return index
    }

    /// Returns whether a name is that of an index of one of these files.
    static func isIndex(_ name: String, ofOneOf files: Set<String>?) -> Bool {
        guard name.hasSuffix(indexSuffix) else { return false }
        return files?.contains(name.dropLast(indexSuffix.count) + ".mbtiles") == true
    }
}
