/// Reads numbers of a page; nil where they do not end inside it.
///
/// The page is an argument: a copy in each reader would cost most of the time of a map with millions of tiles.
struct CellReader {
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
struct RecordHeader {
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
