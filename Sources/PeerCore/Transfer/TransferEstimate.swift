public import PeerProtocol

/// How much of an offer has to be transferred, before anything is transferred.
///
/// Counts the bytes of resources, as ``TransferReceiver/Result/bytesTransferred`` does afterwards.
public struct TransferEstimate: Hashable, Sendable {
    /// The number of bytes of each offered kind.
    private var byteCounts: [ResourceKind: UInt64]
    /// The kinds that were not compared completely.
    private var limits: Set<ResourceKind> = []

    /// Creates an estimate for an offer of which nothing is here, as far as is known.
    package init(_ manifest: Manifest) {
        byteCounts = Dictionary(uniqueKeysWithValues: manifest.entries.map { ($0.kind, $0.size) })
    }

    /// Returns the number of bytes that have to be transferred of the resources of some kinds.
    public func byteCount(of kinds: Set<ResourceKind>) -> UInt64 {
        kinds.reduce(0) { $0 + byteCounts[$1, default: 0] }
    }

    /// Returns whether ``byteCount(of:)`` is an upper limit: not everything could be compared in time, or without telling
    /// an unknown sender what is here.
    public func isLimit(for kinds: Set<ResourceKind>) -> Bool {
        !limits.isDisjoint(with: kinds)
    }

    /// Sets the number of bytes of a kind.
    package mutating func set(_ count: UInt64, of kind: ResourceKind, isLimit: Bool) {
        byteCounts[kind] = count
        if isLimit { limits.insert(kind) } else { limits.remove(kind) }
    }
}
