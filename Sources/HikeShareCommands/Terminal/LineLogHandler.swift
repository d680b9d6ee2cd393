import FoundationEssentials
import Logging
import SharingReports

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
