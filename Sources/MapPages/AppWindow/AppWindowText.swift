/// Text in the window of the program: paragraphs and tables.
package struct AppWindowText: Encodable, Hashable, Sendable {
    /// Words of one style, which may contain line feeds.
    package struct Run: Encodable, Hashable, Sendable {
        package var text: String
        /// The name of the style, which is a class of the style sheet; nil for none.
        package var style: String?

        package init(_ text: String, style: String? = nil) { (self.text, self.style) = (text, style) }
    }

    /// A paragraph or a table; exactly one of the two is there.
    package struct Block: Encodable, Hashable, Sendable {
        /// The runs of a paragraph.
        package var runs: [Run]?
        /// The rows of a table: cells, each of which has runs.
        package var rows: [[[Run]]]?

        package static func paragraph(_ runs: [Run]) -> Block { Block(runs: runs) }

        package static func table(_ rows: [[[Run]]]) -> Block { Block(rows: rows) }

        fileprivate var byteCount: Int {
            let all = (runs ?? []) + (rows ?? []).joined().joined()
            return all.reduce(0) { $0 + $1.text.utf8.count }
        }
    }

    /// The blocks, from the top.
    package var blocks: [Block]

    package init(_ blocks: [Block]) { self.blocks = blocks }

    /// Creates a text without styles.
    package init(_ text: String) { blocks = [.paragraph([Run(text)])] }

    var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }
    /// The maximum number of bytes of one text.
    static let maximumByteCount = 16_384

    /// The text without the blocks that make it longer than ``maximumByteCount``.
    var limited: AppWindowText {
        var count = 0
        let kept = blocks.prefix { block in
            count += block.byteCount
            return count <= Self.maximumByteCount
        }
        return AppWindowText(kept.count == blocks.count ? blocks : kept + [.paragraph([Run("…")])])
    }
}
