/// Where the values of a tile are in the bytes of its record.
struct TileRecord {
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
        var position = local.lowerBound
        guard let length = DatabaseNumber.varint(page, &position, before: local.upperBound),
            length <= UInt64(local.count)
        else { return nil }
        var place = Int(length)
        let end = local.lowerBound + place
        for index in 0..<columns.count {
            guard let type = DatabaseNumber.varint(page, &position, before: end) else { return nil }
            let (behind, isTooLarge) = place.addingReportingOverflow(DatabaseValue.length(ofType: type))
            guard !isTooLarge else { return nil }
            let value = Value(type: type, place: place..<behind)
            if index == columns.data { data = value }
            if index == columns.zoomLevel { zoomLevel = value }
            if index == columns.column { column = value }
            if index == columns.row { row = value }
            place = behind
        }
    }

    /// The number of the tile; nil if the record does not have it.
    func number(_ page: [UInt8]) -> RowNumber? {
        guard let zoomLevel = integer(zoomLevel, page), let column = integer(column, page), let row = integer(row, page)
        else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: column, southernRow: row).map(RowNumber.init)
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
}
