import PeerCore

/// Shows the state of a transfer while the receiver waits.
struct ReceiverDisplay: Sendable {
    private let console: Console
    private let asks: Bool
    private let progress: ProgressDisplay

    /// Creates a display; `asks` says whether a person will be asked to compare digits.
    init(on console: Console, asks: Bool) {
        self.console = console
        self.asks = asks
        self.progress = ProgressDisplay(on: console)
    }

    /// Shows updates until they end.
    func follow(_ updates: TransferUpdates) async {
        for await update in updates {
            switch update.event {
            case .connection(.connecting): console.show("Connecting…")
            case .transfer(.waitingForPeer):
                let name: DisplayText = update.peer.map { $0.title } ?? "the other side"
                console.show("Waiting for \(name) to accept…")
            case .transfer(.pairing(let digits)): show(digits, of: update)
            case .transfer(.comparing): console.show("Comparing with your map…")
            case .transfer(.connected): console.show(nil)
            case .transfer, .connection: progress.show(update)
            }
        }
        console.show(nil)
    }

    /// Shows the digits.
    ///
    /// The person on the other side compares them now, and the one on this side when the offer arrives.
    private func show(_ digits: PairingDigits, of update: TransferUpdate) {
        let report = PairingReport(transfer: update.transfer, peer: update.peer, digits: digits)
        console.emitForPrograms(report)
        if asks { console.tell(report.text) } else { console.note(report.text) }
    }
}
