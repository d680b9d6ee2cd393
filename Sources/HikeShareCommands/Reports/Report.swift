import FoundationEssentials

/// Something that a command has to say: in words for people, in JSON for programs.
protocol Report: Sendable {
    /// The JSON objects, each of which becomes one line; each has a `type`.
    var payloads: [any Encodable & Sendable] { get }

    /// The words, without a line feed at the end; empty if there is nothing to say.
    var text: DisplayText { get }
}

extension Report {
    /// The report in a format: lines, each with its line feed.
    func rendered(as format: OutputFormat) -> String {
        switch format {
        case .text: text.isEmpty ? "" : text.string + "\n"
        case .json: payloads.map { JSONLine.encode($0) + "\n" }.joined()
        }
    }
}

/// One JSON object on one line.
enum JSONLine {
    /// Encodes an object; what would confuse a terminal is escaped.
    static func encode(_ payload: any Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        guard let data = try? encoder.encode(payload) else {
            return #"{"message":"This cannot be written as JSON.","type":"error"}"#
        }
        return TerminalEscape.escapeJSON(String(decoding: data, as: UTF8.self))
    }
}
