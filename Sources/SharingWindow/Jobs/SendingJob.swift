import MapPages
import NetworkManager
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

/// The sending of regions to whoever asks for them.
package struct SendingJob: AppWindowJob {
    package let desk: WindowDesk
    package let title: String
    /// What is sent.
    package let choice: SendingChoice
    /// Whether to make a Wi-Fi network.
    package var makesNetwork = false
    /// Whether phones get a page.
    package var hasPage = false

    package init(
        at desk: WindowDesk,
        title: String,
        _ choice: SendingChoice,
        makesNetwork: Bool = false,
        hasPage: Bool = false
    ) {
        (self.desk, self.title, self.choice) = (desk, title, choice)
        (self.makesNetwork, self.hasPage) = (makesNetwork, hasPage)
    }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let person = WindowPerson(at: desk, sends: true)
        let (control, isServing) = (TransferControl(), WindowStop.Flag())
        try await WindowStop.watch(stops) {
            control.cancel(reason: "it was interrupted.")
            return isServing.isSet
        } conclude: { error in
            error as? SendingError == .stopped ? error : CommandError(.interrupted, "Interrupted.")
        } _: {
            let store = try desk.open(.writing)
            let sent = try await OwnThread.run { [choice] in try choice.offer(of: store, for: person) }
            let ways = PhoneWaysChoice(hasPage: hasPage, hasLocalSend: desk.window.phones.isOn)
            let sender = try await sender(of: sent, of: store, ways, person)
            isServing.set(true)
            defer {
                person.show(nil)
                person.sender?.phones.end()
            }
            guard ways.hasLocalSend else { return try await sender.run(control) }
            try await desk.listening.givePlace { try await sender.run(control) }
        }
    }

    private func sender(
        of sent: [SentRegion],
        of store: RegionStore,
        _ ways: PhoneWaysChoice,
        _ person: WindowPerson
    ) async throws -> RegionSender {
        guard !sent.isEmpty else { throw CommandError.noMaps }
        let local = try await desk.localPeer(of: store, person)
        var sender = try RegionSender(
            sent,
            of: store,
            local: local,
            configuration: desk.surroundings.configuration,
            consent: .person,
            person: person
        )
        sender.announcement?.logger = Software.logger("discovery")
        sender.logger = Software.logger("sender")
        sender.hotspot = makesNetwork ? HotspotPlan.Wishes() : nil
        sender.companion = ways.isEmpty ? nil : desk.surroundings.companion(sent, store, local, person, ways)
        return sender
    }
}
