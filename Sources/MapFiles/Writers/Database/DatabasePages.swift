import Glibc
import PeerStorage

/// The pages of an SQLite file that is written from the beginning to the end.
///
/// The first page is written last, because it says where everything else is. The form of the file is described in
/// https://www.sqlite.org/fileformat2.html.
struct DatabasePages {
    /// The length of a page, in bytes.
    let pageSize: Int

    /// The number of pages, with the first one.
    private(set) var count: UInt32 = 1

    /// The page at which SQLite locks the file, and which holds no content. (Section 1.3.)
    private let lockPage: UInt32

    private let file: OpenFile
    private let check: WriteCheck
    private var buffer: [UInt8] = []
    private var length: UInt64

    /// The number of bytes that are written at once.
    private static let bufferLength = 256 << 10

    /// Writes to an empty file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - pageSize: The length of a page, in bytes: a power of two from 512 to 32,768.
    ///   - lockPosition: The position of the page of locks, in bytes. SQLite knows only 2³⁰.
    ///   - check: Called with the length of each piece before it is written.
    init(
        to file: OpenFile,
        pageSize: Int,
        lockPosition: UInt64 = 1 << 30,
        check: @escaping WriteCheck
    ) {
        self.file = file
        self.check = check
        self.pageSize = pageSize
        length = UInt64(pageSize)
        lockPage = UInt32(clamping: lockPosition / UInt64(pageSize) + 1)
    }

    /// The number of the next page.
    var next: UInt32 { number(after: count) }

    /// Returns the number of the page after another one.
    func number(after page: UInt32) -> UInt32 {
        page + 1 == lockPage ? page + 2 : page + 1
    }

    /// Adds a page.
    ///
    /// - Parameter page: The content, which has the length of a page.
    /// - Returns: The number of the page.
    /// - Throws: `SystemError`, also if the file would have too many pages.
    mutating func append(_ page: [UInt8]) throws(SystemError) -> UInt32 {
        // The number of pages is stored in four bytes.
        guard count < UInt32.max - 2 else { throw SystemError(number: EFBIG) }
        let number = next
        if number > count + 1 { buffer += [UInt8](repeating: 0, count: pageSize) }
        buffer += page
        count = number
        if buffer.count >= Self.bufferLength { try flush() }
        return number
    }

    /// Writes the first page and whatever is not yet written.
    mutating func finish(first page: [UInt8]) throws(SystemError) {
        try flush()
        try check(page.count)
        try file.write(page, at: 0)
    }

    private mutating func flush() throws(SystemError) {
        try check(buffer.count)
        try file.write(buffer, at: length)
        length += UInt64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The fixed part of an SQLite file: the first 100 bytes. (Section 1.3 of its description.)
enum DatabaseFileHeader {
    /// The length, in bytes.
    static let length = 100

    /// The version of SQLite that the file names as its writer: the first one that reads tables without row ids.
    ///
    /// It does not depend on the installed version, so the bytes do not either.
    private static let version: UInt32 = 3_008_002

    /// Returns the header of a file that was changed once.
    static func bytes(pageSize: Int, pageCount: UInt32, applicationID: UInt32) -> [UInt8] {
        var bytes = Array("SQLite format 3\0".utf8)
        bytes += UInt16(truncatingIfNeeded: pageSize).bigEndianBytes
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

extension FixedWidthInteger {
    /// The bytes, the highest first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
