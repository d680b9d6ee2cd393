import FoundationEssentials

/// What has happened lately beside the jobs, as lines whose number and length are limited.
struct AppWindowNews: Encodable, Sendable {
    /// Something that has happened.
    struct Line: Encodable, Hashable, Sendable {
        /// The number, counted from 1.
        var number: Int
        var time: Date
        var text: AppWindowText
        var isProblem: Bool
        /// The words of the answer; nil if the line is no answer.
        var answer: String?
        /// The id of the region that has come; nil for none.
        var region: String?
        /// The share link from which a map can be received; nil for none.
        var link: String?
        var drawings: [AppWindowDrawing]

        fileprivate var byteCount: Int {
            let texts = text.byteCount + (answer?.utf8.count ?? 0) + (link?.utf8.count ?? 0)
            return texts + drawings.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// The maximum number of lines that are kept.
    static let maximumLineCount = 12
    /// The maximum number of bytes of the lines that are kept.
    static let maximumByteCount = 32 * 1024

    private(set) var lines: [Line] = []

    /// Adds a line; one that says the same as the one before takes its place.
    mutating func add(
        _ text: AppWindowText,
        isProblem: Bool = false,
        answer: String? = nil,
        region: String? = nil,
        link: String? = nil,
        drawings: [AppWindowDrawing] = [],
        at now: Date
    ) {
        let line = Line(
            number: (lines.last?.number ?? 0) + 1,
            time: now,
            text: text.limited,
            isProblem: isProblem,
            answer: answer,
            region: region,
            link: link,
            drawings: drawings
        )
        if lines.last?.text == line.text { lines.removeLast() }
        lines.append(line)
        while lines.count > Self.maximumLineCount || byteCount > Self.maximumByteCount, lines.count > 1 {
            lines.removeFirst()
        }
    }

    private var byteCount: Int { lines.reduce(0) { $0 + $1.byteCount } }

    /// The lines alone.
    func encode(to encoder: any Encoder) throws { try lines.encode(to: encoder) }
}
