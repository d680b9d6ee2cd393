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
        /// Where they lie, in the order of the tile, without digest and key.
        var spans: [(offset: UInt64, length: UInt64, pieceOffset: UInt64)]
        /// The number of its place; nil if it has none.
        var key: UInt64?
    }

    /// The file is not a database as this walk knows them.
    struct Unknown: Error {}

    /// How many bytes are read at once if a page follows the one before, as the pages of a tile mostly do.
    private static let aheadLength = 64 * 1024

    /// The most levels of a b-tree, as in SQLite.
    private static let maximumDepth = 20

    let shape: PageShape
    private let file: OpenFile
    private let table: TileTable
    private let columns: RecordHeader.Columns
    private var recordCount = 0
    /// The tile that was read last; its memory is used again for the next one.
    private var tile = Tile(bytes: [], spans: [], key: nil)
    private let pageLength: Int
    private let usableLength: Int
    private let pageCount: UInt64
    private var visited: [UInt64]
    /// The bytes that were read last, and the pages that they are.
    private var block: [UInt8] = []
    private var ahead: Range<UInt64> = 0..<0
    private let isStopped: () -> Bool

    /// Prepares the walk.
    ///
    /// - Throws: ``Unknown`` if the file has no pages; `SystemError` if it cannot be read.
    init(_ file: OpenFile, _ table: TileTable, isStopped: @escaping () -> Bool) throws {
        let header = try file.prefix(100)
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else { throw Unknown() }
        let stated = UInt64(header[16]) << 8 | UInt64(header[17])
        let length = stated == 1 ? 65_536 : stated
        guard let shape = PageShape(pageLength: length, usableLength: length - min(length, UInt64(header[20]))),
            shape.pageLength > 0
        else { throw Unknown() }
        self.shape = shape
        self.file = file
        self.table = table
        columns = RecordHeader.Columns(of: table)
        self.isStopped = isStopped
        pageLength = Int(shape.pageLength)
        usableLength = Int(shape.usableLength)
        pageCount = try file.size() / shape.pageLength
        guard pageCount <= UInt64(UInt32.max) else { throw Unknown() }
        visited = Array(repeating: 0, count: Int(pageCount / 64) + 1)
    }

    /// Calls `body` with each tile.
    ///
    /// - Throws: ``Unknown`` if the b-tree breaks a rule; `SystemError`; what `body` throws.
    mutating func run(_ body: (Tile) throws -> Void) throws {
        try visit(table.rootPage, depth: 0, body)
    }

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
        let start = number == 1 ? 100 : 0
        let kind = page[start]
        guard [2, 5, 10, 13].contains(kind) else { throw Unknown() }
        let isInterior = kind == 2 || kind == 5
        let cells = start + (isInterior ? 12 : 8)
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        guard cells + 2 * count <= usableLength else { throw Unknown() }
        for index in 0..<count {
            let pointer = Int(page[cells + 2 * index]) << 8 | Int(page[cells + 2 * index + 1])
            var reader = CellReader(at: pointer == 0 ? 65_536 : pointer, end: usableLength)
            if isInterior {
                guard let child = reader.word(page) else { throw Unknown() }
                try visit(child, depth: depth + 1, body)
            }
            guard kind != 5 else { continue }
            guard let length = reader.varint(page), length <= UInt64(UInt32.max) else { throw Unknown() }
            let isIndex = kind != 13
            guard isIndex || reader.varint(page) != nil else { throw Unknown() }
            try readTile(page, number, at: reader.position, Int(length), isIndex: isIndex, body)
        }
        if isInterior {
            var reader = CellReader(at: start + 8, end: usableLength)
            guard let child = reader.word(page) else { throw Unknown() }
            try visit(child, depth: depth + 1, body)
        }
    }

    /// How many bytes of a record a page has itself.
    private func localLength(of length: Int, isIndex: Bool) -> Int {
        let most = isIndex ? (usableLength - 12) * 64 / 255 - 23 : usableLength - 35
        guard length > most else { return length }
        let least = (usableLength - 12) * 32 / 255 - 23
        let rest = least + (length - least) % (usableLength - 4)
        return rest <= most ? rest : least
    }

    private mutating func readTile(
        _ page: [UInt8],
        _ number: UInt32,
        at position: Int,
        _ length: Int,
        isIndex: Bool,
        _ body: (Tile) throws -> Void
    ) throws {
        let local = localLength(of: length, isIndex: isIndex)
        guard local >= 0, position + local <= usableLength else { throw Unknown() }
        recordCount += 1
        guard recordCount <= TileIndex.maximumTileCount else { throw Unknown() }
        // A record of which not even the header is here, or that has fewer columns, is no tile.
        guard let record = RecordHeader(page, position..<position + local, columns), record.data.isBytes,
            case let data = record.data.place, !data.isEmpty, data.upperBound <= length,
            data.count <= Int(PieceList.maximumPieceLength)
        else { return }
        tile.bytes.removeAll(keepingCapacity: true)
        tile.spans.removeAll(keepingCapacity: true)
        tile.key = record.key(page)
        let first = data.clamped(to: 0..<local)
        if !first.isEmpty {
            let place = position + first.lowerBound
            tile.bytes += page[place..<place + first.count]
            append(UInt64(number - 1) * UInt64(pageLength) + UInt64(place), first.count)
        }
        if data.upperBound > local {
            var reader = CellReader(at: position + local, end: usableLength)
            guard let next = reader.word(page) else { throw Unknown() }
            try readChain(from: next, at: local, data)
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
            var reader = CellReader(at: 0, end: usableLength)
            guard let word = reader.word(page) else { throw Unknown() }
            next = word
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
