import PeerProtocol
import PeerStorage

extension IncomingRegion {
    /// The received part of a file, which is synchronised to the disk while it grows.
    typealias PartialFile = (part: ReceivedPart, sync: GradualSync)

    /// The state of the resources.
    struct State {
        var chunkDigests: [ResourceKind: [ContentDigest]] = [:]
        /// The number of bytes that were missing when the transfer began, and the number of those that have arrived.
        var missing: [ResourceKind: UInt64] = [:]
        var written: [ResourceKind: UInt64] = [:]
        var finished: Set<ResourceKind> = []
        var byteCount: UInt64 = 0
        var partialFiles: [ResourceKind: PartialFile] = [:]
        /// The stamps of reused files at the time when they were verified.
        var stamps: [ResourceKind: FileStamp] = [:]
        /// The map that takes the place of a received part; nil if what was received counts.
        var joinedMap: FileDigester.Result?
        /// What the transfer does to the map that the region has; nil if that is not known.
        var mapChange: MapChange?
        var hasEnded = false
        /// Whether the transfer is about to end without a commit.
        var isStopped = false
        var arrivals: Arrivals

        init(_ routes: RouteSelection) { arrivals = Arrivals(routes: RouteSelection.Search(routes)) }

        /// The number of received bytes of a file of this length; the missing bytes are holes in the file.
        func arrivedSize(of kind: ResourceKind, length: UInt64) -> UInt64 {
            let (missing, written) = (missing[kind] ?? 0, written[kind] ?? 0)
            let stillMissing = missing - min(missing, written)
            return length - min(length, stillMissing)
        }

        /// Ends the transfer and releases its partial files, so that the next transfer can resume them.
        ///
        /// - Returns: The files in a fixed order, so that the steps are the same each time; nil if the transfer had already
        ///   ended.
        mutating func end(_ entries: [ManifestEntry]) -> [(file: PartialFile, isEmpty: Bool)]? {
            guard !hasEnded else { return nil }
            defer { partialFiles = [:] }
            hasEnded = true
            return entries.compactMap { entry in
                partialFiles[entry.kind].map { ($0, !$0.part.wasBegun && written[entry.kind] == nil) }
            }
        }
    }

    /// The results of the checks of received resources.
    struct Arrivals {
        /// The values that the parts keep for the commit.
        var findings: [ResourceKind: any Sendable] = [:]
        /// The search for the routes that were selected by name.
        var routes: RouteSelection.Search
    }
}
