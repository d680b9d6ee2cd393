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
    ///   - pageSize: The length of a page, in bytes: a power of two from 512 to 32,768.
    ///   - lockPosition: The position of the page of locks, in bytes. SQLite knows only 2³⁰.
    init(to file: OpenFile, pageSize: Int, lockPosition: UInt64 = 1 << 30, check: @escaping WriteCheck) {
        self.file = file
        self.check = check
        self.pageSize = pageSize
        length = UInt64(pageSize)
        lockPage = UInt32(clamping: lockPosition / UInt64(pageSize) + 1)
    }

    /// Returns how many pages a file has with so many pages of content: the page at which SQLite locks a file has none.
    static func count(after pages: Int, pageSize: Int) -> Int { pages + (pages > (1 << 30) / pageSize ? 1 : 0) }

    /// The number of the next page.
    var next: UInt32 { number(after: count) }

    /// Returns the number of the page after another one.
    func number(after page: UInt32) -> UInt32 { page + 1 == lockPage ? page + 2 : page + 1 }

    /// Adds a page.
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
