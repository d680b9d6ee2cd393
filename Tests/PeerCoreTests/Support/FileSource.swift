import PeerCore

/// A source whose bytes are where a test says.
struct AlteredSource: ResourceSource {
    var base: MemorySource
    var content: @Sendable (ManifestEntry) throws -> ResourceContent
    var digests: (@Sendable (ManifestEntry) throws -> [ContentDigest])?

    var manifest: Manifest { base.manifest }

    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try digests?(entry) ?? base.chunkDigests(of: entry)
    }

    func content(of entry: ManifestEntry) throws -> ResourceContent { try content(entry) }
}
