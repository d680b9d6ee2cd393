import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite struct DataBatchTests {
    private func remainder(_ buffer: ByteBuffer) -> UInt64 {
        buffer.withUnsafeReadableBytes { UInt64(UInt(bitPattern: $0.baseAddress)) % 64 }
    }

    /// Why these: the start of a chunk, its middle, and an offset that is no multiple of anything.
    @Test(arguments: [0, 16_384, 24_576, 1_000_003] as [UInt64])
    func copiesBeginWhereTheProcessorHashesFastest(offset: UInt64) {
        var batch = DataBatch()
        batch.begin(at: offset)
        var bytes = ByteBuffer(bytes: (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let expected = Array(bytes.readableBytesView)
        while bytes.readableBytes > 0 { batch.appendCopy(of: &bytes, ByteBufferAllocator()) }
        #expect(batch.isFull && batch.count == expected.count)
        var position = offset
        var found: [UInt8] = []
        for buffer in batch.take() {
            #expect(remainder(buffer) == position % 64)
            #expect(buffer.storageCapacity <= 512 * 1024)
            position += UInt64(buffer.readableBytes)
            found += buffer.readableBytesView
        }
        let isSame = found == expected
        #expect(isSame)
        #expect(batch.isEmpty && batch.count == 0)
    }

    @Test func copiesAreAddedToTheLastOneUntilItIsFull() {
        var batch = DataBatch()
        for _ in 0..<10 {
            var bytes = ByteBuffer(repeating: 7, count: 50)
            while bytes.readableBytes > 0 { batch.appendCopy(of: &bytes, ByteBufferAllocator()) }
        }
        #expect(batch.count == 500)
        let buffers = batch.take()
        #expect(buffers.count < 10)
        #expect(buffers.reduce(0) { $0 + $1.readableBytes } == 500)
    }

    @Test func aSliceOfWhatIsCopiedIsNotKept() {
        var batch = DataBatch()
        let original = ByteBuffer(repeating: 1, count: 100)
        var bytes = original
        batch.appendCopy(of: &bytes, ByteBufferAllocator())
        batch.append(original)
        var more = ByteBuffer(repeating: 2, count: 10)
        batch.appendCopy(of: &more, ByteBufferAllocator())
        let addresses = batch.take().map { buffer in
            buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        }
        let address = original.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(addresses.map { $0 == address } == [false, true, false])
    }
}
