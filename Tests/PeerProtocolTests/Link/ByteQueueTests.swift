import NIOCore
import Testing

@testable import PeerProtocol

/// Bytes that wait, and the long blocks among them that are not copied.
@Suite struct ByteQueueTests {
    private static let room = StreamBytes.headLength

    private func block(_ length: Int, _ byte: UInt8 = 7) -> ByteBuffer {
        var block = StreamBytes.buffer(capacity: length)
        block.writeRepeatingByte(byte, count: length)
        return block
    }

    /// Where the bytes are in memory.
    private func place(_ bytes: ByteBuffer) -> UInt {
        bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    private func removeBlock(_ queue: inout ByteQueue, _ length: Int, behind room: Int = room) -> ByteBuffer? {
        queue.removeBlock(of: length, behind: room)
    }

    @Test func aLongBlockComesOutWithoutACopy() {
        var queue = ByteQueue()
        let (one, two) = (block(16_372, 1), block(13_000, 2))
        queue.append(block: one)
        queue.append(block: two)
        #expect(queue.count == 29_372)
        for bytes in [one, two] {
            #expect(queue.wholeLength == bytes.readableBytes)
            let taken = removeBlock(&queue, bytes.readableBytes)
            #expect(taken == bytes)
            #expect(taken.map(place) == place(bytes))
        }
        #expect(queue.isEmpty)
    }

    @Test func whatIsAppendedLaterDoesNotGetIntoABlock() {
        var queue = ByteQueue()
        let long = block(14_000)
        queue.append(block: long)
        queue.append(ByteBuffer(string: "more"))
        queue.append(1) { $0.writeString("!") }
        let (first, second) = (queue.removeFirst(14_000), queue.removeFirst(9))
        #expect(first == long)
        #expect(String(buffer: second) == "more!")
    }

    /// Short blocks, and those that would keep much more memory than they have bytes.
    @Test(arguments: [8192, 12_288, 17_000]) func otherBlocksAreCopied(length: Int) {
        var queue = ByteQueue()
        for _ in 0..<3 { queue.append(block: block(length)) }
        #expect(queue.wholeLength == 3 * length)
        #expect(queue.heldLength <= 3 * length + ByteQueue.maximumOverhead)
        expect(removeBlock(&queue, 4096, behind: 0), equals: nil)
        expect(queue.removeFirst(.max), equals: block(3 * length))
    }

    @Test func onlyAWholeBlockWithRoomBeforeItComesOut() {
        var queue = ByteQueue()
        queue.append(block: block(16_372))
        expect(removeBlock(&queue, 16_371), equals: nil)
        expect(removeBlock(&queue, 16_372, behind: Self.room + 1), equals: nil)
        // The rest of a block comes out as well, unless a copy needs less memory.
        queue.dropFirst(8000)
        #expect(queue.wholeLength == 8372)
        expect(removeBlock(&queue, 8372), equals: block(8372))
        queue.append(block: block(16_372))
        queue.dropFirst(10_000)
        expect(removeBlock(&queue, 6372), equals: nil)
        expect(queue.removeFirst(6372), equals: block(6372))
        #expect(queue.isEmpty)
    }

    /// The payload of a frame with this many bytes, in a buffer of its own.
    private func arrived(_ length: Int) -> ByteBuffer {
        var frame = ByteBufferAllocator().buffer(capacity: StreamBytes.headLength + length)
        frame.writeRepeatingByte(9, count: StreamBytes.headLength + length)
        frame.moveReaderIndex(forwardBy: StreamBytes.headLength)
        return frame
    }

    @Test func aLongFrameThatFillsItsMemoryIsNotCopied() {
        var queue = ByteQueue()
        let frames = [arrived(16_372), arrived(16_372)]
        for frame in frames { queue.append(arrived: frame) }
        expect(queue.removeBlock(atMost: 16_371), equals: nil)
        for frame in frames { #expect(queue.removeBlock(atMost: 65_536).map(place) == place(frame)) }
        #expect(queue.isEmpty)
        expect(queue.removeBlock(atMost: 65_536), equals: nil)
    }

    /// A peer can make a side keep little more memory than it has sent bytes.
    @Test func framesThatDoNotFillTheirMemoryAreCopied() {
        var queue = ByteQueue()
        queue.append(arrived: arrived(16_371))
        queue.append(arrived: arrived(12_000))
        #expect(queue.heldLength <= queue.count + ByteQueue.maximumOverhead)
        for _ in 0..<10 {
            // A frame after a block with room does not leave that room unused.
            queue.append(arrived: arrived(1))
            queue.append(arrived: arrived(16_372))
        }
        #expect(queue.heldLength <= queue.count + ByteQueue.maximumOverhead)
        let slice = arrived(65_524).getSlice(at: StreamBytes.headLength, length: 16_372)
        var other = ByteQueue()
        if let slice { other.append(arrived: slice) }
        #expect(other.heldLength <= 16_372 + ByteQueue.maximumOverhead)
    }

    /// Whatever a stream sends has the head of its frame before it, so that writing the frame needs no copy.
    @Test func framesOfStreamsAreWrittenWithoutACopy() throws {
        var mux = MuxStateMachineTests.mux()
        _ = mux.open(.bytes, named: "a")
        _ = mux.open(.messages, named: "b")
        _ = mux.received([2, 4].map { Credit.Limit(stream: $0, limit: 100_000) })
        expect(mux.write(block(MuxStateMachine.maximumContentLength), to: 2), equals: .queued)
        expect(mux.write(block(700), to: 2), equals: .queued)
        for number in 0..<50 {
            let payload = ByteBuffer(repeating: UInt8(number), count: 1000)
            expect(mux.write(Message(.bytes, payload: payload), to: 4), equals: .queued)
        }
        let outputs = mux.takeBurst(atMost: 1 << 20, recordRoom: .max, at: MuxStateMachineTests.now)
        var count = 0
        for case .record(let record) in outputs where record.kind == .bytes {
            var bytes = ByteBuffer()
            try FrameEncoder(preface: .hikeshare).write(.record(record), into: &bytes)
            #expect(record.frame == bytes)
            #expect(record.cost >= record.payload.storageCapacity)
            count += 1
        }
        #expect(count >= 5)
    }

    @Test func aRecordWithoutItsHeadHasNoFrameYet() {
        let payload = ByteBuffer(bytes: [0, 0, 0, 2, 7])
        #expect(Record(.bytes, payload: payload).frame == nil)
        // Something else lies before it.
        var other = ByteBuffer(repeating: 0x34, count: 8)
        other.writeImmutableBuffer(payload)
        other.moveReaderIndex(forwardBy: 8)
        #expect(Record(.bytes, payload: other).frame == nil)
    }

    @Test func piecesLeaveAStreamAsTheyAreAndInOrder() {
        var mux = MuxStateMachineTests.mux()
        _ = mux.open(.bytes, named: "a")
        _ = mux.received([Credit.Limit(stream: 2, limit: 100_000)])
        var places: Set<UInt> = []
        // A piece that something else holds would be copied.
        for number in 1...5 {
            let piece = block(MuxStateMachine.maximumContentLength, UInt8(number))
            places.insert(place(piece) - UInt(StreamBytes.prefixLength))
            expect(mux.write(piece, to: 2), equals: .queued)
        }
        // The first turn cuts a piece.
        let outputs = [1000, 65_536, 65_536].flatMap { length in
            mux.takeBurst(atMost: length, recordRoom: .max, at: MuxStateMachineTests.now)
        }
        var (sent, inPlaceCount) = ([UInt8](), 0)
        for case .record(let record) in outputs where record.kind == .bytes {
            var payload = record.payload
            if places.contains(place(payload)) { inPlaceCount += 1 }
            #expect(record.cost >= payload.storageCapacity)
            #expect(payload.readInteger(as: UInt32.self) == 2)
            sent += payload.readableBytesView
        }
        #expect(sent == (1...5).flatMap { [UInt8](repeating: UInt8($0), count: MuxStateMachine.maximumContentLength) })
        #expect(inPlaceCount >= 3)
    }
}
