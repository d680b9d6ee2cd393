import PeerProtocol
import PeerStorage

/// Walks the b-tree of a map's table in the file, to find where the bytes of each tile lie.
///
/// SQLite has checked the file. Nevertheless the walk ends for every content of it: each page is visited once, and nothing is read
/// outside the file. (https://www.sqlite.org/fileformat2.html)
struct TileWalk {
    /// A tile, as its record has it.
    struct Tile: Sendable {
        /// The bytes.
        var bytes: [UInt8]
        /// Where they lie, in the order of the tile, without digest and number.
        var spans: [(offset: UInt64, length: UInt64, pieceOffset: UInt64)]
        /// Its number; nil if the table does not have its address.
        var number: RowNumber?
    }

    /// The file has a structure that this walk does not support.
    struct Unknown: Error {}

    /// How many bytes are read at once if a page follows the one before, as the pages of a tile mostly do.
    private static let aheadLength = 64 * 1024

    /// The most levels of a b-tree, as in SQLite.
    private static let maximumDepth = 20

    let shape: PageShape
    private let file: OpenFile
    private let table: TileTable
    private let columns: TileRecord.Columns
    private var recordCount = 0
    /// The tile that was read last; its memory is used again for the next one.
    private var tile = Tile(bytes: [], spans: [])
    private let pageLength: Int
    private let usableLength: Int
    private let pageCount: UInt64
    private var visited: [UInt64]
    /// The bytes that were read last, and the pages that they are.
    private var block: [UInt8] = []
    private var ahead: Range<UInt64> = 0..<0
    private let isStopped: () -> Bool

    init(_ file: OpenFile, _ table: TileTable, isStopped: @escaping () -> Bool) throws {
        guard let header = DatabaseHeader(try file.prefix(DatabaseHeader.length)),
            let shape = PageShape(
                pageLength: header.pageSize,
                usableLength: header.pageSize - min(header.pageSize, header.reservedSize)
            ),
            shape.pageLength > 0
        else { throw Unknown() }
        self.shape = shape
        self.file = file
        self.table = table
        columns = TileRecord.Columns(of: table)
        self.isStopped = isStopped
        pageLength = Int(shape.pageLength)
        usableLength = Int(shape.usableLength)
        pageCount = try file.size() / shape.pageLength
        guard pageCount <= UInt64(UInt32.max) else { throw Unknown() }
        visited = Array(repeating: 0, count: Int(pageCount / 64) + 1)
    }

    /// Calls `body` with each tile.
    mutating func run(_ body: (Tile) throws -> Void) throws { try visit(table.rootPage, depth: 0, body) }

