import CZlib
import FoundationEssentials

/// DEFLATE, through zlib.
enum Deflate {
    /// How compressed bytes are wrapped.
    enum Format: CaseIterable {
        /// With a header and a checksum (RFC 1950).
        case zlib
        /// Bare (RFC 1951).
        case raw

        /// Tells whether the first bytes allow it.
        func isPossible(_ bytes: UnsafeRawBufferPointer) -> Bool {
            switch self {
            case .zlib:
                bytes.count > 2 && bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            case .raw:
                true
            }
        }

        fileprivate var windowBits: Int32 {
            switch self {
            case .zlib: 15
            case .raw: -15
            }
        }
    }

    /// How inflating ended.
    enum Outcome {
        /// The stream ended where the bytes end.
        case complete
        /// The consumer wanted no more.
        case stopped
        /// It is no such stream, or it is cut short, or something follows it.
        case broken
    }

    private static let windowLength = 64 * 1024

    /// Compresses as Apple's `COMPRESSION_ZLIB` does; nil if zlib has no memory.
    static func compress(_ bytes: [UInt8]) -> Data? {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream,
                5,
                Z_DEFLATED,
                Format.raw.windowBits,
                8,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)
            ) == Z_OK
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
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Data(output.prefix(Int(stream.total_out)))
    }

    /// Inflates piece by piece, so that a bomb costs one window of memory.
    ///
    /// - Parameters:
    ///   - bytes: The compressed bytes.
    ///   - format: How they are wrapped.
    ///   - consume: Takes what came out; returns false to stop.
    /// - Returns: How it ended.
    static func inflate(
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
