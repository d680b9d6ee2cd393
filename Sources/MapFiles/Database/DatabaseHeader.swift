package import PeerStorage
import RegionModel

/// The first 100 bytes of an SQLite file. (https://www.sqlite.org/fileformat2.html, section 1.3.)
package struct DatabaseHeader {
    /// The length, in bytes.
    static let length = 100

    private static let mark = Array("SQLite format 3\0".utf8)

    /// The size of a page, in bytes; at most 65,536.
    package let pageSize: UInt64

    /// How many bytes at the end of each page SQLite does not use.
    let reservedSize: UInt64

    /// Whether the file is marked as being in WAL mode.
    package let isWAL: Bool

    /// The size of the file, in bytes; nil if the last program that changed the file has not written it.
    private let statedSize: UInt64?

    /// Reads a header; nil if the bytes are too few, or not those of an SQLite file.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, bytes.starts(with: Self.mark) else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let stored = number(16, 2)
        pageSize = stored == 1 ? 65_536 : stored
        isWAL = bytes[18] == 2 || bytes[19] == 2
        reservedSize = UInt64(bytes[20])
        statedSize = number(24, 4) == number(92, 4) ? number(28, 4) * pageSize : nil
    }

    /// Reads the first bytes of a file, and checks that it is an SQLite file.
    ///
    /// - Parameter path: The path for messages.
    package init(of file: OpenFile, path: String) throws {
        let (size, bytes) = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            (try file.size(), try file.prefix(Self.length))
        }
        guard size > 0 else { throw RegionStoreError(.invalidFile, "\(path) is empty.") }
        guard bytes.starts(with: Self.mark) else {
            throw RegionStoreError(.invalidFile, "\(path) is not an SQLite database, or is encrypted.")
        }
        func cutOff(_ what: String) -> RegionStoreError {
            RegionStoreError(.invalidFile, "\(path) is cut off\(what).", remedy: "Get a new copy of the file.")
        }
        guard let header = Self(bytes) else { throw cutOff(" after \(size) bytes") }
        if let stated = header.statedSize, stated > size { throw cutOff(": it has \(size) bytes of \(stated)") }
        self = header
    }

    /// The version of SQLite that a file names as its writer: the first one that reads tables without row ids.
    ///
    /// It does not depend on the installed version, so the bytes do not either.
    private static let version: UInt32 = 3_008_002

    /// Returns the header of a file that was changed once.
    static func bytes(pageSize: Int, pageCount: UInt32, applicationID: UInt32) -> [UInt8] {
        var bytes = mark + UInt16(truncatingIfNeeded: pageSize).bigEndianBytes
        // Without a write-ahead log; no reserved bytes; the shares of a page, which are the only ones allowed.
        bytes += [1, 1, 0, 64, 32, 32]
        let changes: UInt32 = 1
        let words: [UInt32] = [
            changes, pageCount,
            // No free pages.
            0, 0,
            // The version of the schema, the form of the schema, and no cache size.
            1, 4, 0,
            // No pages that move, text in UTF-8, no version of the application.
            0, 1, 0, 0,
            applicationID, 0, 0, 0, 0, 0,
            // The page count is valid since this change.
            changes, version,
        ]
        return bytes + words.flatMap(\.bigEndianBytes)
    }
}
