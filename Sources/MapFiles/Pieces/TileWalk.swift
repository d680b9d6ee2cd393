import PeerProtocol
import PeerStorage

/// Walks the b-tree of a map's table in the file, to find where the bytes of each tile lie.
///
/// SQLite has checked the file. Nevertheless the walk ends for every content of it: each page is visited once, and nothing is read
/// outside the file. (https://www.sqlite.org/fileformat2.html)
struct TileWalk {
    /// A tile, as its record has it.
    struct Tile {
        /// The bytes.
        var bytes: [UInt8]
        /// Where they lie, in the order of the tile, without digest and key.
        var spans: [(offset: UInt64, length: UInt64, pieceOffset: UInt64)]
        /// The number of its place; nil if it has none.
        var key: UInt64?
    }

    /// The file is not a database as this walk knows them.
    struct Unknown: Error {}

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
        let start = UInt64(number - 1) * UInt64(pageLength)
        let bytes = try [UInt8](unsafeUninitializedCapacity: pageLength) { space, count in
            let target = UnsafeMutableRawBufferPointer(space)
            count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<pageLength]), at: start)
        }
        guard bytes.count == pageLength else { throw Unknown() }
        return bytes
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
            let row = kind == 13 ? reader.varint(page) : 0
            guard let row else { throw Unknown() }
            let isIndex = kind != 13
            try readTile(page, number, at: reader.position, Int(length), isIndex: isIndex, row: row, body)
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
        row: UInt64,
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
        tile.key = record.key(page) ?? table.place(ofRow: row)
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

/// Reads numbers of a page; nil where they do not end inside it.
///
/// The page is an argument: a copy in each reader would cost most of the time of a map with millions of tiles.
private struct CellReader {
    private(set) var position: Int
    private let end: Int

    init(at position: Int, end: Int) {
        (self.position, self.end) = (position, end)
    }

    mutating func word(_ page: [UInt8]) -> UInt32? {
        guard position >= 0, position + 4 <= end else { return nil }
        defer { position += 4 }
        return (0..<4).reduce(0) { $0 << 8 | UInt32(page[position + $1]) }
    }

    mutating func varint(_ page: [UInt8]) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard position >= 0, position < end else { return nil }
            let byte = UInt64(page[position])
            position += 1
            if index == 8 { return value << 8 | byte }
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return value }
        }
        return nil
    }
}

/// Where the values of a tile are in the bytes of its record.
private struct RecordHeader {
    /// The positions of the columns.
    struct Columns {
        let data: Int
        let zoomLevel: Int
        let column: Int
        let row: Int
        /// How many columns a record must have.
        let count: Int

        init(of table: TileTable) {
            let address = table.addressColumns ?? []
            let hasAddress = address.count == 3
            data = table.dataColumn
            // No record has a column before the first.
            (zoomLevel, column, row) = hasAddress ? (address[0], address[1], address[2]) : (-1, -1, -1)
            count = max(data, zoomLevel, column, row) + 1
        }
    }

    /// A value: its type, and its bytes counted from the start of the record.
    struct Value {
        var type: UInt64 = 0
        var place = 0..<0

        var isBytes: Bool { type >= 12 }
    }

    private(set) var data = Value()
    private var zoomLevel = Value()
    private var column = Value()
    private var row = Value()
    private let start: Int
    private let localLength: Int

    /// Reads the header of a record, as far as it is on the page; nil if it has fewer columns or does not end there.
    init?(_ page: [UInt8], _ local: Range<Int>, _ columns: Columns) {
        start = local.lowerBound
        localLength = local.count
        var reader = CellReader(at: local.lowerBound, end: local.upperBound)
        guard let length = reader.varint(page), length <= UInt64(local.count) else { return nil }
        var place = Int(length)
        reader = CellReader(at: reader.position, end: local.lowerBound + Int(length))
        for index in 0..<columns.count {
            guard let type = reader.varint(page) else { return nil }
            let (end, isTooLarge) = place.addingReportingOverflow(Self.length(of: type))
            guard !isTooLarge else { return nil }
            let value = Value(type: type, place: place..<end)
            if index == columns.data { data = value }
            if index == columns.zoomLevel { zoomLevel = value }
            if index == columns.column { column = value }
            if index == columns.row { row = value }
            place = end
        }
    }

    /// The number of the place of the tile; nil if the record does not have it.
    func key(_ page: [UInt8]) -> UInt64? {
        guard let zoomLevel = integer(zoomLevel, page), let column = integer(column, page), let row = integer(row, page)
        else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: column, southernRow: row)?.number
    }

    /// Returns a whole number that is on the page itself; nil if the value is none.
    private func integer(_ value: Value, _ page: [UInt8]) -> Int? {
        guard value.place.upperBound <= localLength else { return nil }
        switch value.type {
        case 8: return 0
        case 9: return 1
        case 1...6:
            let bits = value.place.reduce(UInt64(0)) { $0 << 8 | UInt64(page[start + $1]) }
            let shift = UInt64(64 - 8 * value.place.count)
            return Int(Int64(bitPattern: bits << shift) >> Int64(shift))
        default: return nil
        }
    }

    private static func length(of type: UInt64) -> Int {
        switch type {
        case 0...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 8...11: 0
        default: Int(clamping: (type - 12) / 2)
        }
    }
}
