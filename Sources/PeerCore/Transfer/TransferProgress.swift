public import PeerProtocol

/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
    /// The kind of the resource that is being transferred.
    public var kind: ResourceKind
    /// The number of bytes of that resource that the receiver has.
    public var resourceBytes: UInt64
    /// The size of that resource, in bytes.
    public var resourceSize: UInt64
    /// The number of bytes of all accepted resources that the receiver has.
    public var bytes: UInt64
    /// The size of all accepted resources, in bytes.
    public var size: UInt64
    /// The rate over the last three seconds, in bytes per second; 0 while it is unknown.
    public var bytesPerSecond: Double
    /// The estimated remaining time; nil while it is unknown.
    public var timeLeft: Duration?

    /// The fraction of all bytes that the receiver has, from 0 to 1.
    public var fraction: Double {
        size == 0 ? 1 : min(1, Double(bytes) / Double(size))
    }
}

/// Computes the progress of a transfer.
///
/// A plain value: the caller passes the time.
struct ProgressMeter: Sendable {
    private struct Resource {
        var kind: ResourceKind
        var bytes: UInt64
        var size: UInt64
    }

    /// The time over which the rate is averaged.
    private static let window: Duration = .seconds(3)

    private var resources: [Int: Resource] = [:]
    private var current: Int?
    private var samples: [(time: ContinuousClock.Instant, transferred: UInt64)] = []
    private var transferred: UInt64 = 0
    private var listed: UInt64 = 0
    /// How many of the bytes that were transferred wait in this machine, or are on their way.
    ///
    /// A network that is slow, or a peer that sleeps, leaves megabytes in the buffers of the system.
    var waiting: UInt64 = 0

    /// The number of bytes that have arrived.
    var arrived: UInt64 { transferred - min(waiting, transferred) }

    /// Announces a resource that will be transferred.
    mutating func expect(_ resource: Int, kind: ResourceKind, size: UInt64) {
        resources[resource] = Resource(kind: kind, bytes: 0, size: size)
    }

    /// Notes that the receiver already has bytes of a resource.
    mutating func found(_ resource: Int, bytes: UInt64) {
        resources[resource]?.bytes += bytes
    }

    /// Notes that bytes of a resource must be transferred after all.
    mutating func lost(_ resource: Int, bytes: UInt64) {
        guard let present = resources[resource]?.bytes else { return }
        resources[resource]?.bytes = present - min(present, bytes)
    }

    /// Notes that bytes of a resource were transferred.
    mutating func transferred(_ resource: Int, bytes: UInt64, at now: ContinuousClock.Instant) {
        current = resource
        resources[resource]?.bytes += bytes
        transferred += bytes
        // Eight samples a second are enough for an average.
        if let last = samples.last, now - last.time < .milliseconds(125) { return }
        samples.append((now, arrived))
        while samples.count > 2, now - samples[0].time > Self.window { samples.removeFirst() }
    }

    /// Notes that bytes of a resource were transferred in a list of pieces: those that belong to no piece.
    mutating func listed(bytes: Int) {
        listed += UInt64(bytes)
    }

    /// Notes that a resource is complete, whether any of it was transferred or not.
    mutating func finished(_ resource: Int) {
        current = resource
    }

    /// The progress; nil before the first resource.
    func progress(at now: ContinuousClock.Instant) -> TransferProgress? {
        guard let current, let latest = resources[current] else { return nil }
        let missing = min(waiting, transferred)
        let all = resources.values.reduce(0) { $0 + $1.bytes }
        let bytes = all - min(missing, all)
        let size = resources.values.reduce(0) { $0 + $1.size }
        let rate = bytesPerSecond(at: now)
        return TransferProgress(
            kind: latest.kind,
            resourceBytes: latest.bytes - min(missing, latest.bytes),
            resourceSize: latest.size,
            bytes: bytes,
            size: size,
            bytesPerSecond: rate,
            timeLeft: rate > 0 && size >= bytes ? .seconds(Double(size - bytes) / rate) : nil
        )
    }

    /// How many bytes of the resources are still to be transferred, as far as it is known what the receiver has.
    var bytesLeft: UInt64 { resources.values.reduce(0) { $0 + $1.size - min($1.size, $1.bytes) } }

    /// How many bytes were transferred in all, with those in lists of pieces, which are compressed.
    var bytesTransferred: UInt64 { transferred + listed }

    /// How many bytes of the resources did not have to be transferred, once they are complete: the receiver had them.
    var bytesSaved: UInt64 {
        let size = resources.values.reduce(0) { $0 + $1.size }
        return size - min(size, bytesTransferred)
    }

    private func bytesPerSecond(at now: ContinuousClock.Instant) -> Double {
        guard let first = samples.first else { return 0 }
        let elapsed = (now - first.time) / .seconds(1)
        guard elapsed > 0.05 else { return 0 }
        return Double(arrived - min(arrived, first.transferred)) / elapsed
    }
}

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

    /// Creates an estimate for an offer of which nothing is present, as far as is known.
    package init(_ manifest: Manifest) {
        byteCounts = Dictionary(uniqueKeysWithValues: manifest.entries.map { ($0.kind, $0.size) })
    }

    /// Returns the number of bytes that have to be transferred of the resources of some kinds.
    public func byteCount(of kinds: Set<ResourceKind>) -> UInt64 {
        kinds.reduce(0) { $0 + byteCounts[$1, default: 0] }
    }

    /// Returns whether ``byteCount(of:)`` is an upper limit: not everything could be compared in time, or without telling
    /// an unknown sender what is present.
    public func isLimit(for kinds: Set<ResourceKind>) -> Bool {
        !limits.isDisjoint(with: kinds)
    }

    /// Returns the number of pieces of a resource that are not present, such as the tiles of a map; nil if it was not compared piece
    /// by piece.
    public func differingCount(of kind: ResourceKind) -> Int? {
        differing[kind]?.count
    }

    /// Returns the numbers that the sender's application has given to these pieces; the first ``maximumNumberCount`` of them.
    public func differingNumbers(of kind: ResourceKind) -> [UInt64] {
        differing[kind]?.numbers ?? []
    }

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
