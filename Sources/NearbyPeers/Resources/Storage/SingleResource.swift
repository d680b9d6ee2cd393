import FoundationEssentials
import Glibc
import PeerCore
import PeerProtocol
import PeerStorage

/// A source that offers one file, or bytes in memory, under a name.
struct SingleResource: ResourceSource {
    /// The description in the manifest, in addition to the resource.
    private struct Description: Encodable {
        var id: UUID
        var name: String
    }

    let manifest: Manifest

    private let digests: [ContentDigest]
    private let resource: ResourceContent
    private let name: String
    /// The state of the file when it was hashed; nil for bytes.
    private let status: FileStatus?

    /// Hashes a file or bytes, which blocks; a symbolic link stands for the file to which it leads.
    init(
        _ content: ResourceContent,
        id: UUID,
        name: String,
        isStopped: @escaping @Sendable () -> Bool
    ) throws(PeerError) {
        let contents: FileDigester.Result
        switch content {
        case .bytes(let bytes):
            contents = try Self.digest(bytes, name, isStopped)
            (resource, status) = (content, nil)
        case .file(let path):
            let file = try HashedFile(path, name, isStopped)
            contents = file.contents
            (resource, status) = (.file(path: file.path), file.status)
        }
        digests = contents.chunkDigests
        self.name = name
        let entry = ManifestEntry(
            name: ResourceName(kind: .file, id: id),
            layout: contents.layout,
            digest: contents.digest
        )
        manifest = try Self.manifest(id, name, entry)
    }

    private init(_ other: SingleResource, _ manifest: Manifest) {
        self.manifest = manifest
        (digests, resource, name, status) = (other.digests, other.resource, other.name, other.status)
    }

    /// Returns the same resource for another transfer, without hashing it again.
    func offered(as id: UUID) throws(PeerError) -> SingleResource {
        guard id != manifest.id, let entry = manifest.entries.first else { return self }
        let own = ManifestEntry(name: ResourceName(kind: .file, id: id), layout: entry.layout, digest: entry.digest)
        return SingleResource(self, try Self.manifest(id, name, own))
    }

    private static func manifest(_ id: UUID, _ name: String, _ entry: ManifestEntry) throws(PeerError) -> Manifest {
        do {
            return try Manifest(id: id, describing: Description(id: id, name: name), entries: [entry])
        } catch {
            throw PeerError(.invalidArgument, "“\(name)” cannot be offered: \(error.message)", cause: error)
        }
    }

    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try check(entry)
        return digests
    }

    func content(of entry: ManifestEntry) throws -> ResourceContent {
        try check(entry)
        if case .file(let path) = resource {
            guard let now = FileStatus(path: path) else { throw HashedFile.failure(name, SystemError(number: errno)) }
            guard let status, HashedFile.isSame(status, now) else { throw HashedFile.changed(name) }
        }
        return resource
    }

    private func check(_ entry: ManifestEntry) throws(PeerError) {
        guard manifest.entries == [entry] else { throw .notPartOfTransfer }
    }

    /// Returns the size of a file or bytes that are about to be offered.
    static func size(of content: ResourceContent, named name: String) throws(PeerError) -> UInt64 {
        switch content {
        case .bytes(let bytes): return UInt64(bytes.count)
        case .file(let path):
            guard let status = FileStatus(path: path) else {
                throw HashedFile.failure(name, SystemError(number: errno))
            }
            return status.size
        }
    }

    private static func digest(
        _ bytes: Data,
        _ name: String,
        _ isStopped: () -> Bool
    ) throws(PeerError) -> FileDigester.Result {
        guard let layout = ChunkLayout(size: UInt64(bytes.count)) else { throw HashedFile.tooLarge(name) }
        var digests: [ContentDigest] = []
        // Every piece but the last one has whole chunks.
        let length = max(pieceLength, Int(layout.chunkLength))
        for start in stride(from: 0, to: bytes.count, by: length) {
            if isStopped() { throw HashedFile.stopped }
            let end = min(start + length, bytes.count)
            digests += bytes.withUnsafeBytes { all in
                let piece = UnsafeRawBufferPointer(rebasing: all[start..<end])
                return ContentDigest.chunkDigests(of: [piece], chunkLength: Int(layout.chunkLength))
            }
        }
        let digest = ContentDigest(resourceSize: layout.size, chunkDigests: digests)
        return FileDigester.Result(layout: layout, chunkDigests: digests, digest: digest)
    }

    private static let pieceLength = 1 << 20
}
