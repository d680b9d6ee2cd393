import RegionModel

/// The orders in which tiles are numbered: all begin with the tile of zoom level 0, and differ within each zoom level.
package enum TileOrder {
    /// The number behind those of all tiles.
    static let end = first(zoomLevel: Region.possibleZoomLevels.upperBound + 1)

    /// Returns the first number of a zoom level, which is at most 31.
    static func first(zoomLevel: Int) -> UInt64 { (1 << UInt64(2 * min(max(zoomLevel, 0), 31)) - 1) / 3 }

    /// Returns the zoom level of the tile with a number; nil if there is none.
    static func zoomLevel(of number: UInt64) -> Int? {
        number < end ? (63 - (3 * number + 1).leadingZeroBitCount) / 2 : nil
    }

    /// An order, whose places are numbered from 0.
    package protocol Kind: Sendable {
        /// Returns the place of a tile.
        static func place(column: UInt64, southernRow: UInt64, _ zoom: UInt64) -> UInt64
        /// Returns the tile at a place.
        static func position(_ place: UInt64, _ zoom: UInt64) -> (column: UInt64, southernRow: UInt64)
    }

    /// Row by row from the south.
    package enum Rows: Kind {
        package static func place(column: UInt64, southernRow: UInt64, _ zoom: UInt64) -> UInt64 {
            southernRow << zoom | column
        }

        package static func position(_ place: UInt64, _ zoom: UInt64) -> (column: UInt64, southernRow: UInt64) {
            (place & (1 << zoom - 1), place >> zoom)
        }
    }

    /// Column by column from the west, each from the south.
    enum Columns: Kind {
        static func place(column: UInt64, southernRow: UInt64, _ zoom: UInt64) -> UInt64 {
            column << zoom | southernRow
        }

        static func position(_ place: UInt64, _ zoom: UInt64) -> (column: UInt64, southernRow: UInt64) {
            (place >> zoom, place & (1 << zoom - 1))
        }
    }
}
