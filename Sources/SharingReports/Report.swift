import FoundationEssentials
import MapPages

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

/// An object of the JSON output, written as a literal.
///
/// Fields without a value are left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral, Sendable {
    private var fields: [(name: Name, value: any Encodable & Sendable)]

    package init(dictionaryLiteral fields: (String, (any Encodable & Sendable)?)...) {
        self.fields = fields.compactMap { name, value in value.map { (Name(stringValue: name), $0) } }
    }

    /// Returns the object with the fields of another one behind its own.
    package func with(_ other: JSONObject?) -> JSONObject {
        var all = self
        all.fields += other?.fields ?? []
        return all
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for field in fields { try container.encode(field.value, forKey: field.name) }
    }

    /// The object on one line, in which characters that are dangerous in a terminal are escaped.
    package var line: String {
        guard let data = try? PageJSON.encoder().encode(self) else {
            return #"{"message":"This cannot be written as JSON.","type":"error"}"#
        }
        return TerminalEscape.escapeJSON(String(decoding: data, as: UTF8.self))
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// How results are written.
package enum OutputFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
}
