/// One QR code, or several beside each other with a caption above each.
struct QRCodeSheet: Hashable, Sendable {
    /// A code and what it is for.
    struct Item: Hashable, Sendable {
        var caption: String
        var code: QRCode
    }

    private let items: [Item]

    /// Shows one code, without a caption.
    init(_ code: QRCode) {
        items = [Item(caption: "", code: code)]
    }

    /// Shows codes beside each other; nil if there is none.
    init?(_ items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.items = items
    }

    private var hasCaptions: Bool { items.contains { !$0.caption.isEmpty } }

    /// The number of columns and rows of a terminal that the codes need.
    var size: (columns: Int, rows: Int) {
        let sizes = items.map(\.code.size)
        let rows = sizes.map(\.rows).max() ?? 0
        return (sizes.reduce(0) { $0 + $1.columns }, rows + (hasCaptions ? 1 : 0))
    }

    /// The codes as lines for a terminal.
    var text: DisplayText {
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
