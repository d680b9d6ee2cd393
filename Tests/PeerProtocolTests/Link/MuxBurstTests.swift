import NIOCore
import PeerProtocol
import Testing

/// What goes first, and how much of it.
@Suite struct MuxBurstTests {
    private typealias Base = MuxStateMachineTests

    private func streams(_ outputs: [MuxStateMachine.Output]) -> [String] {
        outputs.map { output in
            switch output {
            case .droppable: return "droppable"
            case .record(let record):
                var payload = record.payload
                return "\(record.kind) \(payload.readInteger(as: UInt32.self) ?? 0)"
            }
        }
    }

    private func busy(_ count: Int = 3) -> MuxStateMachine {
        var mux = Base.mux()
        for stream in 1...count {
            _ = mux.open(.bytes, named: "a", isOneWay: true)
            _ = mux.write(ByteBuffer(repeating: 1, count: 100_000), to: UInt32(2 * stream))
            _ = mux.received([Credit.Limit(stream: UInt32(2 * stream), limit: 1 << 40)])
        }
        return mux
    }

    private func droppable(_ length: Int, key: String = "") -> DroppableMessage {
        DroppableMessage(
            channel: Sample.linkName("main"),
            key: key,
            message: Message(.bytes, payload: ByteBuffer(repeating: 3, count: length))
        )
    }

    private let later = MuxStateMachineTests.now + .milliseconds(100)

