import Synchronization

/// The progress of work on this machine, shown if it takes longer than a moment.
final class WorkProgress: Sendable {
    private static let patience: Duration = .seconds(1)

    private let console: Console
    private let title: DisplayText
    private let began = ContinuousClock.now
    private let throttle = Mutex(ProgressThrottle())

    init(_ title: DisplayText, on console: Console) {
        self.title = title
        self.console = console
    }

    /// Reports the progress.
    func report(_ done: Int64, of total: Int64) {
        let now = ContinuousClock.now
        guard total > 0, done >= 0, now - began > Self.patience else { return }
        let fraction = Double(done) / Double(total)
        let size = UInt64(clamping: total)
        let line: DisplayText = "\(title)  \(Wording.percent(fraction)) of \(Wording.size(size))"
        if console.isLive { return console.show(line) }
        if console.showsPlainProgress, throttle.withLock({ $0.isDue(at: now, fraction: fraction) }) {
            console.note(line)
        }
    }

    /// Removes the progress from the screen.
    func finish() {
        console.show(nil)
    }
}
