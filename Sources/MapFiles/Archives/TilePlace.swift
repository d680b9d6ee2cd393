import RegionModel

/// Where an archive has a tile.
struct TilePlace: Hashable, Sendable {
    /// The position of the tile as one number; see ``init(_:offset:length:)``.
    var key: UInt64
    /// Where the bytes begin, or the number of the row that has them.
    var offset: UInt64
    /// The number of bytes; 0 if it is not known.
    var length: UInt64

    init(key: UInt64, offset: UInt64, length: UInt64) {
        self.key = key
        self.offset = offset
        self.length = length
    }

    /// Creates a place.
    ///
    /// Keys ascend with the zoom level, then the column, then the row from the south.
    init(_ address: TileAddress, offset: UInt64, length: UInt64) {
        let zoom = UInt64(address.zoomLevel)
        let number = UInt64(address.column) << zoom | UInt64(address.southernRow)
        self.init(key: Self.firstNumber(ofZoom: zoom) + number, offset: offset, length: length)
    }

    /// The position of the tile; nil if the key is not one of a tile.
    var address: TileAddress? {
        let zoom = Self.zoom(ofNumber: key)
        guard zoom <= UInt64(Region.possibleZoomLevels.upperBound) else { return nil }
        let number = key - Self.firstNumber(ofZoom: zoom)
        return TileAddress(
            zoomLevel: Int(zoom),
            column: Int(number >> zoom),
            southernRow: Int(number & (1 << zoom - 1))
        )
    }

    /// Returns the number of tiles of all zoom levels below one, which is at most 31.
    static func firstNumber(ofZoom zoom: UInt64) -> UInt64 {
        (1 << (2 * zoom) - 1) / 3
    }

    /// Returns the zoom level of a tile if all tiles are numbered from zoom level 0 on; 32 if there is no such level.
    static func zoom(ofNumber number: UInt64) -> UInt64 {
        let (triple, overflow) = number.multipliedReportingOverflow(by: 3)
        guard !overflow, triple < .max else { return 32 }
        return UInt64(63 - (triple + 1).leadingZeroBitCount) / 2
    }
}

extension TilePlace: Comparable {
    static func < (one: TilePlace, other: TilePlace) -> Bool {
        (one.key, one.offset, one.length) < (other.key, other.offset, other.length)
    }
}
