import PeerCore
import SharingReports

/// Shows the state of a transfer while the receiver waits.
struct ReceiverDisplay: Sendable {
    private let console: Console
    private let asks: Bool
    /// Whether the sender makes a part of the map first.
    private let asksForPart: Bool
    private let progress: ProgressDisplay
    /// The number of the transfer in reports.
    private let number: Int
    /// How long the person at the sender can think, in seconds.
    private static let patience = ConnectionConfiguration().invitationTimeout.components.seconds

    /// Creates a display; `place` has the number of the transfer and the progress of those beside it, and is nil for the only one.
    init(
        on console: Console,
        asks: Bool,
        asksForPart: Bool,
        beside place: (number: Int, progress: ProgressDisplay)? = nil
    ) {
        self.console = console
        self.asks = asks
        self.asksForPart = asksForPart
        progress = place?.progress ?? ProgressDisplay(on: console, isReceiver: true)
        number = place?.number ?? 1
    }

    /// Shows updates until they end.
    func follow(_ updates: TransferUpdates) async {
        var digits: DisplayText = ""
        var isPreparing = false
        for await var update in updates {
            update.transfer = number
            let name: DisplayText = update.peer?.title ?? "the other side"
            let waiting: DisplayText = "Waiting \(Self.patience) s at most for \(name) to say yes…"
            switch update.event {
            case .connection(.connecting): console.show("Connecting…")
            case .transfer(.waitingForPeer): console.show(digits + waiting)
            case .transfer(.pairing(let pairing)):
                digits = show(pairing, of: update)
                if !digits.isEmpty { console.show(digits + waiting) }
            case .transfer(.comparing): console.show("Comparing with your map…")
            case .transfer(.connected) where asksForPart && !isPreparing:
                isPreparing = true
                let report = PlainReport.accepted(update.transfer, by: update.peer)
                console.emitForPrograms(report)
                if !console.isLive { console.note(report.text) }
                console.show("\(digits)\(report.text)")
            case .transfer(.connected): console.show(nil)
            case .transfer, .connection: progress.show(update)
            }
        }
        console.show(nil)
    }

    /// Shows the digits, or returns them if they can be shown above the progress, where the question replaces them.
    ///
    /// The person on the other side compares them now, and the one on this side when the offer arrives.
    private func show(_ digits: PairingDigits, of update: TransferUpdate) -> DisplayText {
        let report = PlainReport.pairing(update.transfer, with: update.peer, digits)
        console.emitForPrograms(report)
        if asks, console.isLive { return "\(report.text)\n" }
        if asks { console.tell(report.text) } else { console.note(report.text) }
        return ""
    }
}
