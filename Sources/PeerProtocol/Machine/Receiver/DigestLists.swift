/// The digest lists that a receiver awaits: those that it asks for before it answers the offer, and those of its selection.
///
/// A complete list goes to the driver and is not kept here.
package struct DigestLists: Sendable {
    private let manifest: Manifest
    private var awaited: Set<Int> = []
    /// The list that has begun to arrive and is not complete.
    private var list: DigestListAssembler?

    /// Creates a value that awaits nothing.
    package init(_ manifest: Manifest) { self.manifest = manifest }

    /// Whether a part of a list has come and its rest has not.
    package var isArriving: Bool { list != nil }

    /// Awaits the lists of resources whose lists have not come.
    package mutating func expect(_ resources: [Int]) { awaited.formUnion(resources) }

    /// Takes a part of a list.
    ///
    /// - Returns: The list if it is complete; nil if more parts must come.
    /// - Throws: What is wrong with the part or the list.
    package mutating func received(_ part: DigestListPart) throws(ProtocolError) -> [ContentDigest]? {
        guard awaited.contains(part.resource) else { throw .unexpected(.digests) }
        let entry = manifest.entries[part.resource]
        if list == nil { list = DigestListAssembler(resource: part.resource, entry: entry) }
        guard list?.append(part) == true else {
            throw ProtocolError(.unexpectedFrame, "The other side sent digests that are not the next ones.")
        }
        guard let list, list.isComplete else { return nil }
        self.list = nil
        // The list is checked against the manifest before any chunk is located by it: with a wrong list, good chunks
        // would look missing.
        guard list.isProved else {
            throw ProtocolError(
                .digestMismatch,
                "The list of digests of the \(entry.kind) does not match the manifest."
            )
        }
        awaited.remove(part.resource)
        return list.digests
    }
}

/// Puts the list of a resource's chunk digests together from its parts.
///
/// A part is accepted only if it is the next one and has the right number of digests. So the list never grows beyond what the
/// resource's size allows.
private struct DigestListAssembler: Sendable {
    /// The position of the resource in the manifest.
    private let resource: Int
    private let entry: ManifestEntry
    private var hasher: ContentDigest.ResourceHasher
    /// The digests that have come.
    private(set) var digests: [ContentDigest] = []

    /// Creates an assembler without any part.
    init(resource: Int, entry: ManifestEntry) {
        self.resource = resource
        self.entry = entry
        self.hasher = ContentDigest.ResourceHasher(size: entry.size)
    }

    /// Whether every part has come.
    var isComplete: Bool { digests.count == entry.layout.chunkCount }

    /// Whether the digests are those of the resource; to be asked once all have come.
    var isProved: Bool { hasher.finalize() == entry.digest }

    /// Takes a part; false if it is not the next one.
    mutating func append(_ part: DigestListPart) -> Bool {
        // Every part but the last is full. A sender of small parts would otherwise cost a frame for each digest.
        let count = min(DigestListPart.maximumCount, entry.layout.chunkCount - digests.count)
        guard part.resource == resource, part.first == digests.count, part.digests.count == count else { return false }
        // The number follows from the size in the manifest, which was checked against the limits.
        if digests.isEmpty { digests.reserveCapacity(entry.layout.chunkCount) }
        digests += part.digests
        for digest in part.digests { hasher.update(digest) }
        return true
    }
}
