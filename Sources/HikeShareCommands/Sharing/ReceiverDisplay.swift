import PeerCore

/// Shows a receiver what happens while it waits.
struct ReceiverDisplay: Sendable {
    private let console: Console
    private let progress: ProgressDisplay

    init(on console: Console) {
        self.console = console
        self.progress = ProgressDisplay(on: console)
    }

    /// Shows updates until they end.
    func follow(_ updates: TransferUpdates) async {
        for await update in updates {
            switch update.event {
            case .connection(.connecting): console.show("Connecting…")
            case .transfer(.waitingForPeer):
                let name: DisplayText = update.peer.map { $0.title } ?? "the other side"
                console.show("Waiting for \(name) to say yes…")
            case .transfer(.connected): console.show(nil)
            case .transfer, .connection: progress.show(update)
            }
        }
        console.show(nil)
    }
}
