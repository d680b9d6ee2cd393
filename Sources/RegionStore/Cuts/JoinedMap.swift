import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A part of a map, added to the map of a region: a file in the place of the part, in a workspace.
struct JoinedMap {
    /// The digests of the file.
    var contents: FileDigester.Result

    /// What the file has; nil if it is the map of the region, to which nothing was added.
    var checked: MapDescription?

    /// What became of the tiles of the part.
    var change: MapChange

    /// The stamp of the map of the region; nil for a new file.
    var stamp: FileStamp?

    /// A part and a map have too many tiles to be joined.
    static let tooManyTiles = RegionStoreError(
        .invalidArgument,
        "The map is a part, and has too many tiles to be added to another map.",
        remedy: "Take the whole map, or the part as a region of its own."
    )

    /// Puts the map of a region, with a part added, in the place of the part.
    ///
    /// If the map has all tiles of the part, it stays as it is.
    ///
    /// - Parameter size: The size of the part in bytes. Its name in the workspace is that of its kind.
    init(
        adding size: UInt64,
        to local: RegionFileRecord,
        in workspace: StoreWorkspace,
        _ folders: StoreFolders,
        limits: (_ size: UInt64) -> CheckLimits,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let name = ResourceKind.mbtiles.rawValue
        let (held, joined) = (name + ".local", name + ".joined")
        let folder = try folders.regions.folder(local.regionID.uuidString)
        try workspace.folder.hold(local.fileName, of: folder, as: held)
        func database(_ name: String, _ size: UInt64, called title: String) throws -> UntrustedDatabase {
            try UntrustedDatabase(
                workspace.folder.path(of: name),
                .immutable,
                called: title,
                for: .read,
                within: limits(size),
                isCancelled: isCancelled
            )
        }
        // Both are open until the union is written, so the time for both counts for each.
        let (all, isTooLarge) = local.layout.size.addingReportingOverflow(size)
        guard !isTooLarge else { throw SystemError(number: EFBIG) }
        let union = try MapUnion(
            adding: database(name, all, called: "The part of the map"),
            to: database(held, all, called: "The map in the store")
        )
        guard let union else { throw Self.tooManyTiles }
        change = MapChange(difference: union.difference, union: union.counts)
        guard !union.isMap else {
            contents = FileDigester.Result(
                layout: local.layout,
                chunkDigests: local.chunkDigests,
                digest: local.digest
            )
            stamp = local.stamp
            try workspace.folder.replace(name, with: held)
            return
        }
        let file = try workspace.folder.createFile(joined)
        try union.write(to: file, check: workspace.folder.spaceCheck())
        guard let layout = ChunkLayout(size: try file.size()) else { throw SystemError(number: EFBIG) }
        contents = try FileDigester().digest(file, layout)
        checked = try MapDescription(checking: database(joined, layout.size, called: "The map with the part"))
        try workspace.folder.replace(name, with: joined)
    }
}
