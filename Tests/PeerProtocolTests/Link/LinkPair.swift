import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// One side of a link: the machines joined as a driver joins them.
struct LinkSide {
    /// A frame as it crosses.
    enum Frame {
        case terms(received: UInt64)
        case record(Record)
        case droppable(ByteBuffer)
        case credit(ByteBuffer)
    }

    var link: LinkStateMachine
    var mux: MuxStateMachine
    var connection: UInt64 = 0
    /// The first violation that was found.
    var violation: ProtocolError?
    /// The streams that the other side has opened, and those of them that have ended.
    var offered: [StreamOpening] = []
    var finished: Set<UInt32> = []
    /// What the other side may have sent on each stream, by the credits that this side wrote.
    var allowed: [UInt32: UInt64] = [:]
    var arrived: [UInt32: UInt64] = [:]

    init(hasEvenNumbers: Bool, limits: LinkLimits, start: ContinuousClock.Instant) {
        link = LinkStateMachine(limits: limits, start: start)
        mux = MuxStateMachine(
            hasEvenNumbers: hasEvenNumbers,
            limits: limits,
            peer: .init(window: limits.firstWindow, maximumMessageLength: limits.maximumMessageLength)
        )
    }

    /// Returns what is to be written now.
    mutating func flush(atMost length: Int, at now: ContinuousClock.Instant) -> [Frame] {
        var frames: [Frame] = []
        if mux.hasCredits { link.creditRaised(isUrgent: mux.hasUrgentCredits, at: now) }
        if link.isAttached, case .acknowledge(let count) = link.tick(at: now) {
            let credit = Credit(received: count, limits: mux.takeCredits())
            for limit in credit.limits { allowed[limit.stream] = max(allowed[limit.stream] ?? 0, limit.limit) }
            frames.append(.credit(credit.encoded()))
        }
        guard link.isAttached else { return frames }
        for output in mux.takeBurst(atMost: length, recordRoom: link.room, at: now) {
            switch output {
            case .droppable(let message): frames.append(.droppable(message.encoded()))
            case .record(let record):
                if link.send(record) != .write { Issue.record("a turn took more than there is room for") }
                frames.append(.record(record))
            }
        }
        return frames
    }

    mutating func receive(_ frame: Frame, on connection: UInt64, at now: ContinuousClock.Instant) throws {
        switch frame {
        case .terms: break
        case .droppable(let payload): _ = mux.received(try DroppableMessage(decoding: payload))
        case .credit(let payload):
            let credit = try Credit(decoding: payload)
            if case .violated(let error) = link.receivedAcknowledgement(credit.received, on: connection) {
                violation = error
            }
            if case .violated(let error) = mux.received(credit.limits) { violation = error }
        case .record(let record):
            guard link.received(length: record.length, on: connection, at: now) == .deliver else { return }
            try process(record)
        }
    }

    private mutating func process(_ record: Record) throws {
        switch record.kind {
        case .open:
            let opening = try StreamOpening(decoding: record.payload)
            switch mux.receivedOpen(opening) {
            case .offer:
                offered.append(opening)
                mux.accept(opening.stream)
            case .refuse, .none: break
            case .violated(let error): violation = error
            }
        case .bytes:
            let frame = try StreamBytes(decoding: record.payload)
            arrived[frame.stream, default: 0] += UInt64(frame.bytes.readableBytes)
            if case .violated(let error) = mux.received(frame) { violation = error }
        case .end:
            let end = try StreamEnd(decoding: record.payload)
            switch mux.receivedEnd(end) {
            case .finished, .cancelled: finished.insert(end.stream)
            case .none: break
            case .violated(let error): violation = error
            }
        case .resource, .members: break
        }
    }
}

/// Two sides, joined by connections that break at any frame.
struct LinkPair {
    var sides: [LinkSide]
    var queues: [[LinkSide.Frame]] = [[], []]
    var connection: UInt64 = 0
    var now = ContinuousClock.now
    /// How many connections broke, and how many records were sent again.
    private(set) var breakCount = 0
    private(set) var replayCount = 0

    init(limits: LinkLimits) {
        sides = [true, false].map { LinkSide(hasEvenNumbers: $0, limits: limits, start: ContinuousClock.now) }
        connect()
    }

    /// Opens a new connection in place of the one that is there.
    mutating func connect() {
        connection += 1
        queues = [[], []]
        var counts: [UInt64] = []
        for side in sides.indices {
            if sides[side].link.isAttached { sides[side].mux.detached() }
            guard case .announce(let count) = sides[side].link.prepare(at: now) else { continue }
            counts.append(count)
        }
        guard counts.count == 2 else { return }
        for side in sides.indices {
            switch sides[side].link.attached(to: connection, received: counts[1 - side]) {
            case .replay(let records):
                replayCount += records.count
                queues[1 - side] += records.map { .record($0) }
            case .violated(let error): sides[side].violation = error
            case .none: Issue.record("not attached")
            }
            sides[side].mux.attached()
        }
    }

    /// Loses the tail of what is on the way, in each direction another part.
    mutating func cut(using random: inout SeededGenerator) throws {
        breakCount += 1
        for side in sides.indices {
            for _ in 0..<Int.random(in: 0...queues[side].count, using: &random) { try deliver(to: side) }
            sides[side].mux.detached()
            sides[side].link.detached(from: connection, at: now)
        }
        queues = [[], []]
    }

    mutating func deliver(to side: Int) throws {
        guard !queues[side].isEmpty else { return }
        let frame = queues[side].removeFirst()
        try sides[side].receive(frame, on: connection, at: now)
    }

    mutating func flush(_ side: Int, atMost length: Int = 65_536) {
        queues[1 - side] += sides[side].flush(atMost: length, at: now)
    }
}
