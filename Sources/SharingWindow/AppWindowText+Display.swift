package import MapPages
import PeerCore
import RegionStore
package import SharingReports

extension AppWindowText {
    /// Creates the text of the window from text for a terminal: its tables are tables, and its styles are styles.
    package init(_ text: DisplayText) {
        var blocks: [Block] = []
        var position = 0
        func addParagraph(upTo end: Int) {
            guard position < end else { return }
            let part = text.slice(position..<end)
            // The line feed between a paragraph and a table stands for the new block.
            let trimmed = part.trimmingLineFeeds
            if !trimmed.isEmpty { blocks.append(.paragraph(trimmed.pieces)) }
        }
        let tables = text.marks.compactMap { mark -> (range: Range<Int>, table: TextTable)? in
            if case .table(let table) = mark.kind { (mark.range, table) } else { nil }
        }
        for (range, table) in tables.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= position {
            addParagraph(upTo: range.lowerBound)
            blocks.append(.table(table.rowsWithoutIndentation.map { row in row.map(\.pieces) }))
            position = range.upperBound
        }
        addParagraph(upTo: text.string.utf8.count)
        self.init(blocks)
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

    /// The text in pieces, each of which has one style or none.
    fileprivate var pieces: [AppWindowText.Piece] {
        let styled = marks.compactMap { mark -> (range: Range<Int>, style: TextStyle)? in
            if case .style(let style) = mark.kind { (mark.range, style) } else { nil }
        }
        var pieces: [AppWindowText.Piece] = []
        var position = 0
        func add(upTo end: Int, _ style: TextStyle? = nil) {
            if position < end {
                pieces.append(AppWindowText.Piece(slice(position..<end).string, style: style.map { "\($0)" }))
            }
            position = end
        }
        for (range, style) in styled.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= position {
            add(upTo: range.lowerBound)
            add(upTo: range.upperBound, style)
        }
        add(upTo: string.utf8.count)
        return pieces
    }
}

extension AppWindowDrawing {
    /// Draws a QR code.
    package init(_ item: QRCodeSheet.Item) {
        let all = 0..<item.code.side
        let modules = all.map { row in all.map { item.code.isDark($0, row) ? "1" : "0" }.joined() }.joined()
        self = .code(caption: item.caption, side: item.code.side, modules: modules)
    }

    /// Draws the lines of an area; nil if there are none.
    package init?(_ sketch: AreaSketch) {
        guard !sketch.outlines.isEmpty else { return nil }
        let area = sketch.place.area
        let lines = sketch.outlines.map { outline in
            // A line across 180° goes on beyond it, and a line may leave the area in the west.
            let points = outline.points.flatMap { [$0.latitude, area.west + area.eastward($0.longitude)] }
            return Line(isHike: outline.kind == .savedroutes, points: points)
        }
        self = .lines(area: [area.south, area.west, area.north, area.west + area.width], lines: lines)
    }
}
