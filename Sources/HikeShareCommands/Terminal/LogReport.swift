import FoundationEssentials
import Logging
import SharingReports
import Synchronization

/// One line of the log.
struct LogReport: Report {
    var time: Date
    var level: Logger.Level
    /// The part of the program.
    var label: String
    var message: String
    var metadata: [String: String]

    var payloads: [JSONObject] {
        [
            [
                "type": "log",
                "time": Self.text(of: time),
                "level": level.rawValue,
                "part": label,
                "message": message,
                "details": metadata,
            ]
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

/// Writes each log entry as one line.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// The part of the program, without the program's own name.
    private let label: String
    private let format: OutputFormat
    private let write: @Sendable (String) -> Void

    init(
        label: String,
        level: Logger.Level,
        format: OutputFormat,
        write: @escaping @Sendable (String) -> Void = { LogOutput.standardError.write($0) }
    ) {
        let program = Software.name + "."
        self.label = label.hasPrefix(program) ? String(label.dropFirst(program.count)) : label
        self.logLevel = level
        self.format = format
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let report = LogReport(
            time: Date(),
            level: event.level,
            label: label,
            message: event.message.description,
            metadata: all.mapValues { "\($0)" }
        )
        write(report.rendered(as: format))
    }
}

/// The output of the log: the standard error output, above the progress or question at the bottom of the terminal.
final class LogOutput: Sendable {
    /// The output of this process.
    static let standardError = LogOutput()

    private let console = Mutex<Console?>(nil)

    /// Writes above the last lines of a console from now on.
    func write(above console: Console) {
        self.console.withLock { $0 = console }
    }

    func write(_ line: String) {
        if let console = console.withLock({ $0 }) {
            console.writeLog(line)
        } else {
            OutputQueue.standard.write(line, to: 2)
        }
    }
}
