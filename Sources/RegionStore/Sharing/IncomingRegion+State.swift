import PeerProtocol
import PeerStorage

extension IncomingRegion {
    /// What has arrived so far.
    struct State {
        var chunkDigests: [ResourceKind: [ContentDigest]] = [:]
        /// How many bytes were missing when the transfer began, and how many of them have come.
        var missing: [ResourceKind: UInt64] = [:]
        var written: [ResourceKind: UInt64] = [:]
        var finished: Set<ResourceKind> = []
        var byteCount: UInt64 = 0
        var partialFiles: [ResourceKind: PartialFile] = [:]
        /// What the files that are taken from the store were like when they were verified.
        var stamps: [ResourceKind: FileStamp] = [:]
        var hasEnded = false
        /// Whether the transfer is about to end without a commit.
        var isStopped = false
        var arrivals: Arrivals

        init(_ routes: RouteSelection) {
            arrivals = Arrivals(routes: RouteSelection.Search(routes))
        }

        /// How many bytes of a file of this length have arrived: what has not come is a hole in it.
        func arrivedSize(of kind: ResourceKind, length: UInt64) -> UInt64 {
            let (missing, written) = (missing[kind] ?? 0, written[kind] ?? 0)
            let stillMissing = missing - min(missing, written)
            return length - min(length, stillMissing)
        }

        /// Ends the transfer and lets go of its unfinished files, so that the next transfer can resume them.
        ///
        /// - Returns: Those files, in one order, so that the steps are the same each time; nil if it had ended before.
        mutating func end(_ entries: [ManifestEntry]) -> [(file: PartialFile, isEmpty: Bool)]? {
            guard !hasEnded else { return nil }
            defer { partialFiles = [:] }
            hasEnded = true
            return entries.compactMap { entry in
                partialFiles[entry.kind].map { ($0, !$0.wasBegun && written[entry.kind] == nil) }
            }
        }
    }

    /// What was found in the resources that are there.
    struct Arrivals {
        /// What the parts keep for the commit.
        var findings: [ResourceKind: any Sendable] = [:]
        /// The routes that are wanted by name and have not come yet.
        var routes: RouteSelection.Search
    }
}
