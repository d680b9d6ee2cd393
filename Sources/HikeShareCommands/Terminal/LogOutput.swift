import SharingReports
import Synchronization

/// The output of the log: the standard error output, above the progress or question at the bottom of the terminal.
final class LogOutput: Sendable {
    /// The output of this process.
    static let standardError = LogOutput()

    private let console = Mutex<Console?>(nil)

    /// Writes above the last lines of a console from now on.
    func write(above console: Console) { self.console.withLock { $0 = console } }

    func write(_ line: String) {
        if let console = console.withLock({ $0 }) {
            console.writeLog(line)
        } else {
            OutputQueue.standard.write(line, to: 2)
        }
    }
}
