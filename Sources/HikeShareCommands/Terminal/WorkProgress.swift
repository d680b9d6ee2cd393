import RegionStore
import SharingReports
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

    func report(_ progress: ImportProgress) {
        switch progress {
        case .bytes(let done, let total): report(done, of: total)
        case .tiles(let done, let total): report(Int64(done), of: Int64(total), "\(Wording.count(total, "tile"))")
        }
    }

    /// Removes the progress from the screen.
    func finish() { console.show(nil) }
}

extension Console {
    /// Shows the progress of work on this machine; nil at its end.
    func show(_ progress: ImportProgress?, of title: @autoclosure () -> DisplayText) {
        work.withLock { work in
            let current = work ?? WorkProgress(title(), on: self)
            work = progress == nil ? nil : current
            if let progress { current.report(progress) } else { current.finish() }
        }
    }
}
