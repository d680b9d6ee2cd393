import FoundationEssentials
import Logging
import SharingReports

/// One line of the log.
struct LogReport: ObjectReport {
    var time: Date
    var level: Logger.Level
    /// The part of the program.
    var label: String
    var message: String
    var metadata: [String: String]

    var json: JSONObject {
        [
            "type": "log",
            "time": Self.text(of: time),
            "level": level.rawValue,
            "part": label,
            "message": message,
            "details": metadata,
        ]
    }

    var text: DisplayText {
        let details = metadata.sorted { $0.key < $1.key }.map { key, value -> DisplayText in
            "\(key)=\(Self.value(value))"
        }
        let lead: DisplayText = "\(Self.text(of: time)) \(level.rawValue) \(label): \(message)"
        return ([lead] + details).joined(separator: " ")
    }

    /// The time in UTC, to the millisecond.
    private static func text(of time: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time)
    }

    /// Returns a value in quotation marks, unless it is a plain word, so that it cannot look like another field.
    private static func value(_ value: String) -> DisplayText {
        let isPlain = value.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.:-_+%/[]".unicodeScalars.contains(scalar))
        }
        return isPlain && !value.isEmpty ? DisplayText(escaping: value) : DisplayText(quoting: value, width: 200)
    }
}
