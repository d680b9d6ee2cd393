/// A directory of a PMTiles archive, without its compression.
///
/// It is four columns of numbers of variable length: differences of tile ids, run lengths, lengths and offsets.
struct PMTilesDirectory {
    /// Some tiles in a row with the same bytes, or a leaf directory.
    struct Entry: Hashable, Sendable {
        var tileID: UInt64
        /// The number of tiles; 0 for a leaf directory.
        var runLength: UInt64
        var length: UInt64
        var offset: UInt64
    }

    /// The maximum length without compression, in bytes.
    static let maximumLength = 2 << 20

    /// The maximum number of entries, several times that of the largest archives.
    static let maximumCount = 1 << 17

    /// The entries, in ascending order of their tile ids.
    let entries: [Entry]

    /// Reads a directory.
    init(_ bytes: [UInt8]) throws(ArchiveFault) {
        var numbers = Numbers(bytes)
        let count = try numbers.next()
        // Each entry has four numbers of at least one byte.
        guard count <= UInt64(bytes.count / 4) else {
            throw ArchiveFault("a directory states \(count) entries in \(bytes.count) bytes")
        }
        guard count <= UInt64(Self.maximumCount) else {
            throw ArchiveFault("a directory has \(count) entries, more than \(Self.maximumCount)")
        }
        var entries = [Entry](repeating: Entry(tileID: 0, runLength: 0, length: 0, offset: 0), count: Int(count))
        var last: UInt64 = 0
        for index in entries.indices {
            let (id, overflow) = last.addingReportingOverflow(try numbers.next())
            guard !overflow, index == 0 || id > last else {
                throw ArchiveFault("the entries of a directory are not in order")
            }
            entries[index].tileID = id
            last = id
        }
        for index in entries.indices { entries[index].runLength = try numbers.next() }
        for index in entries.indices {
            entries[index].length = try numbers.next()
            guard entries[index].length > 0 else { throw ArchiveFault("a directory has an entry without bytes") }
        }
        var end: UInt64 = 0
        for index in entries.indices {
            let number = try numbers.next()
            // 0 means that the bytes follow those of the entry before.
            guard number > 0 || index > 0 else { throw ArchiveFault("a directory does not say where its bytes are") }
            let offset = number == 0 ? end : number - 1
            entries[index].offset = offset
            let (sum, overflow) = offset.addingReportingOverflow(entries[index].length)
            guard !overflow else { throw ArchiveFault("an entry of a directory is larger than any file") }
            end = sum
        }
        guard numbers.isAtEnd else { throw ArchiveFault("a directory is longer than its entries") }
        self.entries = entries
    }

    /// Numbers of variable length: seven bits in each byte, the lowest first.
    private struct Numbers {
        private let bytes: [UInt8]
        private var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func next() throws(ArchiveFault) -> UInt64 {
            var number: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard index < bytes.count else { throw ArchiveFault("a directory is cut off") }
                let byte = UInt64(bytes[index])
                index += 1
                guard shift < 63 || byte <= 1 else { break }
                number |= (byte & 0x7F) << shift
                if byte & 0x80 == 0 { return number }
            }
            throw ArchiveFault("a directory has a number with more than 64 bits")
        }
    }
}
