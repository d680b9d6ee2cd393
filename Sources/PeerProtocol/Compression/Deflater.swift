import CZlib
import NIOCore

/// Compresses bytes that come one after the other to one zlib stream (RFC 1950).
final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool
    /// What came out so far; some bytes of the input may still be inside.
    private(set) var output = ByteBuffer()

    init(level: Int32 = 6) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isOpen = deflateInit_(stream, level, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isOpen { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Adds bytes; false if zlib has no memory.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        run(bytes, Z_NO_FLUSH)
    }

    /// Ends the stream; false if zlib has no memory.
    func finish() -> Bool {
        run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
    }

    /// Returns how many bytes remain of so many after compression; they are forgotten.
    static func length(of bytes: UnsafeRawBufferPointer) -> Int? {
        let deflater = Deflater(level: 1)
        guard deflater.add(bytes), deflater.finish() else { return nil }
        return deflater.output.readableBytes
    }

    private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) -> Bool {
        guard isOpen, let length = UInt32(exactly: bytes.count) else { return false }
        // zlib reads it only; its declaration does not say so.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = length
        while true {
            var status = Z_OK
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) { space in
                let room = UInt32(clamping: space.count)
                stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = room
                status = deflate(stream, flush)
                return Int(room - stream.pointee.avail_out)
            }
            if status == Z_STREAM_END { return true }
            guard status == Z_OK || status == Z_BUF_ERROR else { return false }
            if flush == Z_NO_FLUSH, stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return true }
        }
    }
}

extension ByteBuffer {
    /// Returns what a whole zlib stream contains; nil unless that is exactly `length` bytes and nothing follows the stream.
    ///
    /// More memory than `length` bytes is never used, whatever the stream is.
    func inflated(to length: Int) -> ByteBuffer? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard length >= 0, let room = UInt32(exactly: length), let count = UInt32(exactly: readableBytes),
            inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(stream) }
        var output = ByteBuffer()
        var isWhole = false
        withUnsafeReadableBytes { bytes in
            // zlib reads it only; its declaration does not say so.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            )
            stream.pointee.avail_in = count
            // A byte more than is allowed, because zlib wants a place to write to even for a stream without content.
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: length + 1) { space in
                stream.pointee.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = room + 1
                let status = inflate(stream, Z_FINISH)
                let produced = Int(room + 1 - stream.pointee.avail_out)
                isWhole = status == Z_STREAM_END && stream.pointee.avail_in == 0 && produced == length
                return min(produced, length)
            }
        }
        return isWhole ? output : nil
    }
}

extension ByteBuffer {
    /// Writes a number in groups of seven bits, the lowest first; each byte but the last has its highest bit set.
    mutating func writeVarint(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: value))
    }

    /// Reads such a number; nil if the bytes end, or if it is longer than nine bytes.
    mutating func readVarint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 56, by: 7) {
            guard let byte = readInteger(as: UInt8.self) else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
