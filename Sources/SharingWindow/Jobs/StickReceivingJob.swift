import MapPages
import PeerCore
import RegionSharing
package import RegionStore
import Sentences
import SharingReports

/// The reception of regions from a stick, or the writing of a request to it.
package struct StickReceivingJob: AppWindowJob {
    package let desk: WindowDesk
    /// The folder of the stick.
    package let folder: String
    /// The secret of files for anyone; nil for those of this machine.
    package let secret: StickSecret?
    package var title: String { "Receiving from a stick" }

    package init(at desk: WindowDesk, from folder: String, secret: StickSecret?) {
        (self.desk, self.folder, self.secret) = (desk, folder, secret)
    }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let person = WindowPerson(at: desk)
        try await WindowStop.watch(stops) {
            false
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted.")
        } _: {
            let store = try desk.open(.creating)
            defer { person.show(nil) }
            let receiver = StickReceiver(
                into: store,
                local: try await desk.localPeer(of: store, person),
                from: folder,
                kinds: nil,
                routes: .all,
                secret: secret,
                consent: .person,
                person: person
            )
            do {
                try await receiver.run()
            } catch is NothingTaken {
                // The reasons were told, each with its file.
                throw CommandError(.unknownFile, "Nothing was taken from the stick.")
            }
        }
    }
}
