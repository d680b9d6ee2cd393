/// The number of pages of a b-tree that ``DatabaseTree`` fills, counted from the lengths of its entries alone.
struct DatabaseTreeSize {
    /// The page of a level that is being filled.
    private struct Node {
        /// What its cells need on it, in bytes.
        var length = 0
        var cellCount = 0
        /// The length of the last cell, and of the one that does not fit, each without its child.
        var last = 0
        var held: Int?

        mutating func append(_ bytes: Int, _ length: Int) {
            self.length += length
            cellCount += 1
            last = bytes
        }
    }

    private let kind: DatabasePage.Kind
    private let pageSize: Int
    private var nodes = [Node()]
    private var lastNumber = 0
    /// The number of pages that are full.
    private(set) var pageCount = 0

    init(_ kind: DatabasePage.Kind, pageSize: Int) { (self.kind, self.pageSize) = (kind, pageSize) }

    /// Adds a row of a table whose record has a length.
    mutating func add(row number: Int, recordLength: Int) {
        let local = DatabasePage.localLength(of: recordLength, kind, usable: pageSize)
        let spilled = recordLength - local
        pageCount += (spilled + pageSize - 5) / (pageSize - 4)
        let start = Self.varintLength(recordLength) + Self.varintLength(number)
        let bytes = start + local + (spilled > 0 ? 4 : 0)
        if !fits(bytes, level: 0) {
            write(level: 0)
            add(Self.varintLength(lastNumber), level: 1)
        }
        nodes[0].append(bytes, bytes + 2)
        lastNumber = number
    }

    /// Adds a record of an index.
    mutating func add(recordLength: Int) { add(Self.varintLength(recordLength) + recordLength, level: 0) }

    /// Counts what is left.
    mutating func finish() {
        var level = 0
        while level < nodes.count {
            if let held = nodes[level].held.take(), nodes[level].cellCount > 0 {
                close(level: level, at: nodes[level].last)
                nodes[level].append(held, length(of: held, level: level))
            }
            write(level: level)
            level += 1
        }
    }

    private mutating func add(_ bytes: Int, level: Int) {
        if level == nodes.count { nodes.append(Node()) }
        if let held = nodes[level].held.take() { close(level: level, at: held) }
        if fits(bytes, level: level) {
            nodes[level].append(bytes, length(of: bytes, level: level))
        } else {
            nodes[level].held = bytes
        }
    }

    private mutating func close(level: Int, at bytes: Int) {
        write(level: level)
        add(bytes, level: level + 1)
    }

    private func length(of bytes: Int, level: Int) -> Int { bytes + (level == 0 ? 2 : 6) }

    private func fits(_ bytes: Int, level: Int) -> Bool {
        let start = DatabasePage.headerLength(isLeaf: level == 0)
        return start + nodes[level].length + length(of: bytes, level: level) <= pageSize
    }

    private mutating func write(level: Int) {
        pageCount += 1
        nodes[level] = Node()
    }

    /// The number of bytes of a number in ``DatabaseNumber``.
    private static func varintLength(_ value: Int) -> Int {
        max(1, (64 - UInt64(clamping: value).leadingZeroBitCount + 6) / 7)
    }
}
