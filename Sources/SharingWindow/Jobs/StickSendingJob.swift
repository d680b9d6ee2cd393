import MapPages
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

/// The writing of regions to a stick.
package struct StickSendingJob: AppWindowJob {
    package let desk: WindowDesk
    package let title: String
    /// What is written.
    package let choice: SendingChoice
    /// The folder of the stick.
    package let folder: String
    /// Whether anyone with the link can open the files, or only the machines that have written a request.
    package let isForAnyone: Bool

    package init(at desk: WindowDesk, title: String, _ choice: SendingChoice, to folder: String, isForAnyone: Bool) {
        (self.desk, self.title, self.choice) = (desk, title, choice)
        (self.folder, self.isForAnyone) = (folder, isForAnyone)
    }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let person = WindowPerson(at: desk)
        try await WindowStop.watch(stops) {
            false
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted.")
        } _: {
            let store = try desk.open(.writing)
            let sent = try await OwnThread.run { [choice] in try choice.offer(of: store, for: person) }
            guard !sent.isEmpty else { throw CommandError.noMaps }
            defer { person.show(nil) }
            let sender = StickSender(
                sent.map(\.source),
                personal: sent.personal,
                of: store,
                local: try await desk.localPeer(of: store, person),
                to: folder,
                isForAnyone: isForAnyone,
                consent: .person,
                person: person
            )
            try await sender.run()
        }
    }
}
