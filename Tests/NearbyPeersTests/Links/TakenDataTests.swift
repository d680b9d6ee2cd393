import FoundationEssentials
import NIOCore
import Testing

@testable import NearbyPeers

/// Bytes of buffers as data for the application.
@Suite struct TakenDataTests {
    private func buffer(_ count: Int) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        buffer.writeBytes((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        return buffer
    }

    private func place(_ bytes: ByteBuffer) -> UInt {
        bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    }

    private func place(_ data: Data) -> UInt { data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    @Test func bytesThatFillTheirMemoryAreNotCopied() {
        var bytes = buffer(16_384)
        let start = place(bytes)
        var data = bytes.takeData()
        bytes = ByteBuffer()
        #expect(place(data) == start)
        #expect(data == buffer(16_384).data)
        data[0] = 9
        data.append(contentsOf: [1, 2, 3])
        #expect(data.count == 16_387 && data[0] == 9 && data[1] == 1)
    }

    /// The application may change its data, and nothing else may see that.
    @Test func bytesThatSomethingElseHoldsAreCopied() {
        var bytes = buffer(16_384)
        let other = bytes
        var data = bytes.takeData()
        data[0] = 9
        #expect(place(data) != place(other))
        #expect(other.getInteger(at: 0) == UInt8(0))
    }

    @Test func aFewBytesDoNotKeepALongBuffer() {
        var bytes = buffer(16_384)
        bytes.moveReaderIndex(forwardBy: 16_000)
        let start = place(bytes)
        let data = bytes.takeData()
        #expect(place(data) != start)
        #expect(data.count == 384)
        var none = ByteBuffer()
        #expect(none.takeData().isEmpty)
    }
}
