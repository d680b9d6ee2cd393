/// The digest lists that a receiver awaits: those that it asks for before it answers the offer, and those of its selection.
///
/// A complete list is kept until the missing chunks of its resource are located, so that no list comes twice.
struct DigestLists: Sendable {
    private let manifest: Manifest
    private var awaited: Set<Int> = []
    /// The list of which some parts have come.
    private var list: DigestListAssembler?
    private var complete: [Int: [ContentDigest]] = [:]

    /// Creates a value that awaits nothing.
    init(_ manifest: Manifest) {
        self.manifest = manifest
    }

    /// Whether a part of a list has come and its rest has not.
    var isArriving: Bool { list != nil }

    /// Awaits the lists of resources, except for those that are awaited or complete already.
    mutating func expect(_ resources: [Int]) {
        awaited.formUnion(resources.filter { complete[$0] == nil })
    }

    /// Keeps only the complete lists of these resources.
    mutating func keep(_ resources: [Int]) {
        complete = complete.filter { resources.contains($0.key) }
    }

    /// Hands out the complete list with the lowest position, and forgets it; nil if there is none.
    mutating func takeFirst() -> (resource: Int, digests: [ContentDigest])? {
        guard let resource = complete.keys.min(), let digests = complete.removeValue(forKey: resource)
        else { return nil }
        return (resource, digests)
    }

    /// Takes a part of a list.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - isKept: Whether the list is kept when it is complete.
    /// - Returns: The list if it is complete; nil if more parts must come.
    /// - Throws: What is wrong with the part or the list.
    mutating func received(
        _ part: DigestListPart,
        keeping isKept: Bool = false
    ) throws(ProtocolError) -> [ContentDigest]? {
        guard awaited.contains(part.resource) else { throw .unexpected(.digests) }
        let entry = manifest.entries[part.resource]
        if list == nil { list = DigestListAssembler(resource: part.resource, entry: entry) }
        guard list?.append(part) == true else {
            throw ProtocolError(.unexpectedFrame, "The other side sent digests that are not the next ones.")
        }
        guard let list, list.isComplete else { return nil }
        self.list = nil
        guard list.isProved else {
            throw ProtocolError(
                .digestMismatch,
                "The list of digests of the \(entry.kind) does not match the manifest."
            )
        }
        awaited.remove(part.resource)
        if isKept { complete[part.resource] = list.digests }
        return list.digests
    }
}
