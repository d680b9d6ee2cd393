import PeerProtocol

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
    mutating func found(_ resource: Int, bytes: UInt64) { resources[resource]?.bytes += bytes }

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
    mutating func listed(bytes: Int) { listed += UInt64(bytes) }

    /// Notes that a resource is complete, whether any of it was transferred or not.
    mutating func finished(_ resource: Int) { current = resource }

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

extension ProgressMeter {
    /// How far a transfer is, and when that is to be reported.
    ///
    /// A pure value; the time is passed in.
    struct Reports: Sendable {
        // Over a fast network, hundreds of inputs arrive in a second: too many to report each.
        /// The least time between two reports.
        private static let interval: Duration = .milliseconds(100)

        var meter = ProgressMeter()
        /// Whether everything was handed to the system and, as far as is known, some of it has not arrived yet.
        var isArriving = false
        private var last: ContinuousClock.Instant?

        /// The progress if the last report was a while ago; nil if not, or before the first resource.
        mutating func dueReport(at now: ContinuousClock.Instant) -> TransferProgress? {
            if let last, now - last < Self.interval { return nil }
            return report(at: now)
        }

        /// The progress now; nil before the first resource.
        mutating func report(at now: ContinuousClock.Instant) -> TransferProgress? {
            guard let progress = meter.progress(at: now) else { return nil }
            last = now
            return progress
        }

        /// The progress when everything has arrived, the first time it is asked for; nil after that.
        mutating func allArrived(at now: ContinuousClock.Instant) -> TransferProgress? {
            guard isArriving else { return nil }
            isArriving = false
            meter.waiting = 0
            return report(at: now)
        }
    }
}
