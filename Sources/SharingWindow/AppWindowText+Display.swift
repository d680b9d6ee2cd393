package import MapPages
import PeerCore
import RegionStore
package import SharingReports

extension AppWindowText {
    /// Creates the text of the window from text for a terminal: its tables are tables, and its styles are styles.
    package init(_ text: DisplayText) {
        let segments = text.segments { if case .table(let table) = $0 { table } else { nil } }
        self.init(
            segments.compactMap { range, table in
                if let table { return .table(table.rowsWithoutIndentation.map { row in row.map(\.runs) }) }
                // The line feed between a paragraph and a table stands for the new block.
                let paragraph = text.slice(range).trimmingLineFeeds
                return paragraph.isEmpty ? nil : .paragraph(paragraph.runs)
            }
        )
    }
}

extension TextTable {
    /// The rows without the empty columns at their beginning.
    fileprivate var rowsWithoutIndentation: [[DisplayText]] {
        let empty = rows.map { $0.prefix { $0.isEmpty }.count }.min() ?? 0
        return rows.map { Array($0.dropFirst(empty)) }
    }
}

extension DisplayText {
    fileprivate var trimmingLineFeeds: DisplayText {
        let bytes = Array(string.utf8)
        let feed = UInt8(ascii: "\n")
        guard let first = bytes.firstIndex(where: { $0 != feed }), let last = bytes.lastIndex(where: { $0 != feed })
        else { return "" }
        return slice(first..<last + 1)
    }

    /// The text in runs, each of which has one style or none.
    fileprivate var runs: [AppWindowText.Run] {
        segments { if case .style(let style) = $0 { style } else { nil } }.filter { !$0.range.isEmpty }.map {
            AppWindowText.Run(slice($0.range).string, style: $0.value.map { "\($0)" })
        }
    }

    /// Divides the text at the marks of a kind: into what they mark, with their values, and what is between.
    fileprivate func segments<Value>(_ value: (TextMark.Kind) -> Value?) -> [(range: Range<Int>, value: Value?)] {
        let marked = marks.compactMap { mark in value(mark.kind).map { (range: mark.range, value: $0) } }
        var segments: [(range: Range<Int>, value: Value?)] = []
        var position = 0
        for (range, value) in marked.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= position {
            if position < range.lowerBound { segments.append((position..<range.lowerBound, nil)) }
            segments.append((range, value))
            position = range.upperBound
        }
        let end = string.utf8.count
        return position < end ? segments + [(position..<end, nil)] : segments
    }
}

extension AppWindowDrawing {
    /// Draws a QR code.
    package init(_ item: QRCodeSheet.Item) {
        let all = 0..<item.code.side
        let modules = all.map { row in all.map { item.code.isDark($0, row) ? "1" : "0" }.joined() }.joined()
        self = .code(caption: item.caption, side: item.code.side, modules: modules)
    }

    /// Draws the lines of an area, and where its map has gaps or differs from that of this machine; nil if there is nothing of that.
    package init?(_ sketch: AreaSketch) {
        let marks = sketch.marks(side: 64).map {
            Marks(columns: $0.columns, rows: $0.rows, gaps: $0.gaps, changes: $0.changes, isNew: sketch.isNew)
        }
        guard !sketch.outlines.isEmpty || marks != nil else { return nil }
        let area = sketch.place.area
        let lines = sketch.outlines.map { outline in
            // Longitudes continue beyond 180°, and a line may leave the area in the west.
            let points = outline.points.flatMap { [$0.latitude, area.west + area.eastward($0.longitude)] }
            return Line(isHike: outline.kind == .savedroutes, points: points)
        }
        self = .lines(area: [area.south, area.west, area.north, area.west + area.width], lines: lines, marks: marks)
    }
}
