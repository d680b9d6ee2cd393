import Glibc
import RegionModel

/// The number of tiles of one zoom level, and their ranges of columns and rows.
///
/// Rows count from the south, as in MBTiles.
package struct TileExtent: Hashable, Sendable {
    package let zoomLevel: Int
    package var tileCount: Int
    package var columns: ClosedRange<Int>
    package var rows: ClosedRange<Int>

    /// The area that the columns and rows cover.
    var boundingBox: BoundingBox? {
        let count = Double(1 << zoomLevel)
        func longitude(_ column: Int) -> Double { Double(column) / count * 360 - 180 }
        func latitude(_ row: Int) -> Double {
            atan(sinh(.pi * (2 * Double(row) / count - 1))) * 180 / .pi
        }
        return BoundingBox(
            north: latitude(rows.upperBound + 1),
            south: latitude(rows.lowerBound),
            east: longitude(columns.upperBound + 1),
            west: longitude(columns.lowerBound)
        )
    }
}

extension BoundingBox {
    /// Reads `west,south,east,north`, the form in MBTiles and routing databases; nil if it is not a valid area.
    ///
    /// Edges slightly out of range, such as -180.0000001, are moved into the range.
    init?(metadata text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3], [west, south, east, north].allSatisfy({ abs($0) < 181 })
        else { return nil }
        self.init(north: min(90, north), south: max(-90, south), east: min(180, east), west: max(-180, west))
    }
}