    /// Reads a page that was not read before.
    private mutating func page(_ number: UInt32) throws -> [UInt8] {
        guard number > 0, UInt64(number) <= pageCount, !isStopped() else { throw Unknown() }
        let (word, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
        guard visited[word] & bit == 0 else { throw Unknown() }
        visited[word] |= bit
        // The number after the last page of the largest database has more than 32 bits.
        let page = UInt64(number)
        if !ahead.contains(page) {
            let length = page == ahead.upperBound ? max(Self.aheadLength, pageLength) : pageLength
            block = try file.bytes(length, at: (page - 1) * UInt64(pageLength))
            guard block.count >= pageLength else { throw Unknown() }
            ahead = page..<page + UInt64(block.count / pageLength)
        }
        let start = Int(page - ahead.lowerBound) * pageLength
        return Array(block[start..<start + pageLength])
    }

    private mutating func visit(_ number: UInt32, depth: Int, _ body: (Tile) throws -> Void) throws {
        guard depth < Self.maximumDepth else { throw Unknown() }
        let page = try page(number)
        let start = number == 1 ? DatabaseHeader.length : 0
        let kind = page[start]
        guard [2, 5, 10, 13].contains(kind) else { throw Unknown() }
        let isInterior = kind == 2 || kind == 5
        let cells = start + DatabasePage.headerLength(isLeaf: !isInterior)
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        guard cells + 2 * count <= usableLength else { throw Unknown() }
        for index in 0..<count {
            let pointer = Int(page[cells + 2 * index]) << 8 | Int(page[cells + 2 * index + 1])
            var position = pointer == 0 ? 65_536 : pointer
            if isInterior {
                try visit(word(page, at: position), depth: depth + 1, body)
                position += 4
            }
            guard kind != 5 else { continue }
            guard let length = DatabaseNumber.varint(page, &position, before: usableLength),
                length <= UInt64(UInt32.max)
            else { throw Unknown() }
            let isIndex = kind != 13
            guard isIndex || DatabaseNumber.varint(page, &position, before: usableLength) != nil else {
                throw Unknown()
            }
            try readTile(page, number, at: position, Int(length), isIndex ? .index : .table, body)
        }
        if isInterior { try visit(word(page, at: start + 8), depth: depth + 1, body) }
    }

    private func word(_ page: [UInt8], at position: Int) throws -> UInt32 {
        guard let word = DatabaseNumber.word(page, at: position, before: usableLength) else { throw Unknown() }
        return word
    }

    private mutating func readTile(
        _ page: [UInt8],
        _ number: UInt32,
        at position: Int,
        _ length: Int,
        _ kind: DatabasePage.Kind,
        _ body: (Tile) throws -> Void
    ) throws {
        let local = DatabasePage.localLength(of: length, kind, usable: usableLength)
        guard local >= 0, position + local <= usableLength else { throw Unknown() }
        recordCount += 1
        guard recordCount <= TileIndex.maximumTileCount else { throw Unknown() }
        // A record whose header is not on this page, or that has fewer columns, is no tile.
        guard let record = TileRecord(page, position..<position + local, columns), record.data.isBytes,
            case let data = record.data.place, !data.isEmpty, data.upperBound <= length,
            data.count <= Int(PieceList.maximumPieceLength)
        else { return }
        tile.bytes.removeAll(keepingCapacity: true)
        tile.spans.removeAll(keepingCapacity: true)
        tile.number = record.number(page)
        let first = data.clamped(to: 0..<local)
        if !first.isEmpty {
            let place = position + first.lowerBound
            tile.bytes += page[place..<place + first.count]
            append(UInt64(number - 1) * UInt64(pageLength) + UInt64(place), first.count)
        }
        if data.upperBound > local {
            try readChain(from: word(page, at: position + local), at: local, data)
        }
        try body(tile)
    }

    /// Reads the pages that continue a record.
    private mutating func readChain(from first: UInt32, at local: Int, _ data: Range<Int>) throws {
        var (next, position) = (first, local)
        while position < data.upperBound {
            let page = try page(next)
            let content = position..<position + usableLength - 4
            let part = data.clamped(to: content)
            if !part.isEmpty {
                let place = 4 + part.lowerBound - position
                tile.bytes += page[place..<place + part.count]
                append(UInt64(next - 1) * UInt64(pageLength) + UInt64(place), part.count)
            }
            position = content.upperBound
            next = try word(page, at: 0)
        }
    }

    private mutating func append(_ offset: UInt64, _ count: Int) {
        if let last = tile.spans.last, shape.end(from: last.offset, length: last.length) == offset {
            tile.spans[tile.spans.count - 1].length += UInt64(count)
        } else {
            tile.spans.append((offset, UInt64(count), UInt64(tile.bytes.count - count)))
        }
    }
}

extension PageShape {
    /// Returns the position at which bytes that follow a span directly would begin.
    func end(from offset: UInt64, length: UInt64) -> UInt64 {
        var (position, left) = (offset, length)
        while left > 0 {
            let run = run(from: position, length: left)
            position = run.upperBound
            left -= UInt64(run.count)
        }
        return next(from: position)
    }
}
