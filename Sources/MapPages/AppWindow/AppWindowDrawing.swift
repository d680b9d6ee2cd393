/// A drawing in the window of the program.
package enum AppWindowDrawing: Hashable, Sendable {
    /// A QR code: its caption, the number of modules on each side, and a `1` for each dark module, row by row.
    case code(caption: String, side: Int, modules: String)
    /// Lines in an area. Areas are south, west, north and east; points are latitudes and longitudes in turn.
    case lines(area: [Double], lines: [Line], marks: Marks? = nil)

    package struct Line: Encodable, Hashable, Sendable {
        /// Whether it is a recorded hike, and not a planned route.
        package var isHike: Bool
        /// Latitude, longitude, latitude and so on, in degrees.
        package var points: [Double]

        package init(isHike: Bool, points: [Double]) { (self.isHike, self.points) = (isHike, points) }
    }

    /// Where a map has no tiles, or other ones than that of this machine, in cells of equal size.
    package struct Marks: Encodable, Hashable, Sendable {
        package var columns: Int
        package var rows: Int
        /// A `1` for each cell without tiles, row by row from the north; empty if there is none.
        package var gaps: String
        /// A `1` for each cell in which tiles differ; empty if there is none.
        package var changes: String
        /// Whether the map of this machine has none of these tiles.
        package var isNew: Bool

        package init(columns: Int, rows: Int, gaps: String, changes: String, isNew: Bool) {
            (self.columns, self.rows) = (columns, rows)
            (self.gaps, self.changes, self.isNew) = (gaps, changes, isNew)
        }
    }

    /// About the number of bytes of the drawing in the window's data.
    var byteCount: Int {
        switch self {
        case .code(let caption, _, let modules): caption.utf8.count + modules.utf8.count
        case .lines(_, let lines, let marks):
            lines.reduce(0) { $0 + 16 * $1.points.count }
                + (marks.map { $0.gaps.utf8.count + $0.changes.utf8.count } ?? 0)
        }
    }
}

extension AppWindowDrawing: Encodable {
    private enum Field: String, CodingKey { case caption, side, modules, area, lines, marks }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        switch self {
        case .code(let caption, let side, let modules):
            try container.encode(caption, forKey: .caption)
            try container.encode(side, forKey: .side)
            try container.encode(modules, forKey: .modules)
        case .lines(let area, let lines, let marks):
            try container.encode(area, forKey: .area)
            try container.encode(lines, forKey: .lines)
            try container.encodeIfPresent(marks, forKey: .marks)
        }
    }
}
