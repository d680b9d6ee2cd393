import NIOCore

extension MuxStateMachine {
    /// A frame to write.
    package enum Output: Hashable, Sendable {
        /// A record, to be numbered and kept.
        case record(Record)
        /// A droppable message.
        case droppable(DroppableMessage)

        /// The number of bytes on the wire.
        package var length: Int {
            switch self {
            case .record(let record): record.length
            case .droppable(let message): FrameHeader.byteCount + message.length
            }
        }
    }

    /// What happened to a droppable message.
    package enum OnDroppable: Hashable, Sendable {
        /// It waits for the next burst.
        case queued
        /// It waits in place of an older one.
        case replaced
        /// It was dropped: there is no connection, the queue is full, or the message is too long.
        case dropped
    }

    /// The maximum length of a record of bytes with its header: as much as TLS encrypts at once, and a power of two, because buffers
    /// have a power of two of bytes.
    static let maximumFragmentLength = 16 * 1024
    /// A shorter part of a longer fragment is not worth the cost of a record.
    static let minimumFragmentLength = 1024

    /// The most bytes that a record carries.
    package static let maximumContentLength = maximumFragmentLength - StreamBytes.headLength

    /// Returns the next frames to write: openings, ends and notices first, then a fragment of each stream in turn.
    ///
    /// If droppable messages and records both have enough to send, each get half of the bytes.
    ///
    /// - `length`: The maximum number of bytes; a single frame may be longer.
    /// - `recordRoom`: The memory that is left for records (``LinkStateMachine/room``). Droppable messages need none.
    package mutating func takeBurst(
        atMost length: Int,
        recordRoom: Int,
        at now: ContinuousClock.Instant
    ) -> [Output] {
        guard isAttached else { return [] }
        var outputs: [Output] = []
        var left = length
        var room = recordRoom
        while left > 0 {
            let output: Output
            if droppableLead <= 0, let message = outgoingDroppables.first(at: now) {
                output = .droppable(message)
                guard output.length <= left || outputs.isEmpty else { break }
                outgoingDroppables.removeFirst()
                droppableLead += output.length
            } else if let record = nextRecord(atMost: left, isFirst: outputs.isEmpty, room: room) {
                output = .record(record)
                room -= record.cost
                // The lead is bounded: droppable messages that start after a long time get no more than one fragment ahead.
                droppableLead = max(-Self.maximumFragmentLength, droppableLead - record.length)
            } else if droppableLead > 0 {
                droppableLead = 0
                continue
            } else {
                break
            }
            left -= output.length
            outputs.append(output)
        }
        return outputs
    }

    private mutating func nextRecord(atMost left: Int, isFirst: Bool, room: Int) -> Record? {
        if let first = control.first {
            guard first.record.cost <= room, first.record.length <= left || isFirst else { return nil }
            return control.popFirst()?.record
        }
        while let stream = rotation.first {
            guard let hasBytes = hasBytesToSend(stream) else {
                _ = rotation.popFirst()
                streams[stream]?.isInRotation = false
                continue
            }
            let record =
                hasBytes
                ? fragment(stream, atMost: left, isFirst: isFirst, room: room)
                : end(stream, atMost: left, isFirst: isFirst, room: room)
            guard let record else { return nil }
            _ = rotation.popFirst()
            streams[stream]?.isInRotation = false
            schedule(stream)
            settle(stream)
            return record
        }
        return nil
    }

    /// Whether a stream has bytes to send, and not just its end; nil if it can send nothing.
    private func hasBytesToSend(_ stream: UInt32) -> Bool? {
        guard streams[stream]?.canSend == true else { return nil }
        return streams[stream]?.outgoing.isEmpty == false
    }

    private mutating func end(_ stream: UInt32, atMost left: Int, isFirst: Bool, room: Int) -> Record? {
        let record = Record(.end, payload: StreamEnd(stream: stream, code: .finished).encoded())
        guard record.cost <= room, record.length <= left || isFirst else { return nil }
        streams[stream]?.sentEnd()
        return record
    }

    private mutating func fragment(_ stream: UInt32, atMost left: Int, isFirst: Bool, room: Int) -> Record? {
        let wanted = streams[stream]?.sendable(atMost: Self.maximumContentLength) ?? 0
        let least = min(wanted, Self.minimumFragmentLength)
        let space = isFirst ? max(left - StreamBytes.headLength, least) : left - StreamBytes.headLength
        let count = min(wanted, space)
        guard count >= least, Record.cost(ofPayload: StreamBytes.prefixLength + count) <= room else { return nil }
        guard let payload = streams[stream]?.take(count, behind: stream) else { return nil }
        return Record(.bytes, payload: payload)
    }

    /// Sends a message at once or not at all.
    ///
    /// - `message`: The message; it replaces a waiting message with the same channel and key.
    package mutating func sendDroppable(_ message: DroppableMessage, expiry: ContinuousClock.Instant) -> OnDroppable {
        guard isAttached, message.isValid,
            message.message.payload.readableBytes <= peer.maximumMessageLength
        else { return .dropped }
        return outgoingDroppables.append(message, expiry: expiry)
    }

    /// A connection carries the link from now on; the limits of all streams are sent again.
    package mutating func attached() {
        guard !hasEnded else { return }
        isAttached = true
        for stream in streams.numbers.sorted() where streams[stream]?.wasRaised == true {
            if streams[stream]?.awaitsCredit == false {
                streams[stream]?.awaitsCredit = true
                credits.append(stream)
            }
        }
    }

    /// The connection has ended; droppable messages that wait are dropped.
    package mutating func detached() {
        isAttached = false
        droppableLead = 0
        outgoingDroppables.removeAll()
    }

    /// Whether the other side has to be told a limit.
    package var hasCredits: Bool { !credits.isEmpty }

    /// Whether it has to be told at once, because it may be waiting.
    package var hasUrgentCredits: Bool {
        credits.contains { streams[$0]?.isUrgent(limits.creditLength) == true }
    }

    /// Returns limits to send, at most a frame full.
    package mutating func takeCredits() -> [Credit.Limit] {
        var taken: [Credit.Limit] = []
        while taken.count < Credit.maximumCount, let stream = credits.popFirst() {
            guard let state = streams[stream] else { continue }
            streams[stream]?.awaitsCredit = false
            guard !state.hasReceivedEnd else { continue }
            streams[stream]?.told()
            taken.append(Credit.Limit(stream: stream, limit: state.receiveLimit))
        }
        return taken
    }
}
