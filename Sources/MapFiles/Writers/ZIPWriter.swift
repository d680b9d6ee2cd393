import Glibc
import PeerProtocol
package import PeerStorage
import RegionModel

/// Called with the number of bytes of each write before it; an error ends the writing.
package typealias WriteCheck = (_ count: Int) throws(SystemError) -> Void

/// Writes a ZIP file whose entries are stored as they are: tiles and photos are compressed already.
///
/// The form is `ZIPForm`.
package struct ZIPWriter {
    /// The maximum size of a file, in bytes.
    package static let maximumSize = UInt64(UInt32.max)

    /// The length of the pieces in which content is copied, in bytes.
    package static let pieceLength = 1 << 20
    /// The version of the form that a reader must know: 2.0.
    private static let version: UInt64 = 20
    /// Names are in UTF-8.
    private static let flags: UInt64 = 1 << 11

    private struct Entry {
        var name: [UInt8]
        var offset: UInt32
        var size: UInt32 = 0
        var checksum: UInt32 = 0
    }

    private let file: OpenFile
    private let check: WriteCheck
    private let date: (time: UInt16, day: UInt16)
    private var entries: [Entry] = []
    private var length: UInt64 = 0

    /// Writes to an empty file; all entries have one time.
    ///
    /// - Parameter time: The time, in seconds since 1970.
    package init(to file: OpenFile, at time: Int, check: @escaping WriteCheck = { _ in }) {
        self.file = file
        self.check = check
        date = Self.date(time)
    }

    /// Adds an entry.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the file would be too large; the error of `read`;
    ///   `SystemError`.
    package mutating func add(_ name: String, _ read: () throws -> [UInt8]) throws {
        let start = length
        guard let offset = UInt32(exactly: start), entries.count < Int(UInt16.max) else { throw Self.tooLarge }
        var entry = Entry(name: Array(name.utf8.prefix(1000)), offset: offset)
        try append(header(of: entry))
        var size: UInt64 = 0
        while true {
            let piece = try read()
            if piece.isEmpty { break }
            entry.checksum = ZIPForm.checksum(piece, after: entry.checksum)
            size += UInt64(piece.count)
            try append(piece)
        }
        guard let size = UInt32(exactly: size) else { throw Self.tooLarge }
        entry.size = size
        try file.write(header(of: entry), at: start)
        entries.append(entry)
    }

    /// Adds the content of an open file.
    package mutating func add(_ name: String, contentOf source: OpenFile) throws {
        var position: UInt64 = 0
        try add(name) {
            var bytes = [UInt8](repeating: 0, count: Self.pieceLength)
            let count = try bytes.withUnsafeMutableBytes { try source.read(into: $0, at: position) }
            position += UInt64(count)
            return Array(bytes.prefix(count))
        }
    }

    /// Adds bytes.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws {
        var rest: [UInt8]? = bytes
        try add(name) { rest.take() ?? [] }
    }

    /// Writes the list of the entries.
    package mutating func finish() throws {
        let start = length
        for entry in entries {
            // Made on Unix, whose file modes are in the external attributes.
            let start = Self.bytes((UInt64(ZIPForm.listed), 4), (3 << 8 | Self.version, 2))
            let end = Self.bytes((0, 6), (UInt64(S_IFREG | 0o644) << 16, 4), (UInt64(entry.offset), 4))
            try append(start + common(entry) + end + entry.name)
        }
        guard length <= Self.maximumSize else { throw Self.tooLarge }
        let count = UInt64(entries.count)
        try append(
            Self.bytes(
                (UInt64(ZIPForm.end), 4),
                (0, 4),
                (count, 2),
                (count, 2),
                (length - start, 4),
                (start, 4),
                (0, 2)
            )
        )
    }

    private static let tooLarge = RegionStoreError(.storage, "A ZIP file of this region would be larger than 4 GB.")

    private mutating func append(_ bytes: [UInt8]) throws {
        try check(bytes.count)
        try file.write(bytes, at: length)
        length += UInt64(bytes.count)
    }

    private func header(of entry: Entry) -> [UInt8] {
        Self.bytes((UInt64(ZIPForm.entry), 4)) + common(entry) + entry.name
    }

    /// The fields that an entry has both before its content and in the list.
    private func common(_ entry: Entry) -> [UInt8] {
        let (checksum, size) = (UInt64(entry.checksum), UInt64(entry.size))
        return Self.bytes((Self.version, 2), (Self.flags, 2), (0, 2), (UInt64(date.time), 2), (UInt64(date.day), 2))
            + Self.bytes((checksum, 4), (size, 4), (size, 4), (UInt64(entry.name.count), 2), (0, 2))
    }

    /// Returns the bytes of numbers with so many bytes each, the lowest byte first.
    private static func bytes(_ numbers: (value: UInt64, count: Int)...) -> [UInt8] {
        numbers.flatMap { value, count in (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
    }

    /// The time and day of MS-DOS, in local time; a time before 1980 becomes its start.
    private static func date(_ time: Int) -> (time: UInt16, day: UInt16) {
        var seconds = time_t(time)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil, (80...207).contains(parts.tm_year) else { return (0, 1 << 5 | 1) }
        return (
            UInt16(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2),
            UInt16((parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday)
        )
    }
}
