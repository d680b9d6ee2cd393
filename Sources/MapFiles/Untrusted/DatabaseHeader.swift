import Glibc
package import PeerStorage
import RegionModel

/// The first bytes of an SQLite file.
package struct DatabaseHeader {
    /// Whether the file is marked as being in WAL mode.
    package var isWAL: Bool

    /// The size of a page, in bytes; at most 65,536.
    package var pageSize: UInt64

    /// Reads and checks the header of a file.
    ///
    /// - Throws: `RegionStoreError` if the file is empty, not an SQLite database, or shorter than its header says.
    package init(of file: OpenFile, path: String) throws {
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.size() }
        let bytes = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.prefix(100) }
        guard size > 0 else { throw RegionStoreError(.invalidFile, "\(path) is empty.") }
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw RegionStoreError(.invalidFile, "\(path) is not an SQLite database, or is encrypted.")
        }
        guard bytes.count == 100 else {
            throw RegionStoreError(.invalidFile, "\(path) is cut off after \(size) bytes.", remedy: Self.remedy)
        }
        let stored = UInt64(bytes[16]) << 8 | UInt64(bytes[17])
        pageSize = stored == 1 ? 65_536 : stored
        let pageCount = Self.word(bytes, 28)
        // The page count is valid only if the last program that changed the file has written it.
        if Self.word(bytes, 24) == Self.word(bytes, 92), pageCount * pageSize > size {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is cut off: it has \(size) bytes of \(pageCount * pageSize).",
                remedy: Self.remedy
            )
        }
        isWAL = bytes[18] == 2 || bytes[19] == 2
    }

    private static let remedy = "Get a new copy of the file."

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
