import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A part of a map as a resource of an offer.
struct CutResource {
    private static let fileName = "cut"

    private let wish: CutWish
    private let workspace: StoreWorkspace
    private let folders: StoreFolders

    /// Prepares a part whose file is written to the workspace of an offer.
    init(_ wish: CutWish, in workspace: StoreWorkspace, _ folders: StoreFolders) {
        self.wish = wish
        self.workspace = workspace
        self.folders = folders
    }

    /// Writes the part of a map.
    ///
    /// - Parameters:
    ///   - map: The whole map.
    ///   - region: The region, which is then described as one with the part as its map.
    ///   - progress: Called with the number of written bytes and the total number, both approximate.
    /// - Returns: The resource: the map itself if the part has all its tiles.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if there are no tiles, or too many;
    ///   `RegionStoreError.Code.storage` if the part cannot be written.
    func make(
        of map: RegionSource.Resource,
        _ region: inout RegionSummary,
        _ progress: (Int64, Int64) -> Void
    ) throws -> RegionSource.Resource {
        guard case .file(let path) = map.content else { return map }
        let whole = try RegionStore.openMap(path, .receiving(size: map.contents.layout.size))
        let cut = try RegionCut(wish, of: region, in: whole)
        // A receiver may have the map itself already.
        guard !cut.isWhole else { return map }
        do {
            let file = try workspace.folder.createFile(Self.fileName)
            try cut.write(to: file, check: workspace.folder.spaceCheck(), progress: progress)
            guard let layout = ChunkLayout(size: try file.size()) else { throw SystemError(number: EFBIG) }
            let contents = try FileDigester { Task.isCancelled }.digest(file, layout)
            let part = workspace.folder.path(of: Self.fileName)
            // What every receiver checks.
            let limits = CheckLimits.receiving(size: layout.size)
            let read = try MBTilesFile(
                checking: UntrustedDatabase(part, .immutable, called: "The part of the map", for: .read, within: limits)
            )
            region.describe(read, contents, cut: cut.description)
            return RegionSource.Resource(
                content: .file(path: part),
                contents: contents,
                tileIndex: { [folders, id = region.id] in
                    guard let file = try? OpenFile(part, O_RDONLY) else { return nil }
                    return folders.tileIndex(of: file, contents.digest, regionID: id)?.index
                }
            )
        } catch let error as SystemError {
            try Task.checkCancellation()
            throw RegionStoreError.storage("written", "The part of the map", error)
        }
    }
}

extension RegionSummary {
    /// Describes a part of the map instead of the map.
    fileprivate mutating func describe(_ map: MBTilesFile, _ contents: FileDigester.Result, cut: CutDescription) {
        self.cut = cut
        signatureText = nil
        // A part of a map that was joined may have only its older or its newer tiles.
        edition = map.edition
        boundingBox = map.boundingBox
        coverageBytes = map.coverage.bytes
        zoomLevels = map.zoomLevels
        tileCount = map.tileCount
        plannedTileCount = map.tileCount
        mapSize = contents.layout.size
        mapDigest = contents.digest
    }
}
