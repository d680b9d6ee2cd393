import CZlib
import NIOCore

/// DEFLATE, through zlib.
package enum Deflate {
    /// How compressed bytes are wrapped.
    package enum Format: Sendable {
        /// With a header and a checksum (RFC 1950).
        case zlib
        /// Bare (RFC 1951).
        case raw
        /// As a file of gzip (RFC 1952).
        case gzip

        /// Tells whether the first bytes allow it.
        package func isPossible(_ bytes: UnsafeRawBufferPointer) -> Bool {
            switch self {
            case .zlib:
                bytes.count > 2 && bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            case .raw:
                true
            case .gzip:
                bytes.starts(with: [0x1F, 0x8B])
            }
        }

        var windowBits: Int32 {
            switch self {
            case .zlib: 15
            case .raw: -15
            case .gzip: 15 + 16
            }
        }
    }

    /// How inflating ended.
    package enum Outcome: Sendable {
        /// The stream ended where the bytes end.
        case complete
        /// The consumer wanted no more.
        case stopped
        /// It is no such stream, or it is cut short, or something follows it.
        case broken
    }

    private static let windowLength = 64 * 1024

    /// Compresses bytes.
    ///
    /// - `level`: How much time is spent, from 1 to 9. Apple's `COMPRESSION_ZLIB` is the raw format at level 5.
    /// - Returns: The compressed bytes; nil if zlib has no memory.
    package static func compress(_ bytes: [UInt8], as format: Format, level: Int32) -> [UInt8]? {
        let deflater = Deflater(as: format, level: level)
        guard bytes.withUnsafeBytes({ deflater.add($0) }), deflater.finish() else { return nil }
        return Array(deflater.output.readableBytesView)
    }

    /// Inflates piece by piece, so that a bomb costs one window of memory.
    ///
    /// - `consume`: Takes what came out; returns false to stop.
    package static func inflate(
        _ bytes: UnsafeRawBufferPointer,
        as format: Format,
        into consume: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Outcome {
        var stream = z_stream()
        guard let length = UInt32(exactly: bytes.count),
            inflateInit2_(&stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return .broken }
        defer { inflateEnd(&stream) }
        var window = [UInt8](repeating: 0, count: windowLength)
        return window.withUnsafeMutableBufferPointer { window in
            // zlib reads it only; its declaration does not say so.
            stream.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            )
            stream.avail_in = length
            while true {
                stream.next_out = window.baseAddress
                stream.avail_out = UInt32(windowLength)
                let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                let produced = windowLength - Int(stream.avail_out)
                guard consume(UnsafeBufferPointer(rebasing: window[0..<produced])) else { return .stopped }
                if status == Z_STREAM_END { return stream.avail_in == 0 ? .complete : .broken }
                // Without an end, a call that fills no window has run out of input.
                guard status == Z_OK, stream.avail_out == 0 || stream.avail_in > 0 else { return .broken }
            }
        }
    }
}
