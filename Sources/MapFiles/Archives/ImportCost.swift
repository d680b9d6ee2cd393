/// What the import of a map takes, as far as its header and its directories say, before any tile is read.
///
/// The numbers are upper limits, not promises of the file: nothing that it states about itself counts without the bytes that it has.
package struct ImportCost: Hashable, Sendable {
    /// The most tiles that the map has; nil if that is not known.
    package var tileCount: Int?

    /// The most bytes that are written for the map, temporary files included.
    package var byteCount: UInt64

    /// The size of the file, in bytes.
    package var fileSize: UInt64

    /// The bytes of a tile's position and its place in an MBTiles file, and in a temporary file.
    private static let bytesPerTile: UInt64 = 32 + 24

    /// Creates a value.
    ///
    /// - Parameter tileCount: The most tiles; nil if that is not known.
    package init(tileCount: Int?, contentSize: UInt64, fileSize: UInt64) {
        self.tileCount = tileCount
        self.fileSize = fileSize
        let (places, isTooLarge) = UInt64(clamping: tileCount ?? 0).multipliedReportingOverflow(by: Self.bytesPerTile)
        let (sum, isSumTooLarge) = contentSize.addingReportingOverflow(isTooLarge ? .max : places)
        byteCount = isSumTooLarge ? .max : sum
    }

    /// Looks at the numbers of the rows of a table.
    init(ofDatabase database: UntrustedDatabase, table: String) throws {
        let size = try database.size()
        let name = "\"" + table.replacing("\"", with: "\"\"") + "\""
        var count: Int?
        if try UntrustedSchema(of: database, allowsUnused: true).kinds[table.lowercased()] == "table",
            try database.hasColumns("rowid", of: name)
        {
            // Each end of the table is found at once, unlike the number of its rows.
            let first = try database.first("SELECT rowid FROM \(name) ORDER BY rowid LIMIT 1") { $0.integer(0) }
            let last = try database.first("SELECT rowid FROM \(name) ORDER BY rowid DESC LIMIT 1") { $0.integer(0) }
            if let first, let last {
                let (distance, isTooLong) = last.subtractingReportingOverflow(first)
                // A row has a few bytes at least, whatever its number is. In a damaged table, the last row may be before the first.
                let isUnknown = isTooLong || distance < 0
                count = min(isUnknown ? .max : distance, Int(clamping: size / Self.leastRowLength)) + 1
            }
        }
        self.init(tileCount: count, contentSize: size, fileSize: size)
    }

    /// The least bytes of a row of tiles in a database.
    private static let leastRowLength: UInt64 = 8

    /// About how many seconds of a processor the import takes on a laptop.
    package var seconds: Double {
        Double(tileCount ?? 0) * Self.secondsPerTile + Double(byteCount) * Self.secondsPerByte
    }

    /// Whether the import takes so long that a person is told before it begins.
    package var isLong: Bool { seconds > Self.patience }

    /// Whether far more would be written than the file has.
    package var isOutOfProportion: Bool {
        byteCount > Self.considerableSize && byteCount / Self.largestGrowth > fileSize
    }

    /// The time below which a person is told nothing, in seconds.
    package static let patience = 10.0

    private static let secondsPerTile = 3e-6
    private static let secondsPerByte = 1 / 150e6
    private static let considerableSize: UInt64 = 100_000_000
    private static let largestGrowth: UInt64 = 10
}