    @Test func openingsGoFirstAndStreamsTakeTurns() {
        var mux = busy()
        let outputs = mux.takeBurst(atMost: 200_000, recordRoom: .max, at: Base.now)
        let expected = ["open 2", "open 4", "open 6"] + (0..<5).flatMap { _ in ["bytes 2", "bytes 4", "bytes 6"] }
        #expect(streams(outputs) == Array(expected.prefix(outputs.count)))
        for case .record(let record) in outputs { #expect(record.payload.readableBytes <= 16_384) }
        #expect(outputs.reduce(0) { $0 + $1.length } <= 200_000)
    }

    @Test(arguments: [1, 20, 100, 1100, 5000, 16_392, 65_536])
    func aTurnIsAsLongAsWantedOrOneFrame(length: Int) {
        var mux = busy()
        var total = 0
        while true {
            let outputs = mux.takeBurst(atMost: length, recordRoom: .max, at: Base.now)
            if outputs.isEmpty { break }
            let sum = outputs.reduce(0) { $0 + $1.length }
            #expect(sum <= length || outputs.count == 1)
            #expect(sum <= max(length, 1036))
            for case .record(let record) in outputs where record.kind == .bytes {
                total += record.payload.readableBytes - 4
            }
        }
        #expect(total == 300_000)
    }

    @Test func recordsKeepWithinTheirRoomAndDroppablesNeedNone() {
        var mux = busy()
        _ = mux.takeBurst(atMost: 100, recordRoom: .max, at: Base.now)
        expect(mux.takeBurst(atMost: 65_536, recordRoom: 0, at: Base.now), equals: [])
        expect(mux.sendDroppable(droppable(100), expiry: later), equals: .queued)
        expect(streams(mux.takeBurst(atMost: 65_536, recordRoom: 0, at: Base.now)), equals: ["droppable"])
        let outputs = mux.takeBurst(atMost: 65_536, recordRoom: 20_000, at: Base.now)
        var cost = 0
        for case .record(let record) in outputs { cost += record.cost }
        #expect(cost > 0 && cost <= 20_000)
    }

    @Test func droppablesAndRecordsShareTheConnection() {
        var mux = busy()
        _ = mux.takeBurst(atMost: 60, recordRoom: .max, at: Base.now)
        var lengths = [0, 0]
        for _ in 0..<10 {
            while mux.sendDroppable(droppable(1900), expiry: later) == .queued {}
            for output in mux.takeBurst(atMost: 20_000, recordRoom: .max, at: Base.now) {
                if case .droppable = output { lengths[0] += output.length } else { lengths[1] += output.length }
            }
        }
        #expect(lengths[0] > 60_000)
        #expect(lengths[1] > 60_000)
    }

    @Test func aDroppableMessageGoesBeforeWhatWaits() {
        var mux = busy()
        _ = mux.sendDroppable(droppable(100), expiry: later)
        expect(streams(mux.takeBurst(atMost: 65_536, recordRoom: .max, at: Base.now)).first, equals: "droppable")
    }

    @Test func droppablesAreDroppedByAgeKeyAndLack() {
        var mux = Base.mux()
        expect(mux.sendDroppable(droppable(16_385), expiry: later), equals: .dropped)
        expect(mux.sendDroppable(droppable(10, key: "a"), expiry: later), equals: .queued)
        expect(mux.sendDroppable(droppable(11, key: "b"), expiry: later), equals: .queued)
        expect(mux.sendDroppable(droppable(12, key: "a"), expiry: later), equals: .replaced)
        expect(mux.sendDroppable(droppable(13), expiry: later - .milliseconds(50)), equals: .queued)
        var lengths: [Int] = []
        for case .droppable(let message) in mux.takeBurst(atMost: 9999, recordRoom: 0, at: later) {
            lengths.append(message.message.payload.readableBytes)
        }
        #expect(lengths == [12, 11])
        var count = 0
        while mux.sendDroppable(droppable(2000), expiry: later) == .queued { count += 1 }
        #expect(count == 28)
        mux.detached()
        expect(mux.sendDroppable(droppable(10), expiry: later), equals: .dropped)
        mux.attached()
        expect(mux.takeBurst(atMost: 9999, recordRoom: 0, at: Base.now), equals: [])
    }

    @Test func theNewestOfAKeyIsRead() {
        var mux = Base.mux()
        let main = Sample.linkName("main")
        expect(mux.received(droppable(1, key: "a")), equals: true)
        expect(mux.received(droppable(2, key: "a")), equals: false)
        expect(mux.received(droppable(3)), equals: true)
        expect(mux.readDroppable(on: main)?.message.payload.readableBytes, equals: 2)
        expect(mux.readDroppable(on: Sample.linkName("other")), equals: nil)
        expect(mux.readDroppable(on: main)?.message.payload.readableBytes, equals: 3)
        expect(mux.readDroppable(on: main), equals: nil)
        #expect(mux.heldLength == 0)
    }

    @Test func noticesGoBeforeStreams() {
        var mux = busy(1)
        let notice = Record(.resource, payload: ByteBuffer(string: "{}"))
        expect(mux.send(notice), equals: .queued)
        expect(mux.send(Record(.bytes, payload: ByteBuffer())), equals: .refuse)
        let outputs = mux.takeBurst(atMost: 65_536, recordRoom: .max, at: Base.now)
        #expect(outputs.dropFirst().first == .record(notice))
    }

    /// Three streams with a reader send as much beside one without as they do alone, but for its window.
    @Test func aStreamThatNobodyReadsTakesItsWindowAndNoMore() {
        func turns(stalled: Bool) -> Int {
            var mux = busy(stalled ? 4 : 3)
            // The last stream has only its first window of 16 KiB.
            if stalled {
                mux.cancel(8)
                _ = mux.open(.bytes, named: "a", isOneWay: true)
                _ = mux.write(ByteBuffer(repeating: 1, count: 100_000), to: 10)
            }
            var sent = 0
            var count = 0
            while sent < 300_000 {
                count += 1
                for case .record(let record) in mux.takeBurst(atMost: 4096, recordRoom: .max, at: Base.now) {
                    var payload = record.payload
                    if record.kind == .bytes, let stream = payload.readInteger(as: UInt32.self), stream <= 6 {
                        sent += payload.readableBytes
                    }
                }
            }
            return count
        }
        #expect(turns(stalled: true) - turns(stalled: false) <= 16_384 / 4096 + 1)
    }
}
