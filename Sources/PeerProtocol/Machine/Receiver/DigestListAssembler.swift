/// Puts the list of a resource's chunk digests together from its parts.
///
/// A part is taken only if it is the next one and has as many digests as it must. So the list never grows beyond what the
/// resource's size allows.
struct DigestListAssembler: Sendable {
    /// The position of the resource in the manifest.
    private let resource: Int
    private let entry: ManifestEntry
    private var hasher: ResourceHasher
    /// The digests that have come.
    private(set) var digests: [ContentDigest] = []

    /// Creates an assembler of which no part has come.
    init(resource: Int, entry: ManifestEntry) {
        self.resource = resource
        self.entry = entry
        self.hasher = ResourceHasher(size: entry.size)
    }

    /// Whether every part has come.
    var isComplete: Bool { digests.count == entry.layout.chunkCount }

    /// Whether the digests are those of the resource; to be asked once all have come.
    var isProved: Bool { hasher.finalize() == entry.digest }

    /// Takes a part; false if it is not the next one.
    mutating func append(_ part: DigestListPart) -> Bool {
        let count = min(DigestListPart.maximumCount, entry.layout.chunkCount - digests.count)
        guard part.resource == resource, part.first == digests.count, part.digests.count == count else { return false }
        if digests.isEmpty { digests.reserveCapacity(entry.layout.chunkCount) }
        digests += part.digests
        for digest in part.digests { hasher.update(digest) }
        return true
    }
}
