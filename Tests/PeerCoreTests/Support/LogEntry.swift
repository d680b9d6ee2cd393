import Logging
import NIOPosix
import PeerTestSupport

/// One entry of a log: its message and its details.
struct LogEntry: Sendable {
    var level: Logger.Level
    var message: String
    var details: [String: String]
    /// The event loop on whose thread it was made; nil on another thread.
    var eventLoop: ObjectIdentifier?

    /// All that is in it, as a person would find it.
    var text: String { "\(message) \(details.sorted { $0.key < $1.key })" }
}

extension Logger {
    /// A logger that keeps every entry, and calls `noted` after each, in the task that logs.
    static func recording(
        in entries: Locked<[LogEntry]>,
        noted: @escaping @Sendable (LogEntry) -> Void = { _ in }
    )
        -> Logger
    {
        Logger(label: "test") { _ in Recorder(entries: entries, noted: noted) }
    }
}

private struct Recorder: LogHandler {
    let entries: Locked<[LogEntry]>
    let noted: @Sendable (LogEntry) -> Void
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let entry = LogEntry(
            level: event.level,
            message: "\(event.message)",
            details: all.mapValues { "\($0)" },
            eventLoop: MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }
        )
        entries.withLock { $0.append(entry) }
        noted(entry)
    }
}
