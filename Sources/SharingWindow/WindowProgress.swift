package import MapPages
package import PeerCore
package import RegionSharing
import SharingReports
import Synchronization

/// How far the transfers of a job are.
package final class WindowProgress: Sendable {
    private struct State {
        var running: [Int: TransferProgress] = [:]
        /// The transfers that are served in turn.
        var queued: [Int: QueuedReceiver] = [:]
        /// Downloads from the page for phones, and files that phones send.
        var downloads: [Int: PhoneDownload] = [:]
        var uploads: [Int: PhoneUpload] = [:]
    }

    /// How long the person at the sender can think, in seconds.
    private static let patience = ConnectionConfiguration().invitationTimeout.components.seconds

    private let window: AppWindow
    private let isReceiver: Bool
    private let state = Mutex(State())

    /// Creates the progress in a window; `isReceiver` says whether this machine receives.
    package init(in window: AppWindow, isReceiver: Bool) { (self.window, self.isReceiver) = (window, isReceiver) }

    /// Follows a reception until its updates end.
    package func follow(_ updates: TransferUpdates) async {
        var digits: DisplayText = ""
        for await update in updates {
            let name: DisplayText = update.peer?.title ?? "the other side"
            let waiting: DisplayText = "Waiting \(Self.patience) s at most for \(name) to say yes…"
            switch update.event {
            case .connection(.connecting): show("Connecting…")
            case .transfer(.waitingForPeer): show(digits + waiting)
            case .transfer(.pairing(let pairing)):
                // The person on the other side compares them now, and the one on this side when the offer arrives.
                digits =
                    PairingReport(transfer: update.transfer, peer: update.peer, digits: pairing).text + "\n"
                show(digits + waiting)
            case .transfer(.comparing): show("Comparing with your map…")
            case .transfer(.connected): show(nil)
            case .transfer, .connection: show(update)
            }
        }
        show(nil)
    }

    /// Shows an update.
    package func show(_ update: TransferUpdate) {
        guard case .transfer(let transfer) = update.event else { return }
        let number = update.transfer
        switch transfer {
        case .idle, .waitingForPeer, .pairing, .comparing: return
        case .connected:
            guard let peer = update.peer, state.withLock({ $0.running.isEmpty }) else { return }
            return show("\(peer.title) is reviewing the offer…")
        case .queued(let turn):
            let receiver = QueuedReceiver(name: update.peer?.name ?? "", turn: turn)
            state.withLock { $0.queued[number] = receiver }
        case .transferring(let progress): state.withLock { $0.running[number] = progress }
        case .committing:
            if state.withLock({ $0.running.count <= 1 }) { show("Finishing…") }
            return
        case .completed, .failed, .cancelled:
            state.withLock { ($0.running[number], $0.queued[number]) = (nil, nil) }
        }
        redraw()
    }

    /// Shows how much of a file that a phone sends has arrived.
    package func show(_ upload: PhoneUpload) {
        state.withLock { $0.uploads[upload.number] = upload.length < upload.file.size ? upload : nil }
        redraw()
    }

    /// Shows how much of a file a phone has downloaded.
    package func show(_ download: PhoneDownload) {
        state.withLock { $0.downloads[download.number] = download.state == .running ? download : nil }
        redraw()
    }

    private func redraw() {
        let (running, queued, downloads, uploads) = state.withLock {
            ($0.running, $0.queued, $0.downloads, $0.uploads)
        }
        let line =
            isReceiver
            ? ProgressReport.line(ofReceiver: running, queued, width: .max)
            : ProgressReport.line(running, downloads, uploads, queued: queued, width: .max)
        let measured = running.count == 1 && downloads.isEmpty && uploads.isEmpty ? running.first?.value : nil
        show(line, fraction: measured?.fraction)
    }

    private func show(_ status: DisplayText?, fraction: Double? = nil) {
        window.show(status.map { AppWindowText($0) }, fraction: fraction)
    }
}
