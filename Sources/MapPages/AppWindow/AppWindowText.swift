/// Text in the window of the program: paragraphs and tables.
package struct AppWindowText: Encodable, Hashable, Sendable {
    /// A part of a line, which may have a style.
    package struct Piece: Encodable, Hashable, Sendable {
        /// The words, which may contain line feeds.
        package var text: String
        /// The name of the style, which is a class of the style sheet; nil for none.
        package var style: String?

        /// Creates a piece.
        package init(_ text: String, style: String? = nil) {
            self.text = text
            self.style = style
        }
    }

    /// A paragraph or a table; exactly one of the two is there.
    package struct Block: Encodable, Hashable, Sendable {
        /// The pieces of a paragraph.
        package var pieces: [Piece]?
        /// The rows of a table: cells, each of which has pieces.
        package var rows: [[[Piece]]]?

        /// Creates a paragraph.
        package static func paragraph(_ pieces: [Piece]) -> Block { Block(pieces: pieces) }

        /// Creates a table.
        package static func table(_ rows: [[[Piece]]]) -> Block { Block(rows: rows) }

        fileprivate var byteCount: Int {
            let all = (pieces ?? []) + (rows ?? []).joined().joined()
            return all.reduce(0) { $0 + $1.text.utf8.count }
        }
    }

    /// The blocks, from the top.
    package var blocks: [Block]

    /// Creates a text.
    package init(_ blocks: [Block]) {
        self.blocks = blocks
    }

    /// Creates a text without styles.
    package init(_ text: String) {
        blocks = [.paragraph([Piece(text)])]
    }

    /// The number of bytes of all words.
    var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }

    /// The maximum number of bytes of one text.
    static let maximumByteCount = 16_384

    /// Returns the text without the blocks that make it longer than ``maximumByteCount``.
    var limited: AppWindowText {
        var count = 0
        let kept = blocks.prefix { block in
            count += block.byteCount
            return count <= Self.maximumByteCount
        }
        return AppWindowText(kept.count == blocks.count ? blocks : kept + [.paragraph([Piece("…")])])
    }
}

/// A drawing in the window of the program.
package enum AppWindowDrawing: Hashable, Sendable {
    /// A QR code: its caption, the number of modules on each side, and a `1` for each dark module, row by row.
    case code(caption: String, side: Int, modules: String)
    /// Lines in an area. Areas are south, west, north and east; points are latitudes and longitudes in turn.
    case lines(area: [Double], lines: [Line])

    /// A line of a drawing.
    package struct Line: Encodable, Hashable, Sendable {
        /// Whether it is a recorded hike, and not a planned route.
        package var isHike: Bool
        /// Latitude, longitude, latitude and so on, in degrees.
        package var points: [Double]

        /// Creates a line.
        package init(isHike: Bool, points: [Double]) {
            self.isHike = isHike
            self.points = points
        }
    }
}

extension AppWindowDrawing {
    /// About the number of bytes of the drawing in the window's data.
    var byteCount: Int {
        switch self {
        case .code(let caption, _, let modules): caption.utf8.count + modules.utf8.count
        case .lines(_, let lines): lines.reduce(0) { $0 + 16 * $1.points.count }
        }
    }
}

extension AppWindowDrawing: Encodable {
    private enum Field: String, CodingKey { case caption, side, modules, area, lines }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        switch self {
        case .code(let caption, let side, let modules):
            try container.encode(caption, forKey: .caption)
            try container.encode(side, forKey: .side)
            try container.encode(modules, forKey: .modules)
        case .lines(let area, let lines):
            try container.encode(area, forKey: .area)
            try container.encode(lines, forKey: .lines)
        }
    }
}

/// A question in the window of the program.
package struct AppWindowQuestion: Encodable, Hashable, Sendable {
    /// A choice, such as a button.
    package struct Choice: Encodable, Hashable, Sendable {
        /// The answer that it stands for.
        package var answer: String
        /// What it is called.
        package var name: String
        /// Further facts about it; empty if there are none.
        package var facts: String

        /// Creates a choice.
        package init(answer: String, name: String, facts: String = "") {
            self.answer = answer
            self.name = name
            self.facts = facts
        }
    }

    /// How a question is answered.
    package enum Form: String, Encodable, Sendable {
        /// By a line, which is typed.
        case line
        /// By a yes (`y`) or a no (`n`).
        case yesOrNo
        /// By one of the choices.
        case choice
        /// By a yes to all choices (`y`), a no (`n`), or the answers of some of the choices.
        case parts
    }

    /// How it is answered.
    package var form: Form
    /// The question.
    package var text: AppWindowText
    /// The text above the question; nil for none.
    package var introduction: AppWindowText?
    /// The choices, if ``form`` has them.
    package var choices: [Choice]
    /// The line that an empty answer stands for; empty for none.
    package var usual: String
    /// What is drawn beside the question; nil for nothing.
    package var drawing: AppWindowDrawing?

    /// Creates a question.
    package init(
        _ text: AppWindowText,
        form: Form = .line,
        introduction: AppWindowText? = nil,
        choices: [Choice] = [],
        usual: String = "",
        drawing: AppWindowDrawing? = nil
    ) {
        self.text = text
        self.form = form
        self.introduction = introduction
        self.choices = choices
        self.usual = usual
        self.drawing = drawing
    }

    /// Returns the question with texts of limited length.
    var limited: AppWindowQuestion {
        var copy = self
        copy.text = text.limited
        copy.introduction = introduction?.limited
        return copy
    }

    /// Returns how an answer reads in the window after it was given.
    func words(for answer: String) -> String {
        switch form {
        case .line: answer.isEmpty ? usual : answer
        case .choice: choices.first { $0.answer == answer }?.name ?? answer
        case .yesOrNo, .parts: answer == "y" ? "Yes" : answer == "n" ? "No" : answer
        }
    }
}

extension AppWindowQuestion {
    /// What stays in the window when it is answered: the first line of what stood above it, and the question itself.
    ///
    /// Digits that were compared, and the time to answer, mean nothing any more.
    var brief: AppWindowText {
        func lines(_ text: AppWindowText) -> [Substring] {
            text.blocks.compactMap(\.pieces).flatMap { $0.map(\.text).joined().split(separator: "\n") }
        }
        let kept = [introduction.flatMap { lines($0).first }, lines(text).last]
        return AppWindowText(kept.compactMap { $0.map { .paragraph([AppWindowText.Piece(String($0))]) } })
    }
}
