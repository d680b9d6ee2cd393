import Logging
import PeerTestSupport

/// Counts how often a message is logged.
struct CountingLog: LogHandler {
    var message: String
    var count: Locked<Int>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.message.description == message { count.withLock { $0 += 1 } }
    }
}
