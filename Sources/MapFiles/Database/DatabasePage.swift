/// The pages of the b-trees of SQLite files. (SQLite's file format, section 1.6.)
enum DatabasePage {
    /// What the entries of a b-tree are.
    enum Kind {
        /// Rows with numbers. They are in the leaves, and their numbers lead there.
        case table
        /// Sorted records, each of which is in one place of the b-tree. Each has less than a quarter of a page.
        case index
    }

    /// Returns how many bytes of a record its page has itself; the others are on pages of their own.
    ///
    /// - Parameter usable: The number of bytes of a page that SQLite uses.
    static func localLength(of record: Int, _ kind: Kind, usable: Int) -> Int {
        let most = kind == .index ? (usable - 12) * 64 / 255 - 23 : usable - 35
        guard record > most else { return record }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (record - least) % (usable - 4)
        return rest <= most ? rest : least
    }

    /// Returns the length of what precedes the pointers to the cells, in bytes.
    static func headerLength(isLeaf: Bool) -> Int { isLeaf ? 8 : 12 }

    /// Returns the bytes of a page.
    ///
    /// - Parameters:
    ///   - lastChild: The page after the last cell; nil in leaves.
    ///   - pageSize: The length of the page, in bytes.
    ///   - fileHeader: What precedes everything else; only on the first page.
    static func bytes(
        _ kind: Kind,
        lastChild: UInt32?,
        cells: [[UInt8]],
        pageSize: Int,
        after fileHeader: [UInt8] = []
    ) -> [UInt8] {
        var pointers: [UInt8] = []
        var position = pageSize
        for cell in cells {
            position -= cell.count
            pointers += UInt16(truncatingIfNeeded: position).bigEndianBytes
        }
        var page = fileHeader
        page.reserveCapacity(pageSize)
        page.append((kind == .table ? 5 : 2) + (lastChild == nil ? 8 : 0))
        // No free block on the page.
        page += [0, 0]
        page += UInt16(truncatingIfNeeded: cells.count).bigEndianBytes
        page += UInt16(truncatingIfNeeded: position).bigEndianBytes
        page.append(0)
        if let lastChild { page += lastChild.bigEndianBytes }
        page += pointers
        page += [UInt8](repeating: 0, count: max(0, position - page.count))
        for cell in cells.reversed() { page += cell }
        return page
    }
}
