import PeerStorage

/// A b-tree of an SQLite file that is filled in ascending order, page by page.
///
/// Only the last page of each level is in memory. All pages are full, but those at the end. (SQLite's file format, sections 1.5
/// and 1.6.)
struct DatabaseTree {
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

    private let kind: DatabasePage.Kind
    private let pageSize: Int
    /// The levels; the first one is that of the leaves.
    private var nodes = [Node()]
    private var lastNumber = 0

    /// Creates an empty b-tree.
    init(_ kind: DatabasePage.Kind, pageSize: Int) {
        self.kind = kind
        self.pageSize = pageSize
    }

    /// Adds a row to a table.
    mutating func add(row number: Int, _ record: [UInt8], to pages: inout DatabasePages) throws(SystemError) {
        let start = DatabaseNumber.varint(UInt64(record.count)) + DatabaseNumber.varint(UInt64(clamping: number))
        let cell = Cell(bytes: try start + Self.spill(record, to: &pages))
        if !fits(cell, level: 0) {
            let page = try write(level: 0, lastChild: 0, to: &pages)
            let separator = DatabaseNumber.varint(UInt64(clamping: lastNumber))
            try add(Cell(child: page, bytes: separator), level: 1, to: &pages)
        }
        nodes[0].append(cell)
        lastNumber = number
    }

    /// Adds a record to an index; it is larger than the one before.
    mutating func add(record: [UInt8], to pages: inout DatabasePages) throws(SystemError) {
        try add(Cell(bytes: DatabaseNumber.varint(UInt64(record.count)) + record), level: 0, to: &pages)
    }

    /// Writes what is left.
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
    private static func spill(_ record: [UInt8], to pages: inout DatabasePages) throws(SystemError) -> [UInt8] {
        let size = pages.pageSize
        var position = DatabasePage.localLength(of: record.count, .table, usable: size)
        guard position < record.count else { return record }
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
