import PeerStorage

/// A b-tree of an SQLite file that is filled in ascending order, page by page.
///
/// Only the last page of each level is in memory. All pages are full, but those at the end. (SQLite's file format, sections 1.5
/// and 1.6.)
struct DatabaseTree {
    /// What the entries of a b-tree are.
    enum Kind {
        /// Rows with numbers. They are in the leaves, and their numbers lead there.
        case table
        /// Sorted records, each of which is in one place of the b-tree. Each has less than a quarter of a page.
        case index
    }

    /// An entry, or a page and what separates it from the next one.
    private struct Cell {
        /// The page whose entries come before; 0 in leaves.
        var child: UInt32 = 0
        var bytes: [UInt8]

        /// The length on a page, with the pointer to it, in bytes.
        var length: Int { (child == 0 ? 0 : 4) + bytes.count + 2 }
    }

    /// The page of a level that is being filled.
    private struct Node {
        var cells: [Cell] = []
        var length = 0
        /// The cell that does not fit, which stands between this page and the next one, if there is a next one.
        var held: Cell?

        mutating func append(_ cell: Cell) {
            cells.append(cell)
            length += cell.length
        }
    }

    private let kind: Kind
    private let pageSize: Int
    /// The levels; the first one is that of the leaves.
    private var nodes = [Node()]
    private var lastNumber = 0

    /// Creates an empty b-tree.
    init(_ kind: Kind, pageSize: Int) {
        self.kind = kind
        self.pageSize = pageSize
    }

    /// Adds a row to a table.
    ///
    /// - Parameters:
    ///   - number: The number of the row, larger than that of the row before.
    ///   - record: The row.
    ///   - pages: The pages of the file.
    /// - Throws: `SystemError`.
    mutating func add(row number: Int, _ record: [UInt8], to pages: inout DatabasePages) throws(SystemError) {
        let start = DatabaseRecord.number(UInt64(record.count)) + DatabaseRecord.number(UInt64(clamping: number))
        let cell = Cell(bytes: try start + Self.spill(record, to: &pages))
        if !fits(cell, level: 0) {
            let page = try write(level: 0, lastChild: 0, to: &pages)
            let separator = DatabaseRecord.number(UInt64(clamping: lastNumber))
            try add(Cell(child: page, bytes: separator), level: 1, to: &pages)
        }
        nodes[0].append(cell)
        lastNumber = number
    }

    /// Adds a record to an index; it is larger than the one before.
    mutating func add(record: [UInt8], to pages: inout DatabasePages) throws(SystemError) {
        try add(Cell(bytes: DatabaseRecord.number(UInt64(record.count)) + record), level: 0, to: &pages)
    }

    /// Writes what is left.
    ///
    /// - Returns: The number of the root page.
    mutating func finish(to pages: inout DatabasePages) throws(SystemError) -> UInt32 {
        var (level, lastChild) = (0, UInt32(0))
        while true {
            if let held = nodes[level].held.take(), let last = nodes[level].cells.popLast() {
                // No page may be empty, so the page that is full gives one up.
                try close(level: level, at: last, to: &pages)
                nodes[level].append(held)
            }
            lastChild = try write(level: level, lastChild: lastChild, to: &pages)
            level += 1
            if level == nodes.count { return lastChild }
        }
    }

    private mutating func add(_ cell: Cell, level: Int, to pages: inout DatabasePages) throws(SystemError) {
        if level == nodes.count { nodes.append(Node()) }
        if let held = nodes[level].held.take() { try close(level: level, at: held, to: &pages) }
        if fits(cell, level: level) {
            nodes[level].append(cell)
        } else {
            nodes[level].held = cell
        }
    }

    /// Writes the page of a level, whose last child is that of a cell, and adds the cell to the level above.
    private mutating func close(level: Int, at cell: Cell, to pages: inout DatabasePages) throws(SystemError) {
        let page = try write(level: level, lastChild: cell.child, to: &pages)
        try add(Cell(child: page, bytes: cell.bytes), level: level + 1, to: &pages)
    }

    private func fits(_ cell: Cell, level: Int) -> Bool {
        DatabasePage.headerLength(isLeaf: level == 0) + nodes[level].length + cell.length <= pageSize
    }

    private mutating func write(
        level: Int,
        lastChild: UInt32,
        to pages: inout DatabasePages
    ) throws(SystemError) -> UInt32 {
        let cells = nodes[level].cells.map { $0.child == 0 ? $0.bytes : $0.child.bigEndianBytes + $0.bytes }
        nodes[level] = Node()
        return try pages.append(
            DatabasePage.bytes(kind, lastChild: level == 0 ? nil : lastChild, cells: cells, pageSize: pageSize)
        )
    }

    /// Writes the end of a long row to pages of its own, each of which names the next one.
    ///
    /// - Returns: What stays on the page of the row.
    private static func spill(_ record: [UInt8], to pages: inout DatabasePages) throws(SystemError) -> [UInt8] {
        let size = pages.pageSize
        // The lengths that SQLite prescribes. (Section 1.6.)
        let longest = size - 35
        guard record.count > longest else { return record }
        let shortest = (size - 12) * 32 / 255 - 23
        let even = shortest + (record.count - shortest) % (size - 4)
        var position = even <= longest ? even : shortest
        let kept = record.prefix(position) + pages.next.bigEndianBytes
        while position < record.count {
            let end = min(position + size - 4, record.count)
            let next = end == record.count ? 0 : pages.number(after: pages.next)
            var page = next.bigEndianBytes + record[position..<end]
            page += [UInt8](repeating: 0, count: size - page.count)
            _ = try pages.append(page)
            position = end
        }
        return Array(kept)
    }
}

/// A page of a b-tree.
enum DatabasePage {
    /// Returns the length of what precedes the pointers to the cells, in bytes.
    static func headerLength(isLeaf: Bool) -> Int { isLeaf ? 8 : 12 }

    /// Returns the bytes of a page.
    ///
    /// - Parameters:
    ///   - kind: What the entries are.
    ///   - lastChild: The page after the last cell; nil in leaves.
    ///   - cells: The cells, which fit.
    ///   - pageSize: The length of the page, in bytes.
    ///   - fileHeader: What precedes everything else; only on the first page.
    /// - Returns: The bytes, as many as the page has.
    static func bytes(
        _ kind: DatabaseTree.Kind,
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
