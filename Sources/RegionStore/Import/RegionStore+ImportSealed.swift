package import FoundationEssentials
import GRDB
import Glibc
import MapFiles
package import PeerProtocol
import PeerStorage
package import RegionModel

extension RegionStore {
    /// Imports the map of another program, which is taken as it is.
    ///
    /// If a region of the store already has the file, no region is created.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - fileName: The original name of the file; nil for `path`.
    ///   - format: What the file is.
    ///   - name: The name of a new region; nil for the one that the file states, or else that of the file.
    ///   - regionID: The region whose file is replaced by a newer one; nil to create a region.
    ///   - sign: Signs the map as the person who imports it; nil for no signature. A signature that is there stays.
    ///   - progress: Called on any thread with the number of processed bytes and the total number.
    /// - Returns: The region.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is not of this format,
    ///   `RegionStoreError.Code.notFound` if there is no such region, `RegionStoreError.Code.invalidArgument` if that region has
    ///   a map of another kind or area. After an error, the regions are unchanged.
    @discardableResult
    package func importSealed(
        at path: String,
        called fileName: String? = nil,
        as format: SealedFormat,
        name: String? = nil,
        updating regionID: UUID? = nil,
        signed sign: ((_ map: ContentDigest) throws -> MapSignature?)? = nil,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> StoredRegion {
        let map = try prepareSealedMap(at: path, called: fileName, as: format, name: name, progress: progress)
        return try map.store(updating: regionID, signed: sign)
    }

    /// Copies and checks the map of another program, without changing any region.
    ///
    /// The parameters and errors are those of ``importSealed(at:called:as:name:updating:signed:progress:)``.
    package func prepareSealedMap(
        at path: String,
        called fileName: String? = nil,
        as format: SealedFormat,
        name: String? = nil,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> PreparedSealedMap {
        let givenName = try name.map { try Self.checked(name: $0) }
        let workspace = try importWorkspace()
        do {
            let file = try prepareSealed(path, as: format, in: workspace, progress: progress)
            let savedName = SealedMap.fileName(for: fileName ?? path, format)
            guard let sealed = SealedMap(format: format, fileName: savedName, hasArea: false) else {
                throw RegionStoreError(
                    .invalidFile,
                    "\(path) has a name that is not possible.",
                    remedy: "Rename the file."
                )
            }
            let stem = savedName.lastIndex(of: ".").map { String(savedName[..<$0]) } ?? savedName
            let names = [file.checked.name, stem].compactMap { $0 }
            return PreparedSealedMap(
                target: self,
                workspace: workspace,
                file: file,
                sealed: sealed,
                givenName: givenName,
                ownName: names.lazy.compactMap { try? Self.checked(name: $0) }.first
            )
        } catch {
            workspace.remove()
            throw error
        }
    }

    /// Copies and hashes a file, and reads its header.
    private func prepareSealed(
        _ path: String,
        as format: SealedFormat,
        in workspace: StoreWorkspace,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> PreparedFile<SealedHeader> {
        let source = try DatabaseSnapshot.open(path)
        let before = try DatabaseSnapshot.settledVersion(of: source, path)
        guard before.size > 0, let layout = ChunkLayout(size: before.size) else {
            throw RegionStoreError(.invalidFile, "\(path) is empty or too large.", remedy: "Download it again.")
        }
        try DiskSpace.check(
            before.size,
            of: RegionStoreError.mapping("written", self.path) { () throws(SystemError) in
                try workspace.folder.space()
            },
            remedy: "Free some space and try again."
        )
        let (copy, contents) = try RegionStoreError.mapping("copied", path) { () throws(SystemError) in
            let copy = try workspace.folder.createFile(ResourceKind.sealed.rawValue)
            let isCloned = FileCopy.clone(source, to: copy)
            let contents = try FileDigester().digest(
                isCloned ? copy : source,
                layout,
                copyingTo: isCloned ? nil : copy,
                progress: progress
            )
            try copy.synchronize()
            return (copy, contents)
        }
        guard try DatabaseSnapshot.Version(of: source, path) == before else {
            throw RegionStoreError(
                .storage,
                "\(path) was changed by another program while it was read.",
                remedy: "Close that program and try again."
            )
        }
        let header = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try SealedHeader.read(copy, as: format)
        }
        guard let header else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a complete \(format.title), or a file of another kind.",
                remedy: "Download it again."
            )
        }
        return PreparedFile(checked: header, contents: contents, stamp: copy.stamp())
    }

    /// Returns the error for a map that cannot take the place of the one that a region has.
    static func isOfAnotherKind(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The map of “\(region.name)” is \(region.sealed.map { "a \($0.format.title)" } ?? "a map with tiles"), so this file is "
                + "not a newer version of it.",
            remedy: "Import the map as a region of its own."
        )
    }

    /// Returns the error for what needs the tiles of a map that has none.
    static func isNotDrawn(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "The map of “\(region.name)” is a \(region.sealed?.format.title ?? "file of another program"), which this program "
                + "does not draw.",
            remedy: "Send or export the whole file."
        )
    }
}
