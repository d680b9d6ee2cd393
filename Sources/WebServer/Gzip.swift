internal import CZlib

/// Compresses bytes in the form of gzip (RFC 1952), piece by piece.
package final class Gzip {
    private static let windowLength = 32 * 1024
    /// zlib's largest window, in the form of gzip.
    private static let windowBits: Int32 = 15 + 16

    /// Allocated, because zlib keeps a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isOpen: Bool

    /// Creates a stream without bytes.
    package init() {
        stream.initialize(to: z_stream())
        let version = ZLIB_VERSION
        let size = Int32(MemoryLayout<z_stream>.size)
        isOpen = deflateInit2_(stream, 5, Z_DEFLATED, Self.windowBits, 8, Z_DEFAULT_STRATEGY, version, size) == Z_OK
    }

    deinit {
        if isOpen { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Compresses more bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isLast: Whether the stream ends after them.
    /// - Returns: The bytes that follow the earlier ones in the stream; nil if zlib has no memory.
    package func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
        guard isOpen, let length = UInt32(exactly: bytes.count) else { return nil }
        var input = bytes
        var output: [UInt8] = []
        var window = [UInt8](repeating: 0, count: Self.windowLength)
        let isDone = input.withUnsafeMutableBufferPointer { input in
            window.withUnsafeMutableBufferPointer { window in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = length
                while true {
                    stream.pointee.next_out = window.baseAddress
                    stream.pointee.avail_out = UInt32(window.count)
                    let status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    output.append(contentsOf: window[..<(window.count - Int(stream.pointee.avail_out))])
                    if status == Z_STREAM_END { return true }
                    // Z_BUF_ERROR: there is nothing more to write.
                    guard status == Z_OK else { return status == Z_BUF_ERROR && !isLast }
                    if !isLast, stream.pointee.avail_out > 0 { return true }
                }
            }
        }
        return isDone ? output : nil
    }

    /// Compresses the whole of some bytes; nil if zlib has no memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        Gzip().compress(bytes, isLast: true)
    }

    /// Returns whether the fields `Accept-Encoding` of a request allow gzip.
    static func isAccepted(_ fields: [String]) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { coding in
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            // A weight of zero means that the client cannot read it.
            return !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
        }
    }
}
