import NIOCore

/// Splits a stream of requests into entries: each one follows its length.
///
/// An entry is read when it is complete, so only an incomplete one is kept. A length beyond the maximum is an error before more of
/// the entry is kept.
struct RequestFraming: Sendable {
    private static let prefixLength = 4

    /// The maximum number of bytes of an entry with its length.
    private let maximumLength: Int
    private let maximumPayloadLength: Int
    /// The beginning of an incomplete entry.
    private var rest = ByteQueue()
    /// How many bytes of complete entries have been released; the others still count against the window.
    private(set) var released: UInt64 = 0

    init(isShort: Bool, maximumPayloadLength: Int) {
        self.maximumLength =
            isShort ? LinkLimits.maximumShortLength : RequestEntry.maximumHeaderLength + maximumPayloadLength
        self.maximumPayloadLength = maximumPayloadLength
    }

    /// The memory of an incomplete entry.
    var heldLength: Int { rest.heldLength }

    mutating func release(_ length: Int) { released += UInt64(clamping: length) }

    /// Bytes have arrived; returns the entries that are complete, and how long each is.
    ///
    /// - Throws: ``ProtocolError`` if an entry is longer than allowed, or is not one.
    mutating func received(_ bytes: ByteBuffer) throws(ProtocolError) -> [(entry: RequestEntry, length: Int)] {
        var bytes = bytes
        var entries: [(RequestEntry, Int)] = []
        while bytes.readableBytes > 0 {
            // Usually all of an entry arrives together, and is not copied here.
            if rest.isEmpty, let length = try length(of: bytes), let entry = bytes.readSlice(length: length) {
                entries.append((try read(entry), length))
                continue
            }
            let known = try length(of: rest.prefix(Self.prefixLength))
            let wanted = (known ?? Self.prefixLength) - rest.count
            guard let part = bytes.readSlice(length: min(wanted, bytes.readableBytes)) else { break }
            rest.append(part)
            // The length may be complete only now.
            if let length = try length(of: rest.prefix(Self.prefixLength)), length == rest.count {
                entries.append((try read(rest.removeFirst(length)), length))
            }
        }
        return entries
    }

    /// The number of bytes of the entry that begins here, with its length; nil if that is incomplete.
    private func length(of bytes: ByteBuffer) throws(ProtocolError) -> Int? {
        guard let prefix = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self) else { return nil }
        let length = Self.prefixLength + Int(prefix)
        guard length >= RequestEntry.headerLength else { throw RequestEntry.unreadable }
        guard length <= maximumLength else {
            throw ProtocolError(
                .limitExceeded,
                "The other side sent a request or an answer of \(length) bytes where at most \(maximumLength) are allowed."
            )
        }
        return length
    }

    private func read(_ entry: ByteBuffer) throws(ProtocolError) -> RequestEntry {
        var entry = entry
        entry.moveReaderIndex(forwardBy: Self.prefixLength)
        return try RequestEntry(reading: entry, maximumPayloadLength: maximumPayloadLength)
    }
}
