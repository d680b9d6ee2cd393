/// How far a transfer is.
public struct TransferProgress: Hashable, Sendable {
    /// The resource that is on the way.
    public var kind: ResourceKind
    /// The bytes of that resource that are there.
    public var resourceBytes: UInt64
    /// The size of that resource.
    public var resourceSize: UInt64
    /// The bytes of all resources together that are there.
    public var bytes: UInt64
    /// The size of all wanted resources together.
    public var size: UInt64
    /// Bytes per second over the last few seconds; 0 while not yet known.
    public var bytesPerSecond: Double
    /// How long the rest will take at that rate; nil while that is not known.
    public var timeLeft: Duration?

    /// The part of the whole that is there, from 0 to 1.
    public var fraction: Double {
        size == 0 ? 1 : min(1, Double(bytes) / Double(size))
    }
}

/// Computes the progress of a transfer from what crosses and when.
///
/// A pure value; the time is passed in.
struct ProgressMeter: Sendable {
    private struct Part {
        var kind: ResourceKind
        var bytes: UInt64
        var size: UInt64
    }

    /// Over how long the rate is averaged.
    private static let window: Duration = .seconds(3)

    private var parts: [Int: Part] = [:]
    private var current: Int?
    private var samples: [(time: ContinuousClock.Instant, transferred: UInt64)] = []
    private var transferred: UInt64 = 0

    /// Announces a resource that will be transferred.
    mutating func expect(_ resource: Int, kind: ResourceKind, size: UInt64) {
        parts[resource] = Part(kind: kind, bytes: 0, size: size)
    }

    /// Says that bytes of a resource need not cross, because they are there already.
    mutating func found(_ resource: Int, bytes: UInt64) {
        parts[resource]?.bytes += bytes
    }

    /// Says that bytes of a resource must cross after all.
    mutating func lost(_ resource: Int, bytes: UInt64) {
        guard let there = parts[resource]?.bytes else { return }
        parts[resource]?.bytes = there - min(there, bytes)
    }

    /// Notes that bytes of a resource were transferred.
    mutating func transferred(_ resource: Int, bytes: UInt64, at now: ContinuousClock.Instant) {
        current = resource
        parts[resource]?.bytes += bytes
        transferred += bytes
        // Eight samples a second are enough for an average.
        if let last = samples.last, now - last.time < .milliseconds(125) { return }
        samples.append((now, transferred))
        while samples.count > 2, now - samples[0].time > Self.window { samples.removeFirst() }
    }

    /// Notes that a resource is complete, whether any of it was transferred or not.
    mutating func finished(_ resource: Int) {
        current = resource
    }

    /// The progress; nil before the first resource.
    func progress(at now: ContinuousClock.Instant) -> TransferProgress? {
        guard let current, let part = parts[current] else { return nil }
        let bytes = parts.values.reduce(0) { $0 + $1.bytes }
        let size = parts.values.reduce(0) { $0 + $1.size }
        let rate = bytesPerSecond(at: now)
        return TransferProgress(
            kind: part.kind,
            resourceBytes: part.bytes,
            resourceSize: part.size,
            bytes: bytes,
            size: size,
            bytesPerSecond: rate,
            timeLeft: rate > 0 && size >= bytes ? .seconds(Double(size - bytes) / rate) : nil
        )
    }

    /// How many bytes were transferred in all.
    var bytesTransferred: UInt64 { transferred }

    /// How many bytes of the resources did not have to be transferred, once they are complete: the receiver had them.
    var bytesSaved: UInt64 {
        let size = parts.values.reduce(0) { $0 + $1.size }
        return size - min(size, transferred)
    }

    private func bytesPerSecond(at now: ContinuousClock.Instant) -> Double {
        guard let first = samples.first else { return 0 }
        let elapsed = (now - first.time) / .seconds(1)
        guard elapsed > 0.05 else { return 0 }
        return Double(transferred - first.transferred) / elapsed
    }
}
