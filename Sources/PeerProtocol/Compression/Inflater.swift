import CZlib

/// Inflates a stream whose bytes come one after the other, and gives out what it contains piece by piece.
package final class Inflater {
    /// It is no such stream, or it is cut short.
    package struct Broken: Error {}

    private static let windowLength = 64 * 1024

    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool
    private let source: () throws -> [UInt8]
    private var input: [UInt8] = []
    private var index = 0
    private var isAtEnd = false

    /// Creates a stream.
    ///
    /// - `source`: Returns the next compressed bytes; none at their end.
    package init(as format: Deflate.Format, _ source: @escaping () throws -> [UInt8]) {
        self.source = source
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isOpen =
            inflateInit2_(stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Returns the next bytes, at most 64 KiB; none at the end of the stream.
    ///
    /// - Throws: ``Broken``, or the error of the source.
    package func next() throws -> [UInt8] {
        guard isOpen else { throw Broken() }
        var window = [UInt8](repeating: 0, count: Self.windowLength)
        while !isAtEnd {
            if index == input.count {
                input = try source()
                index = 0
                guard !input.isEmpty else { throw Broken() }
            }
            let produced = try inflate(into: &window)
            if produced > 0 { return Array(window.prefix(produced)) }
        }
        return []
    }

    private func inflate(into window: inout [UInt8]) throws -> Int {
        let room = UInt32(clamping: input.count - index)
        let size = UInt32(clamping: window.count)
        let status = input.withUnsafeMutableBufferPointer { input in
            window.withUnsafeMutableBufferPointer { window in
                stream.pointee.next_in = input.baseAddress.map { $0 + index }
                stream.pointee.avail_in = room
                stream.pointee.next_out = window.baseAddress
                stream.pointee.avail_out = size
                return CZlib.inflate(stream, Z_NO_FLUSH)
            }
        }
        index += Int(room - stream.pointee.avail_in)
        isAtEnd = status == Z_STREAM_END
        guard isAtEnd || status == Z_OK || status == Z_BUF_ERROR else { throw Broken() }
        return Int(size - stream.pointee.avail_out)
    }
}
