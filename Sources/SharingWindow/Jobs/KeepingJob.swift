import MapPages
import PeerCore
import RegionSharing
import RegionStore
import SharingReports

/// What keeps the regions up to date beside the jobs, without questions.
package struct KeepingJob: AppWindowJob {
    package let desk: WindowDesk
    /// Whether to take regions that this machine does not have, too.
    package let takesNew: Bool
    package var title: String { "Keeping maps up to date" }

    package init(at desk: WindowDesk, takesNew: Bool) { (self.desk, self.takesNew) = (desk, takesNew) }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let store = try desk.open(.writing)
        let person = KeepingPerson(in: desk.window)
        var receiver = desk.receiver(into: store, as: try store.localPeer(), consent: .knownMachines, person)
        (receiver.rule, receiver.retries) = (KeepRule(takesNew: takesNew), 3)
        receiver.follow = { [window = desk.window] updates, _ in
            await WindowProgress(isReceiver: true) { status, _ in window.showKeeping(status) }.follow(updates)
        }
        let recorder = PeerRecorder(store: store, person: person)
        receiver.remember = { peer, _ in _ = recorder.record(peer, isNew: false) }
        let (keeper, control) = (RegionKeeper(receiver: receiver), TransferControl())
        do {
            try await WindowStop.watch(stops) {
                control.cancel(reason: "it was interrupted.")
                return keeper.isVisiting
            } conclude: { _ in
                CancellationError()
            } _: {
                try await keeper.run(control)
            }
        } catch is CancellationError {
            // Somebody has switched it off.
        }
    }
}
