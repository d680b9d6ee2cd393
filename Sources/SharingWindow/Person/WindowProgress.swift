package import MapPages
package import PeerCore
package import RegionSharing
import SharingReports
import Synchronization

/// How far the transfers of a job are.
package final class WindowProgress: Sendable {
    /// How long the person at the sender can think, in seconds.
    private static let patience = ConnectionConfiguration().invitationTimeout.components.seconds

    private let shown: @Sendable (AppWindowText?, _ fraction: Double?) -> Void
    private let transfers: Mutex<RunningTransfers>

    /// Creates the progress in a window; `isReceiver` says whether this machine receives.
    package convenience init(in window: AppWindow, isReceiver: Bool) {
        self.init(isReceiver: isReceiver) { window.show($0, fraction: $1) }
    }

    /// Creates the progress that is shown by a function.
    init(isReceiver: Bool, showing shown: @escaping @Sendable (AppWindowText?, _ fraction: Double?) -> Void) {
        self.shown = shown
        transfers = Mutex(RunningTransfers(isReceiver: isReceiver))
    }

    /// Follows a reception until its updates end; `asksForPart` says whether the sender has to make a part of its map first.
    package func follow(_ updates: TransferUpdates, asksForPart: Bool = false) async {
        var digits: DisplayText = ""
        var isPreparing = false
        for await update in updates {
            let name: DisplayText = update.peer?.title ?? "the other side"
            let waiting: DisplayText = "Waiting \(Self.patience) s at most for \(name) to say yes…"
            switch update.event {
            case .connection(.connecting): show("Connecting…")
            case .transfer(.waitingForPeer): show(digits + waiting)
            case .transfer(.pairing(let pairing)):
                // The person on the other side compares them now, and the one on this side when the offer arrives.
                digits =
                    PlainReport.pairing(update.transfer, with: update.peer, pairing).text + "\n"
                show(digits + waiting)
            case .transfer(.comparing): show("Comparing with your map…")
            case .transfer(.connected) where asksForPart && !isPreparing:
                isPreparing = true
                show(digits + PlainReport.accepted(update.transfer, by: update.peer).text)
            case .transfer(.connected): show(nil)
            case .transfer, .connection: show(update)
            }
        }
        show(nil)
    }

    /// Shows an update.
    package func show(_ update: TransferUpdate) {
        switch transfers.withLock({ $0.note(update) }) {
        case .none: break
        case .status(let words): show(words)
        case .line, .turn, .progress: redraw()
        }
    }

    /// Shows how much of a file that a phone sends has arrived.
    package func show(_ upload: PhoneUpload) {
        transfers.withLock { $0.note(upload) }
        redraw()
    }

    /// Shows how much of a file a phone has downloaded.
    package func show(_ download: PhoneDownload) {
        transfers.withLock { $0.note(download) }
        redraw()
    }

    /// Shows how much of a file a phone has got by LocalSend.
    func show(_ transfer: LocalSendTransfer) {
        transfers.withLock { $0.note(transfer) }
        redraw()
    }

    private func redraw() {
        let (line, only) = transfers.withLock { ($0.line(width: .max), $0.only) }
        show(line, fraction: only?.fraction)
    }

    private func show(_ status: DisplayText?, fraction: Double? = nil) {
        shown(status.map { AppWindowText($0) }, fraction)
    }
}
