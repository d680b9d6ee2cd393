import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
package import RegionModel

extension RegionStore {
    /// Copies and checks the map of another program, which is taken as it is, without changing any region.
    ///
    /// - Parameters:
    ///   - fileName: The original name of the file; nil for `path`.
    ///   - name: The name of a new region; nil for the one that the file states, or else that of the file.
    ///   - work: What the import may take.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is not of this format.
    package func prepareForeignMap(
        at path: String,
        called fileName: String? = nil,
        as format: ForeignFormat,
        name: String? = nil,
        by work: ImportWork = ImportWork(),
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> PreparedForeignMap {
        let givenName = try name.map { try Self.checked(name: $0) }
        let workspace = try importWorkspace()
        let file = try prepareForeign(path, as: format, in: workspace, work, progress: progress)
        let savedName = ForeignMap.fileName(for: fileName ?? path, format)
        guard let foreign = ForeignMap(format: format, fileName: savedName, hasArea: false) else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has a name that is not possible.",
                remedy: "Rename the file."
            )
        }
        let stem = savedName.lastIndex(of: ".").map { String(savedName[..<$0]) } ?? savedName
        let names = [file.checked.name, stem].compactMap { $0 }
        return PreparedForeignMap(
            target: self,
            workspace: workspace,
            file: file,
            foreign: foreign,
            givenName: givenName,
            ownName: names.lazy.compactMap { try? Self.checked(name: $0) }.first
        )
    }

    /// Copies and hashes a file, and reads its header.
    private func prepareForeign(
        _ path: String,
        as format: ForeignFormat,
        in workspace: StoreWorkspace,
        _ work: ImportWork,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> PreparedFile<ForeignHeader> {
        let source = try DatabaseSnapshot.open(path)
        let before = try DatabaseSnapshot.settledVersion(of: source, path)
        guard before.size > 0, let layout = ChunkLayout(size: before.size) else {
            throw RegionStoreError(.invalidFile, "\(path) is empty or too large.", remedy: "Download it again.")
        }
        let taken = work.take(path, as: ResourceKind.foreign.rawValue, in: workspace.folder)
        if taken == nil {
            try DiskSpace.check(
                before.size,
                of: RegionStoreError.mapping("written", self.path) {
                    try workspace.folder.space()
                },
                remedy: "Free some space and try again."
            )
        }
        let (copy, contents) = try RegionStoreError.mapping("copied", path) {
            let copy = try taken ?? workspace.folder.createFile(ResourceKind.foreign.rawValue)
            let isThere = taken != nil || FileCopy.clone(source, to: copy)
            let contents = try FileDigester(isStopped: work.isCancelled).digest(
                isThere ? copy : source,
                layout,
                copyingTo: isThere ? nil : copy,
                progress: progress
            )
            try copy.synchronize()
            return (copy, contents)
        }
        try before.check(source, path)
        let header = try RegionStoreError.mapping("read", path) { try ForeignHeader.read(copy, as: format) }
        guard let header else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a complete \(format.title), or a file of another kind.",
                remedy: "Download it again."
            )
        }
        return PreparedFile(checked: header, contents: contents, stamp: copy.stamp())
    }

    /// The error for a region that is gone when its map is to be replaced.
    static let wasRemoved = RegionStoreError(
        .conflict,
        "The region was removed in the meantime.",
        remedy: "Import the map again, as a new region."
    )

    /// Returns the error for a map of another area than that of the region whose map it would replace.
    static func coversAnotherArea(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The map covers a different area than “\(region.name)”, so it is not a newer version of it.",
            remedy: "Import the map as a region of its own."
        )
    }

    /// Returns the error for a map that cannot take the place of the one that a region has.
    static func isOfAnotherKind(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The map of “\(region.name)” is \(region.foreign.map { "a \($0.format.title)" } ?? "a map with tiles"), so this file is "
                + "not a newer version of it.",
            remedy: "Import the map as a region of its own."
        )
    }

    /// Returns the error for what needs the tiles of a map that has none.
    static func isNotDrawn(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The map of “\(region.name)” is a \(region.foreign?.format.title ?? "file of another program"), which this program "
                + "does not draw.",
            remedy: "Send or export the whole file."
        )
    }
}
