/// Which lanes a receiver has, and when they have delivered everything that they can.
///
/// A pure value; the time is passed in. Lanes are numbered from 1 in the order in which they are opened; 0 is the main
/// connection. (Wire format, "Lanes".)
struct ReceiverLaneStateMachine: Sendable {
    private let maximumLaneCount: Int
    private let silence: Duration
    private var lastNumber = ResourceAssembly.mainConnection
    /// The lanes that have not ended.
    private var open: Set<Int> = []
    /// The resource that is completely sent, and when the sender reported it.
    private var dispatched: (position: Int, time: ContinuousClock.Instant)?

    init(_ configuration: ConnectionConfiguration) {
        maximumLaneCount = configuration.limits.maximumLaneCount
        silence = configuration.silenceTimeout
    }

    /// The sender asks for lanes; returns the numbers of those to open.
    ///
    /// Lanes that the sender has closed may still be open on this side, so there may be room for fewer.
    mutating func invited(_ count: Int) -> Range<Int> {
        let room = max(0, maximumLaneCount - open.count)
        let first = lastNumber + 1
        let lanes = first..<first + min(max(0, count), room)
        lastNumber = lanes.upperBound - 1
        open.formUnion(lanes)
        return lanes
    }

    /// A lane has ended.
    mutating func ended(_ lane: Int) { open.remove(lane) }

    /// The sender has divided all chunks of a resource among its connections.
    mutating func receivedAllDispatched(_ position: Int, at now: ContinuousClock.Instant) {
        dispatched = (position, now)
    }

    /// Another transfer begins on the same connection.
    mutating func beginTransfer() { dispatched = nil }

    /// Takes the resource that gets no further bytes, because everything was sent and no lane is open; nil if there is none.
    mutating func takeEnded() -> Int? {
        guard open.isEmpty, let position = dispatched?.position else { return nil }
        dispatched = nil
        return position
    }

    /// Whether nothing comes over a lane although everything was sent.
    func isSilent(lastReceipt: ContinuousClock.Instant?, at now: ContinuousClock.Instant) -> Bool {
        guard let start = dispatched?.time else { return false }
        return now - max(lastReceipt ?? start, start) >= silence
    }
}
