import FoundationEssentials
import MapPages

/// A result or message of a command: text for people, JSON for programs.
protocol Report: Sendable {
    /// The JSON objects, one for each line. Every object has a `type`.
    var payloads: [any Encodable & Sendable] { get }

    /// The text, without a line feed at the end; empty if there is nothing to say.
    var text: DisplayText { get }
}

extension Report {
    /// Returns the report in a format, as lines that each end with a line feed.
    func rendered(as format: OutputFormat, in style: OutputStyle = .plain) -> String {
        switch format {
        case .text: text.isEmpty ? "" : style.render(text) + "\n"
        case .json: payloads.map { JSONLine.encode($0) + "\n" }.joined()
        }
    }
}

/// One JSON object on one line.
enum JSONLine {
    /// Encodes an object, and escapes characters that are dangerous in a terminal.
    static func encode(_ payload: any Encodable) -> String {
        guard let data = try? PageJSON.encoder().encode(payload) else {
            return #"{"message":"This cannot be written as JSON.","type":"error"}"#
        }
        return TerminalEscape.escapeJSON(String(decoding: data, as: UTF8.self))
    }
}
