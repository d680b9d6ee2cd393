import PeerCore
import RegionSharing
import RegionStore
import SharingReports

extension WindowDesk {
    /// Returns what receives into a store, as long as it takes.
    func receiver(
        into store: RegionStore,
        as local: LocalPeer,
        consent: Consent,
        _ person: any Person
    ) -> RegionReceiver {
        var receiver = RegionReceiver(
            store: store,
            local: local,
            configuration: surroundings.configuration,
            consent: consent,
            retries: .max,
            browser: surroundings.browser(local.id, nil),
            trust: ToldTrust(peers: store.trustedPeers, person: person),
            logger: Software.logger("receiver"),
            person: person
        )
        receiver.explain = { $1.explained($0) }
        receiver.lookForCause = surroundings.lookForCause
        return receiver
    }
}
