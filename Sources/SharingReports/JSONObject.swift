import FoundationEssentials
import MapPages
import Sentences

/// An object of the JSON output, written as a literal; fields without a value are left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral, Sendable {
    private var fields: [(name: Name, value: any Encodable & Sendable)]

    package init(dictionaryLiteral fields: (String, (any Encodable & Sendable)?)...) {
        self.fields = fields.compactMap { name, value in
            // Programs read English, whoever started them.
            value.map { (Name(stringValue: name), ($0 as? Sentence)?.english ?? $0) }
        }
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
