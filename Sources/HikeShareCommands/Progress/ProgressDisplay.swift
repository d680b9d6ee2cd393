import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

/// Shows the progress of transfers on the console.
final class ProgressDisplay: Sendable {
    private struct State {
        var running: [Int: TransferProgress] = [:]
        /// The transfers that are served in turn.
        var queued: [Int: QueuedReceiver] = [:]
        var throttles: [Int: ProgressThrottle] = [:]
        var beginnings: [Int: ContinuousClock.Instant] = [:]
        /// Downloads from the page for phones.
        var downloads: [Int: PhoneDownload] = [:]
        var downloadThrottles: [Int: ProgressThrottle] = [:]
        /// Files that phones send.
        var uploads: [Int: PhoneUpload] = [:]
        /// Files of phones that are examined.
        var examinations: [PhoneFile: WorkProgress] = [:]
    }

    /// The time after which the progress of a transfer is shown.
    private static let patience: Duration = .seconds(1)

    private let console: Console
    /// Whether the person is at the receiver.
    private let isReceiver: Bool
    private let state = Mutex(State())

    /// Creates a display; `isReceiver` says whether the person is at the receiver.
    init(on console: Console, isReceiver: Bool = false) {
        self.console = console
        self.isReceiver = isReceiver
    }

    /// Shows updates until they end.
    func follow(_ updates: TransferUpdates) async {
        for await update in updates { show(update) }
        console.show(nil)
    }

    /// Shows one update.
    func show(_ update: TransferUpdate) {
        guard case .transfer(let transfer) = update.event else { return }
        show(transfer, of: update.transfer, with: update.peer)
    }

    private func show(_ transfer: TransferState, of number: Int, with peer: RemotePeer?) {
        switch transfer {
        case .idle, .waitingForPeer, .pairing, .comparing:
            break
        case .connected:
            if let peer, state.withLock({ $0.running.isEmpty }) {
                console.show("\(peer.title) is reviewing the offer…")
            }
        case .queued(let turn):
            note(turn, of: number, with: peer)
        case .transferring(let progress):
            let turn = state.withLock { state in
                state.running[number] = progress
                return state.queued[number]
            }
            tell(ProgressReport(transfer: number, progress: progress, turn: turn, isForReceiver: isReceiver))
            redraw()
        case .committing:
            if state.withLock({ $0.running.count <= 1 }) { console.show("Finishing…") }
        case .completed, .failed, .cancelled:
            state.withLock { state in
                state.running[number] = nil
                state.queued[number] = nil
                state.throttles[number] = nil
                state.beginnings[number] = nil
            }
            redraw()
        }
    }

    private func note(_ turn: TransferTurn, of number: Int, with peer: RemotePeer?) {
        let receiver = QueuedReceiver(name: peer?.name ?? "", turn: turn)
        state.withLock { $0.queued[number] = receiver }
        console.emitForPrograms(TurnReport(transfer: number, receiver: receiver))
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

    private func redraw() {
        let (running, queued, downloads, uploads) = state.withLock {
            ($0.running, $0.queued, $0.downloads, $0.uploads)
        }
        let line =
            isReceiver
            ? ProgressReport.line(ofReceiver: running, queued, width: console.columns - 1)
            : ProgressReport.line(running, downloads, uploads, queued: queued, width: console.columns - 1)
        console.show(line)
    }

    /// Shows how much of a file that a phone sends has arrived.
    func show(_ upload: PhoneUpload) {
        state.withLock { $0.uploads[upload.number] = upload.length < upload.file.size ? upload : nil }
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
            guard download.state == .running else {
                state.downloads[download.number] = nil
                state.downloadThrottles[download.number] = nil
                return true
            }
            state.downloads[download.number] = download
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
}
