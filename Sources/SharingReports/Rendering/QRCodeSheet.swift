/// One QR code, or several beside each other with a caption above each.
package struct QRCodeSheet: Hashable, Sendable {
    /// A code and what it is for.
    package struct Item: Hashable, Sendable {
        package var caption: String
        package var code: QRCode

        package init(caption: String, code: QRCode) {
            self.caption = caption
            self.code = code
        }
    }

    /// The codes, from the left.
    package let items: [Item]

    /// Shows one code, without a caption.
    package init(_ code: QRCode) { items = [Item(caption: "", code: code)] }

    /// Shows codes beside each other; nil if there is none.
    package init?(_ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.items = items
    }

    private static let gap = 2
    /// The least number of columns for a text beside a code.
    private static let leastTextColumns = 28

    private var hasCaptions: Bool { items.contains { !$0.caption.isEmpty } }

    /// The number of columns and rows of a terminal that the code needs with a text beside it and a line below; codes with
    /// captions stand alone.
    package var sizeWithText: (columns: Int, rows: Int) {
        hasCaptions ? size : (size.columns + Self.gap + Self.leastTextColumns, size.rows + 1)
    }

    /// The code with a text on its right.
    package func text(beside text: DisplayText, columns: Int) -> DisplayText {
        let words = TextLayout(width: columns - size.columns - Self.gap).lines(of: text)
        let code = items.flatMap(\.code.lines)
        return (0..<max(words.count, code.count)).map { row in
            let start = row < code.count ? code[row] : .spaces(size.columns)
            return row < words.count && !words[row].isEmpty ? start + .spaces(Self.gap) + words[row] : start
        }.joined(separator: "\n")
    }

    /// The number of columns and rows of a terminal that the codes need.
    package var size: (columns: Int, rows: Int) {
        let sizes = items.map(\.code.size)
        let rows = sizes.map(\.rows).max() ?? 0
        return (sizes.reduce(0) { $0 + $1.columns }, rows + (hasCaptions ? 1 : 0))
    }

    /// The codes as lines for a terminal.
    package var text: DisplayText {
        let rows = items.map(\.code.size.rows).max() ?? 0
        var lines: [DisplayText] = []
        if hasCaptions {
            let captions = items.map { item in
                let width = item.code.size.columns
                let caption = String(item.caption.prefix(width))
                return caption + String(repeating: " ", count: width - caption.count)
            }
            lines.append("\(captions.joined())")
        }
        let columns = items.map { ($0.code.lines, $0.code.size.columns) }
        for row in 0..<rows {
            var line: DisplayText = ""
            for (code, width) in columns {
                line += row < code.count ? code[row] : DisplayText(escaping: String(repeating: " ", count: width))
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
