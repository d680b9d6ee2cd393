import RegionStore
import SharingReports
import Synchronization

/// Decides which of many progress reports are written as lines.
struct ProgressThrottle: Sendable {
    private static let interval: Duration = .seconds(3)
    private static let step = 0.1

    private var last: (time: ContinuousClock.Instant, fraction: Double)?

    /// Returns whether to write a line now: at the first report, after some time, and after another tenth of the total.
    ///
    /// There are never two lines within half a second.
    mutating func isDue(at now: ContinuousClock.Instant, fraction: Double) -> Bool {
        if let last {
            let waited = now - last.time
            guard waited >= Self.interval || waited >= .milliseconds(500) && fraction - last.fraction >= Self.step
            else { return false }
        }
        last = (now, fraction)
        return true
    }
}

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

    /// Reports the progress, in bytes unless `whole` says what all of the work is.
    func report(_ done: Int64, of total: Int64, _ whole: @autoclosure () -> DisplayText? = nil) {
        let now = ContinuousClock.now
        guard total > 0, done >= 0, now - began > Self.patience else { return }
        let fraction = Double(done) / Double(total)
        let all = whole() ?? "\(Wording.size(UInt64(clamping: total)))"
        let line: DisplayText = "\(title)  \(Wording.percent(fraction)) of \(all)"
        if console.isLive { return console.show(line) }
        if console.showsPlainProgress, throttle.withLock({ $0.isDue(at: now, fraction: fraction) }) {
            console.note(line)
        }
    }

    /// Reports the progress of an import.
    func report(_ progress: ImportProgress) {
        switch progress {
        case .bytes(let done, let total): report(done, of: total)
        case .tiles(let done, let total): report(Int64(done), of: Int64(total), "\(Wording.count(total, "tile"))")
        }
    }

    /// Removes the progress from the screen.
    func finish() {
        console.show(nil)
    }
}

extension Console {
    /// Shows how far work on this machine is, of which there is one at a time; nil at its end.
    func show(_ progress: ImportProgress?, of title: @autoclosure () -> DisplayText) {
        work.withLock { work in
            let current = work ?? WorkProgress(title(), on: self)
            work = progress == nil ? nil : current
            if let progress { current.report(progress) } else { current.finish() }
        }
    }
}
