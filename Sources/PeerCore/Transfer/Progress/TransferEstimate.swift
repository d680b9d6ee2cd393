public import PeerProtocol

/// How much of an offer has to be transferred, before anything is transferred.
///
/// Counts the bytes of resources, as ``TransferReceiver/Result/bytesTransferred`` does afterwards.
public struct TransferEstimate: Hashable, Sendable {
    /// The number of bytes of each offered kind.
    private var byteCounts: [ResourceKind: UInt64]
    /// The kinds that were not compared completely.
    private var limits: Set<ResourceKind> = []

    /// The numbers of the pieces that differ, by kind, and how many they are.
    private var differing: [ResourceKind: Differing] = [:]

    private struct Differing: Hashable {
        var count = 0
        var numbers: [UInt64] = []
    }

    /// The most numbers of pieces that are kept for each kind.
    public static let maximumNumberCount = 65_536

    /// Creates an estimate for an offer whose resources are all missing, as far as is known.
    package init(_ manifest: Manifest) {
        byteCounts = Dictionary(uniqueKeysWithValues: manifest.entries.map { ($0.kind, $0.size) })
    }

    /// Returns the number of bytes that have to be transferred of the resources of some kinds.
    public func byteCount(of kinds: Set<ResourceKind>) -> UInt64 {
        kinds.reduce(0) { $0 + byteCounts[$1, default: 0] }
    }

    /// Returns whether ``byteCount(of:)`` is an upper limit: not everything could be compared in time, or without telling
    /// an unknown sender what is present.
    public func isLimit(for kinds: Set<ResourceKind>) -> Bool { !limits.isDisjoint(with: kinds) }

    /// Returns the number of pieces of a resource that are not present, such as the tiles of a map; nil if it was not compared
    /// piece by piece.
    public func differingCount(of kind: ResourceKind) -> Int? { differing[kind]?.count }

    /// Returns the numbers that the sender's application has given to these pieces; the first ``maximumNumberCount`` of them.
    public func differingNumbers(of kind: ResourceKind) -> [UInt64] { differing[kind]?.numbers ?? [] }

    /// Adds pieces of a kind that are not present.
    package mutating func add(differing numbers: [UInt64], of kind: ResourceKind) {
        var known = differing[kind] ?? Differing()
        known.count += numbers.count
        known.numbers += numbers.prefix(Self.maximumNumberCount - known.numbers.count)
        differing[kind] = known
    }

    /// Sets the number of bytes of a kind.
    package mutating func set(_ count: UInt64, of kind: ResourceKind, isLimit: Bool) {
        byteCounts[kind] = count
        if isLimit { limits.insert(kind) } else { limits.remove(kind) }
    }
}
