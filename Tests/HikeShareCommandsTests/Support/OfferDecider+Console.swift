import PeerCore
import RegionStore
import SharingReports

@testable import HikeShareCommands
@testable import RegionSharing

extension OfferDecider {
    /// Creates what decides with the person at a console.
    convenience init(
        store: RegionStore,
        kinds: Set<ResourceKind>? = nil,
        picked: PickedOffers = PickedOffers(),
        acceptsAll: Bool,
        at console: Console
    ) {
        let consent = Consent(acceptsAll: acceptsAll, at: console)
        self.init(store: store, kinds: kinds, picked: picked, consent: consent, person: TerminalPerson(console))
    }
}
