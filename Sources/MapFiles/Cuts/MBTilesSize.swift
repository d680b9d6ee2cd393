import RegionModel

/// The size of the file that ``MBTilesWriter`` writes, counted from the lengths of the tiles alone.
struct MBTilesSize {
    private static let pageSize = 4096
    /// What the metadata of a part have more than those of its map: its area, and how many tiles the map has.
    private static let addedMetadata = 120

    private var map = DatabaseTreeSize(.index, pageSize: pageSize)
    private var images = DatabaseTreeSize(.table, pageSize: pageSize)
    private var imageCount = 0
    /// The numbers of the images, by the numbers of their contents.
    private var known: [UInt32: Int] = [:]

    /// The number of tiles so far.
    private(set) var tileCount = 0

    /// Counts a tile, in the order of the file; `content` is the same for the same data, and 0 if that is not known.
    mutating func add(_ address: TileAddress, length: Int, content: UInt32) {
        tileCount += 1
        let image = known[content] ?? imageCount + 1
        if image > imageCount {
            imageCount = image
            if content > 0 { known[content] = image }
            let type = DatabaseNumber.varint(12 + 2 * UInt64(clamping: length)).count
            images.add(row: image, recordLength: 2 + type + length)
        }
        let place = [address.zoomLevel, address.column, address.southernRow, image]
        map.add(recordLength: DatabaseValue.record(place.map { .integer($0) }).count)
    }

    /// Returns the size of the file, in bytes.
    func size(metadata: [String: String]) -> UInt64 {
        var (map, images, table) = (map, images, DatabaseTreeSize(.table, pageSize: Self.pageSize))
        let rows = metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let lengths = rows.map { DatabaseValue.record([.text($0.key), .text($0.value)]).count } + [Self.addedMetadata]
        for (index, length) in lengths.enumerated() { table.add(row: index + 1, recordLength: length) }
        map.finish()
        images.finish()
        table.finish()
        let pages = 1 + map.pageCount + images.pageCount + table.pageCount
        return UInt64(clamping: DatabasePages.count(after: pages, pageSize: Self.pageSize)) * UInt64(Self.pageSize)
    }
}
