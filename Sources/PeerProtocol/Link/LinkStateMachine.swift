import NIOCore

/// The numbered records of a link, over all its connections.
///
/// A link lives longer than a connection: records are kept until they are acknowledged, and sent again on the next
/// connection. So each record is delivered once and in order, as long as both sides live and no outage is longer than
/// the limit. (Links, "Records".)
package struct LinkStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// Records go over a connection. Can become `detached` or `ended`.
        case attached(connection: UInt64)
        /// There is no connection. Can become `attached` or `ended`.
        case detached(until: ContinuousClock.Instant)
        /// Final.
        case ended
    }

    /// What to do with a record.
    package enum OnSend: Hashable, Sendable {
        /// Write it to the connection.
        case write
        /// Nothing: it is sent when there is a connection again.
        case hold
        /// Try again after an acknowledgement: too much is kept.
        case full
        /// Give it up: the link has ended.
        case refuse
    }

    /// What to do about a record from the other side.
    package enum OnReceived: Hashable, Sendable {
        /// Process it.
        case deliver
        /// Nothing: it arrived over an old connection.
        case none
    }

    /// What to do about an acknowledgement.
    package enum OnAcknowledgement: Equatable, Sendable {
        /// This much memory is free again.
        case release(Int)
        /// End the link and tell the peer.
        case violated(ProtocolError)
        /// Nothing.
        case none
    }

    /// What to do before a connection takes over the link.
    package enum OnPrepare: Hashable, Sendable {
        /// Announce on the new connection how many records were received, and close the old one.
        case announce(received: UInt64)
        /// Nothing: the link has ended.
        case none
    }

    /// What to do when a connection has taken over the link.
    package enum OnAttached: Equatable, Sendable {
        /// Write these records, then continue.
        case replay([Record])
        /// End the link and tell the peer.
        case violated(ProtocolError)
        /// Nothing: the connection is not a new one.
        case none
    }

    /// What to do when the link ends.
    package enum OnEnd: Hashable, Sendable {
        /// Report these records: whether the other side has them is unknown.
        case lost([Record])
        /// Nothing: it has ended before.
        case none
    }

    /// What to do when time has passed.
    package enum OnTick: Hashable, Sendable {
        /// Send a credit with this count.
        case acknowledge(UInt64)
        /// The outage was too long: report these records.
        case lost([Record])
        /// Nothing yet.
        case none
    }

    private let limits: LinkLimits
    private var state: State
    private var lastConnection: UInt64 = 0
    private var sent: UInt64 = 0
    private var acknowledged: UInt64 = 0
    /// The records `acknowledged + 1` to `sent`.
    private var kept = CircularBuffer<Record>(initialCapacity: 0)
    /// The memory of the records that the other side has not acknowledged.
    package private(set) var keptLength = 0
    /// The number of records of the other side that were delivered.
    package private(set) var received: UInt64 = 0
    private var untoldLength = 0
    private var creditTime: ContinuousClock.Instant?

    /// Creates a link that has no connection yet.
    package init(limits: LinkLimits = .standard, start: ContinuousClock.Instant) {
        self.limits = limits
        self.state = .detached(until: start + limits.reconnectionWindow)
    }

    /// Whether there is a connection.
    package var isAttached: Bool { if case .attached = state { true } else { false } }

    /// The memory that is left for records.
    package var room: Int { max(0, limits.maximumKeptLength - keptLength) }

    /// Whether the other side has acknowledged all records.
    package var isAcknowledged: Bool { kept.isEmpty }

    /// When to call ``tick(at:)``; nil if nothing is due.
    package var nextTick: ContinuousClock.Instant? {
        switch state {
        case .attached: creditTime
        case .detached(let until): until
        case .ended: nil
        }
    }

    /// This side has a record for the other one.
    ///
    /// - `isLast`: Whether the link ends right after it. It is not kept for long then, and needs no room.
    package mutating func send(_ record: Record, isLast: Bool = false) -> OnSend {
        if case .ended = state { return .refuse }
        guard isLast || record.cost <= room else { return .full }
        sent += 1
        kept.append(record)
        keptLength += record.cost
        return isAttached ? .write : .hold
    }

    /// A record has arrived.
    package mutating func received(
        length: Int,
        on connection: UInt64,
        at now: ContinuousClock.Instant
    ) -> OnReceived {
        guard state == .attached(connection: connection) else { return .none }
        received += 1
        untoldLength = min(untoldLength + min(length, limits.creditLength), limits.creditLength)
        creditRaised(isUrgent: untoldLength == limits.creditLength, at: now)
        return .deliver
    }

    /// A stream may carry more, and the other side has to be told: at once, or soon.
    package mutating func creditRaised(isUrgent: Bool, at now: ContinuousClock.Instant) {
        guard isAttached else { return }
        let time = isUrgent ? now : now + limits.creditDelay
        creditTime = min(creditTime ?? time, time)
    }

    /// The other side has received this many records.
    package mutating func receivedAcknowledgement(_ count: UInt64, on connection: UInt64) -> OnAcknowledgement {
        guard state == .attached(connection: connection) else { return .none }
        guard count <= sent else { return .violated(violate("acknowledges records that were not sent")) }
        guard count > acknowledged else { return .none }
        return .release(drop(upTo: count))
    }

    /// A new connection is about to take over the link: from now on, records that arrive over the old one are ignored.
    ///
    /// The count announced on the new connection must not change any more: a record that arrived over the old connection
    /// after the announcement would arrive again over the new one.
    package mutating func prepare(at now: ContinuousClock.Instant) -> OnPrepare {
        switch state {
        case .attached: detach(at: now)
        case .detached: break
        case .ended: return .none
        }
        return .announce(received: received)
    }

    /// Both sides have announced on a new connection how many records they have received.
    ///
    /// - Parameters:
    ///   - connection: The number of the connection, higher than that of every earlier one.
    ///   - count: The number of this side's records that the other side has received.
    package mutating func attached(to connection: UInt64, received count: UInt64) -> OnAttached {
        guard case .detached = state, connection > lastConnection else { return .none }
        guard count <= sent else { return .violated(violate("has received records that were not sent")) }
        guard count >= acknowledged else {
            return .violated(violate("has forgotten records that it has acknowledged"))
        }
        _ = drop(upTo: count)
        lastConnection = connection
        state = .attached(connection: connection)
        untoldLength = 0
        creditTime = nil
        return .replay(Array(kept))
    }

    /// A connection has ended; the end of an old connection changes nothing.
    package mutating func detached(from connection: UInt64, at now: ContinuousClock.Instant) {
        if state == .attached(connection: connection) { detach(at: now) }
    }

    /// Time has passed.
    package mutating func tick(at now: ContinuousClock.Instant) -> OnTick {
        switch state {
        case .attached:
            guard let time = creditTime, time <= now else { return .none }
            creditTime = nil
            untoldLength = 0
            return .acknowledge(received)
        case .detached(let until):
            guard until <= now else { return .none }
            return .lost(takeKept())
        case .ended:
            return .none
        }
    }

    /// The link ends: a person has disconnected, or the peer has started a new link.
    package mutating func end() -> OnEnd {
        if case .ended = state { return .none }
        return .lost(takeKept())
    }

    private mutating func detach(at now: ContinuousClock.Instant) {
        state = .detached(until: now + limits.reconnectionWindow)
        creditTime = nil
    }

    /// Forgets the records up to `count`, which is at least `acknowledged` and at most `sent`.
    private mutating func drop(upTo count: UInt64) -> Int {
        var length = 0
        for _ in 0..<Int(clamping: count - acknowledged) {
            guard let record = kept.popFirst() else { break }
            length += record.cost
        }
        keptLength -= length
        acknowledged = count
        return length
    }

    private mutating func takeKept() -> [Record] {
        defer {
            kept = CircularBuffer(initialCapacity: 0)
            keptLength = 0
            creditTime = nil
            state = .ended
        }
        return Array(kept)
    }

    private mutating func violate(_ fault: String) -> ProtocolError {
        _ = takeKept()
        return ProtocolError(.unexpectedFrame, "The other side \(fault).")
    }
}
