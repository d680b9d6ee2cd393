import CZlib
package import NIOCore

/// Compresses bytes that come one after the other to one stream.
package final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool
    /// What came out so far; some bytes of the input may still be inside.
    package private(set) var output = ByteBuffer()

    package init(as format: Deflate.Format = .zlib, level: Int32 = 6) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            format.windowBits,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        isOpen = status == Z_OK
    }

    deinit {
        if isOpen { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Adds bytes; false if zlib has no memory.
    package func add(_ bytes: UnsafeRawBufferPointer) -> Bool { run(bytes, Z_NO_FLUSH) }

    /// Ends the stream; false if zlib has no memory.
    package func finish() -> Bool { run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH) }

    /// Returns what came out so far, and forgets it.
    package func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        return output
    }

    /// Returns the length of bytes after compression; nil if zlib has no memory.
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
    /// Hardly more memory than `length` bytes is used, whatever the stream is.
    func inflated(to length: Int) -> ByteBuffer? {
        var output = ByteBuffer()
        output.reserveCapacity(max(0, length))
        let outcome = withUnsafeReadableBytes { bytes in
            Deflate.inflate(bytes, as: .zlib) { piece in
                guard piece.count <= length - output.readableBytes else { return false }
                output.writeBytes(piece)
                return true
            }
        }
        return outcome == .complete && output.readableBytes == length ? output : nil
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
