import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

/// Shows the progress of transfers on the console.
final class ProgressDisplay: Sendable {
    private struct State {
        var transfers: RunningTransfers
        var throttles: [Int: ProgressThrottle] = [:]
        var beginnings: [Int: ContinuousClock.Instant] = [:]
        var downloadThrottles: [Int: ProgressThrottle] = [:]
        var phones: [Int: (state: LocalSendTransfer.State, throttle: ProgressThrottle)] = [:]
        var examinations: [PhoneFile: WorkProgress] = [:]
    }

    /// The time after which the progress of a transfer is shown.
    private static let patience: Duration = .seconds(1)

    private let console: Console
    private let state: Mutex<State>

    /// Creates a display; `isReceiver` says whether the person is at the receiver.
    init(on console: Console, isReceiver: Bool = false) {
        self.console = console
        state = Mutex(State(transfers: RunningTransfers(isReceiver: isReceiver)))
    }

    /// Shows updates until they end.
    func follow(_ updates: TransferUpdates) async {
        for await update in updates { show(update) }
        console.show(nil)
    }

    func show(_ update: TransferUpdate) {
        switch state.withLock({ $0.transfers.note(update) }) {
        case .none: return
        case .status(let words): return console.show(words)
        case .line: state.withLock { ($0.throttles[update.transfer], $0.beginnings[update.transfer]) = (nil, nil) }
        case .turn(let receiver): console.emitForPrograms(.turn(update.transfer, of: receiver))
        case .progress(let report): tell(report)
        }
        redraw()
    }

    private func tell(_ report: ProgressReport) {
        let now = ContinuousClock.now
        let (isDue, isLong) = state.withLock { state in
            let began = state.beginnings[report.transfer, default: now]
            state.beginnings[report.transfer] = began
            let isDue = state.throttles[report.transfer, default: ProgressThrottle()]
                .isDue(at: now, fraction: report.progress.fraction)
            return (isDue, now - began >= Self.patience)
        }
        guard isDue else { return }
        if console.showsPlainProgress, isLong { console.note(report.text) }
        console.emitForPrograms(report)
    }

    private func redraw() { console.show(state.withLock { $0.transfers.line(width: console.columns - 1) }) }

    /// Shows how much of a file that a phone sends has arrived.
    func show(_ upload: PhoneUpload) {
        state.withLock { $0.transfers.note(upload) }
        redraw()
    }

    /// Shows how far the examination of a file of a phone is; nil at its end.
    func show(_ progress: ImportProgress?, ofExamining file: PhoneFile) {
        let work = state.withLock { state in
            let work = state.examinations[file] ?? WorkProgress("Examining \(file.quotedName)", on: console)
            state.examinations[file] = progress == nil ? nil : work
            return work
        }
        if let progress { work.report(progress) } else { work.finish() }
    }

    /// Shows what has happened to a download from the page for phones.
    func show(_ download: PhoneDownload) {
        let isDue = state.withLock { state in
            state.transfers.note(download)
            guard download.state == .running else {
                state.downloadThrottles[download.number] = nil
                return true
            }
            return state.downloadThrottles[download.number, default: ProgressThrottle()]
                .isDue(at: ContinuousClock.now, fraction: download.fraction)
        }
        if isDue {
            // The end is always printed; the progress before it is in the changing line, if there is one.
            if download.state != .running || console.showsPlainProgress { console.note(download.text) }
            console.emitForPrograms(download)
        }
        redraw()
    }

    /// Shows what has happened to a file for a phone.
    func show(_ transfer: LocalSendTransfer) {
        let (isDue, isNew) = state.withLock { state in
            state.transfers.note(transfer)
            var known = state.phones[transfer.number] ?? (.preparing, ProgressThrottle())
            let isNew = state.phones[transfer.number] == nil || known.state != transfer.state
            let isDue = known.throttle.isDue(at: ContinuousClock.now, fraction: transfer.fraction)
            known.state = transfer.state
            state.phones[transfer.number] = transfer.isOver ? nil : known
            return (isDue || isNew, isNew)
        }
        if isDue {
            // The end is always printed; the progress before it is in the changing line, if there is one.
            if transfer.isOver || console.showsPlainProgress && (isNew || transfer.state == .running) {
                console.note(transfer.text)
            }
            console.emitForPrograms(transfer)
        }
        redraw()
    }
}
