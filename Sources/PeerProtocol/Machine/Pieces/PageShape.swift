/// Which bytes of a page can belong to pieces: all but the first four, and those behind the usable ones.
///
/// The first four bytes of a page of SQLite that continues a long value are the number of the next page. So a value on pages that
/// lie one after the other is one span.
package struct PageShape: Hashable, Sendable {
    /// The length of a page; 0 if there are no pages.
    package let pageLength: UInt64
    /// How many bytes of it are usable.
    package let usableLength: UInt64

    /// No pages: all bytes can belong to pieces.
    package static let none = PageShape(unchecked: 0, 0)

    /// The number of bytes at the start of a page that belong to no piece.
    package static let pointerLength: UInt64 = 4

    /// Creates a shape; nil if no database has such pages.
    package init?(pageLength: UInt64, usableLength: UInt64) {
        guard pageLength > 0 else {
            guard usableLength == 0 else { return nil }
            self = .none
            return
        }
        guard (512...65_536).contains(pageLength), pageLength & (pageLength - 1) == 0,
            (480...pageLength).contains(usableLength)
        else { return nil }
        self.init(unchecked: pageLength, usableLength)
    }

    private init(unchecked pageLength: UInt64, _ usableLength: UInt64) {
        self.pageLength = pageLength
        self.usableLength = usableLength
    }

    /// Returns the first position, from one on, that can belong to a piece.
    package func next(from offset: UInt64) -> UInt64 {
        guard pageLength > 0 else { return offset }
        let inPage = offset & (pageLength - 1)
        if inPage < Self.pointerLength { return offset - inPage + Self.pointerLength }
        return inPage < usableLength ? offset : offset - inPage + pageLength + Self.pointerLength
    }

    /// Returns how the number before a run is stored; nil if the run does not begin behind the first bytes of a page.
    func pointer(before offset: UInt64) -> PageShape.Pointer? {
        guard pageLength > 0, offset & (pageLength - 1) == Self.pointerLength else { return nil }
        // Pages count from 1.
        return PageShape.Pointer(next: UInt32(truncatingIfNeeded: offset / pageLength + 2))
    }

    /// Returns the first bytes of a span that lie one after the other.
    package func run(from offset: UInt64, length: UInt64) -> Range<UInt64> {
        let start = next(from: offset)
        guard pageLength > 0 else { return start..<start + length }
        return start..<min(start + length, start - (start & (pageLength - 1)) + usableLength)
    }
}

extension PageShape {
    /// The number at the start of a page: mostly that of the next page, or 0 if none follows.
    ///
    /// It is stored as the difference to the number of the next page, and 0 as 1, so that both can be compressed. One more than the
    /// number of the next page takes the place of 0.
    struct Pointer {
        /// The number of the next page.
        let next: UInt32

        /// Returns how a number is stored.
        func stored(number: UInt32) -> UInt32 {
            if number == 0 { return 1 }
            return number &- next == 1 ? 0 &- next : number &- next
        }

        /// Returns the number that is stored so.
        func number(stored: UInt32) -> UInt32 {
            if stored == 1 { return 0 }
            return stored &+ next == 0 ? next &+ 1 : stored &+ next
        }
    }
}
