/// A result or message of a command: text for people, JSON for programs.
package protocol Report: Sendable {
    /// The JSON objects, one for each line. Every object has a `type`.
    var payloads: [JSONObject] { get }

    /// The text, without a line feed at the end; empty if there is nothing to say.
    var text: DisplayText { get }
}

extension Report {
    /// Returns the report in a format, as lines that each end with a line feed.
    package func rendered(as format: OutputFormat, in style: OutputStyle = .plain) -> String {
        switch format {
        case .text: text.isEmpty ? "" : style.render(text) + "\n"
        case .json: payloads.map { $0.line + "\n" }.joined()
        }
    }
}

/// A report of one JSON object.
package protocol ObjectReport: Report {
    var json: JSONObject { get }
}

extension ObjectReport {
    package var payloads: [JSONObject] { [json] }
}

/// A report of facts that need no type of their own.
package struct PlainReport: Report {
    package let payloads: [JSONObject]
    package let text: DisplayText

    package init(_ json: JSONObject, _ text: DisplayText) { self.init(lines: [json], text) }

    package init(lines payloads: [JSONObject], _ text: DisplayText) { (self.payloads, self.text) = (payloads, text) }
}

/// How results are written.
package enum OutputFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
}
