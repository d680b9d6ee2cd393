import Glibc
import PeerCore
package import RegionStore

/// A drawing of an area with the outlines of its hikes and planned routes, and with the places where the map has no tiles, or other
/// ones than before.
package struct AreaSketch: Sendable {
    /// The room that a sketch has in a window, in columns and rows, with its frame and its legend.
    package struct Room: Hashable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
    }

    /// In narrower windows there is no sketch.
    package static let leastColumns = 40
    private static let leastRows = 4
    private static let leastWidth = 4
    private static let maximumWidth = 56
    private static let indentation = 2
    /// The side of the smallest area that is drawn, in degrees; about a metre.
    private static let leastExtent = 0.000_01

    package var place: MapPlace
    /// The lines.
    package var outlines: [Outline]
    /// The tiles that differ from those of an older map.
    package var changes = TileSet()
    /// Whether the older map has none of these tiles, so that they are new.
    package var isNew = false

    package init(place: MapPlace, outlines: [Outline], changes: TileSet = TileSet(), isNew: Bool = false) {
        (self.place, self.outlines, self.changes, self.isNew) = (place, outlines, changes, isNew)
    }

    private var area: BoundingBox { place.area }

    /// Draws the sketch; nil if there is neither a line nor a gap nor a change of the map in the area, or not enough room.
    package func text(in room: Room, with characters: SketchCharacters) -> DisplayText? {
        guard room.columns >= Self.leastColumns, !outlines.isEmpty || place.coverage != nil || !changes.isEmpty
        else { return nil }
        // Room for all words is left, because the size says whether there are gaps.
        let longest = legend(characters, hasGaps: place.coverage != nil, hasChanges: !changes.isEmpty)
        let others = 2 + TextLayout(width: room.columns).lines(of: longest).count
        guard room.rows - others >= Self.leastRows, min(area.height, area.width) >= Self.leastExtent else { return nil }
        let size = size(columns: min(Self.maximumWidth, room.columns - Self.indentation - 2), rows: room.rows - others)
        let (hikes, plannedRoutes) = (
            grid(.savedroutes, size, characters, every: 1),
            grid(.plannedroutes, size, characters, every: characters.dotDistance)
        )
        let marks = Marks(gaps: gaps(size), changes: changes(size))
        guard !hikes.isEmpty || !plannedRoutes.isEmpty || !marks.isEmpty else { return nil }
        let edge = String(repeating: characters.horizontal, count: size.columns)
        let corners = characters.corners
        let side = String(characters.vertical)
        let rows = (0..<size.rows).map { row -> DisplayText in
            "\(side)\(line(row, of: size.columns, hikes, plannedRoutes, marks, characters))\(side)"
        }
        let lines: [DisplayText] =
            ["\(corners[0])\(edge)\(corners[1])"] + rows + ["\(corners[3])\(edge)\(corners[2])"]
        let legend = legend(characters, hasGaps: !marks.gaps.isEmpty, hasChanges: !marks.changes.isEmpty)
        return (lines.map { DisplayText.spaces(Self.indentation) + $0 } + [legend]).joined(separator: "\n")
    }

    /// The cells of a drawing, of which those with a `1` are marked, row by row from the north; an empty text marks none.
    package struct CellMarks: Hashable, Sendable {
        package var columns: Int
        package var rows: Int
        package var gaps: String
        package var changes: String
    }

    /// Returns where the map has gaps or differs, for a drawing whose longer side has a number of cells; nil if there is nothing to mark.
    package func marks(side: Int) -> CellMarks? {
        guard place.coverage != nil || !changes.isEmpty, min(area.height, area.width) >= Self.leastExtent else {
            return nil
        }
        let middle = (area.north + area.south) / 2 * .pi / 180
        let proportion = max(0.001, min(1000, area.width * cos(middle) / area.height))
        let shorter = max(1, Int((Double(side) * min(proportion, 1 / proportion)).rounded()))
        let size = proportion < 1 ? (columns: shorter, rows: side) : (columns: side, rows: shorter)
        func text(_ grid: DotGrid) -> String {
            guard !grid.isEmpty else { return "" }
            return (0..<size.rows).map { row in
                (0..<size.columns).map { grid.isSet($0, row) ? "1" : "0" }.joined()
            }.joined()
        }
        let marks = CellMarks(
            columns: size.columns,
            rows: size.rows,
            gaps: text(gaps(size)),
            changes: text(changes(size))
        )
        return marks.gaps.isEmpty && marks.changes.isEmpty ? nil : marks
    }

    /// Returns the largest size whose proportions are those of the area; a character is twice as high as it is wide.
    private func size(columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        let middle = (area.north + area.south) / 2 * .pi / 180
        let proportion = max(0.001, min(1000, area.width * cos(middle) / area.height))
        let wanted = Int((Double(rows) * 2 * proportion).rounded())
        guard wanted > columns else { return (max(Self.leastWidth, wanted), rows) }
        return (columns, max(Self.leastRows, Int((Double(columns) / 2 / proportion).rounded())))
    }

    private func grid(
        _ kind: ResourceKind,
        _ size: (columns: Int, rows: Int),
        _ characters: SketchCharacters,
        every distance: Int
    ) -> DotGrid {
        var grid = DotGrid(columns: size.columns * characters.dotColumns, rows: size.rows * characters.dotRows)
        let horizontal = Double(grid.columns) / area.width
        let vertical = Double(grid.rows) / area.height
        for outline in outlines where outline.kind == kind {
            let line = outline.points.map { point in
                DotGrid.Position(
                    x: area.eastward(point.longitude) * horizontal,
                    y: (area.north - point.latitude) * vertical
                )
            }
            grid.draw(line, every: distance)
        }
        return grid
    }

    /// Returns the characters in which the map has no tiles, by what is in their middle.
    private func gaps(_ size: (columns: Int, rows: Int)) -> DotGrid {
        var gaps = DotGrid(columns: size.columns, rows: size.rows)
        guard let coverage = place.coverage else { return gaps }
        for row in 0..<size.rows {
            let latitude = area.north - (Double(row) + 0.5) / Double(size.rows) * area.height
            for column in 0..<size.columns {
                let longitude = area.west + (Double(column) + 0.5) / Double(size.columns) * area.width
                let middle = Coordinate(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
                if let middle, !coverage.contains(middle) { gaps.set(column, row) }
            }
        }
        return gaps
    }

    /// Returns the characters in which tiles differ, at the highest zoom level with differences.
    ///
    /// If they are everywhere, the marks would say nothing, and none is set.
    private func changes(_ size: (columns: Int, rows: Int)) -> DotGrid {
        var marks = DotGrid(columns: size.columns, rows: size.rows)
        guard let (zoomLevel, tiles) = changes.finest else { return marks }
        let grid = TileGrid(zoomLevel: zoomLevel)
        let inside = 1e-9
        for run in tiles.runs {
            let rows = Self.steps(
                (area.north - grid.latitude(run.row)) / area.height + inside,
                (area.north - grid.latitude(run.row + 1)) / area.height - inside,
                of: size.rows
            )
            let west = (area.eastward(grid.longitude(run.first))) / area.width
            let width = (grid.longitude(run.last + 1) - grid.longitude(run.first)) / area.width
            // A tile may begin west of the area.
            for start in [west, west - 360 / area.width] {
                for column in Self.steps(start + inside, start + width - inside, of: size.columns) {
                    for row in rows { marks.set(column, row) }
                }
            }
        }
        let isEverywhere = (0..<size.rows).allSatisfy { row in
            (0..<size.columns).allSatisfy { marks.isSet($0, row) }
        }
        return isEverywhere ? DotGrid(columns: size.columns, rows: size.rows) : marks
    }

    /// Returns the characters between two shares of a length.
    private static func steps(_ start: Double, _ end: Double, of count: Int) -> Range<Int> {
        guard start.isFinite, end.isFinite, start < 1, end > 0 else { return 0..<0 }
        let first = Int(max(0, start) * Double(count))
        return first..<max(first, min(count, Int((min(1, end) * Double(count)).rounded(.up))))
    }

    /// The characters that are marked where there is no line.
    private struct Marks {
        var gaps: DotGrid
        var changes: DotGrid

        var isEmpty: Bool { gaps.isEmpty && changes.isEmpty }
    }

    /// Returns a line of the sketch, without its frame; a character with parts of both kinds has the style of hikes.
    private func line(
        _ row: Int,
        of columns: Int,
        _ hikes: DotGrid,
        _ plannedRoutes: DotGrid,
        _ marks: Marks,
        _ characters: SketchCharacters
    ) -> DisplayText {
        var line: DisplayText = ""
        var run = ""
        var runStyle: TextStyle?
        for column in 0..<columns {
            let hikeDots = dots(column, row, hikes, characters)
            let routeDots = dots(column, row, plannedRoutes, characters)
            let style: TextStyle? = hikeDots != 0 ? .hike : routeDots != 0 ? .plannedRoute : nil
            if style != runStyle {
                line += styled(run, runStyle)
                (run, runStyle) = ("", style)
            }
            let isFree = hikeDots | routeDots == 0
            if isFree, marks.gaps.isSet(column, row) {
                run.append(characters.gap)
            } else if isFree, marks.changes.isSet(column, row) {
                run.append(characters.change)
            } else {
                run.append(characters.line(hikeDots, routeDots))
            }
        }
        return line + styled(run, runStyle)
    }

    private func styled(_ run: String, _ style: TextStyle?) -> DisplayText {
        style.map { DisplayText(escaping: run).styled($0) } ?? DisplayText(escaping: run)
    }

    /// Returns the dots of a character as bits, in the order of Unicode's patterns of dots.
    private func dots(_ column: Int, _ row: Int, _ grid: DotGrid, _ characters: SketchCharacters) -> UInt16 {
        let (width, height) = (characters.dotColumns, characters.dotRows)
        var bits: UInt16 = 0
        for (bit, dot) in Self.dots.enumerated() where dot.column < width && dot.row < height {
            if grid.isSet(column * width + dot.column, row * height + dot.row) { bits |= 1 << UInt16(bit) }
        }
        return bits
    }

    /// The dots of a pattern, from the lowest bit on. (Unicode, "Braille Patterns".)
    private static let dots: [(column: Int, row: Int)] = [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3),
    ]

    /// What the lines mean, in one line: `── recorded hikes  ·· planned routes`.
    private func legend(_ characters: SketchCharacters, hasGaps: Bool, hasChanges: Bool) -> DisplayText {
        let kinds = Set(outlines.map(\.kind))
        var words: [DisplayText] = []
        if kinds.contains(.savedroutes) {
            words.append("\(characters.hikes.styled(.hike)) \(ResourceKind.savedroutes.words)")
        }
        if kinds.contains(.plannedroutes) {
            words.append("\(characters.plannedRoutes.styled(.plannedRoute)) \(ResourceKind.plannedroutes.words)")
        }
        if hasChanges { words.append("\(String(repeating: characters.change, count: 2)) \(isNew ? "new" : "differs")") }
        if hasGaps { words.append("\(String(repeating: characters.gap, count: 2)) no map") }
        let limit: DisplayText = outlines.count < Outline.maximumCount ? "" : "; the \(outlines.count) longest"
        return DisplayText.spaces(Self.indentation) + words.joined(separator: "  ") + limit
    }
}
