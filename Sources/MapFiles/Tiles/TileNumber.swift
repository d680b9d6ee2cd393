/// The number of a tile among the tiles of all zoom levels: those of lower zoom levels come first, those of one in an order.
///
/// Numbers of different orders are values of different types.
package struct TileNumber<Order: TileOrder.Kind>: Hashable, Sendable, BitwiseCopyable {
    /// The number, which may be that of no tile.
    package let value: UInt64

    /// Takes a number from a file or a peer.
    package init(value: UInt64) { self.value = value }

    /// Returns the number of a tile.
    package init(_ address: TileAddress) {
        let zoom = UInt64(address.zoomLevel)
        let place = Order.place(column: UInt64(address.column), southernRow: UInt64(address.southernRow), zoom)
        value = TileOrder.first(zoomLevel: address.zoomLevel) + place
    }

    /// The tile; nil if none has the number.
    package var address: TileAddress? {
        guard let zoomLevel = TileOrder.zoomLevel(of: value) else { return nil }
        let (column, row) = Order.position(value - TileOrder.first(zoomLevel: zoomLevel), UInt64(zoomLevel))
        return TileAddress(zoomLevel: zoomLevel, column: Int(column), southernRow: Int(row))
    }
}

extension TileNumber: Comparable {
    package static func < (one: TileNumber, other: TileNumber) -> Bool { one.value < other.value }
}

/// A number in the order of the wire and of tile indexes.
package typealias RowNumber = TileNumber<TileOrder.Rows>

/// A number in the order of MBTiles files.
typealias ColumnNumber = TileNumber<TileOrder.Columns>
