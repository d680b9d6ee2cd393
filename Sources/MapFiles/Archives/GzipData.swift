import CZlib

/// Bytes in the form of gzip (RFC 1952).
enum GzipData {
    /// The window in which bytes are inflated, in bytes.
    private static let windowLength = 64 * 1024
    /// zlib's largest window, in the form of gzip.
    private static let windowBits: Int32 = 15 + 16

    /// Returns whether bytes begin like gzip.
    static func isGzip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B])
    }

    /// Inflates bytes; nil if they are damaged, or longer than a limit without compression.
    ///
    /// A bomb costs the limit and no more.
    static func inflate(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard let length = UInt32(exactly: bytes.count),
            inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var window = [UInt8](repeating: 0, count: windowLength)
        var output: [UInt8] = []
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            window.withUnsafeMutableBufferPointer { window in
                stream.next_in = input.baseAddress
                stream.avail_in = length
                while true {
                    stream.next_out = window.baseAddress
                    stream.avail_out = UInt32(window.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    let count = window.count - Int(stream.avail_out)
                    guard output.count + count <= limit else { return false }
                    output += window[..<count]
                    if status == Z_STREAM_END { return true }
                    // Without an end, a call that fills no window has run out of input.
                    guard status == Z_OK, stream.avail_out == 0 || stream.avail_in > 0 else { return false }
                }
            }
        }
        return isWhole ? output : nil
    }

    /// Compresses bytes; nil if zlib has no memory.
    static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        guard let length = UInt32(exactly: bytes.count),
            let bound = UInt32(exactly: deflateBound(&stream, UInt(length)))
        else { return nil }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(bound))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = length
                stream.next_out = output.baseAddress
                stream.avail_out = bound
                return CZlib.deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
