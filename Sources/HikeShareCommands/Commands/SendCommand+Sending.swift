import PeerCore
import RegionSharing
import RegionStore
import SharingReports

extension SendCommand {
    /// What to send of regions.
    func wish(_ store: RegionStore) -> SendingWish {
        var wish = SendingWish()
        (wish.kinds, wish.routes) = (sharing.only?.kinds, route)
        wish.cut = { [cut] in try cut.wish(for: $0, in: store) }
        wish.includesHealth = includeHealth
        wish.includesPhotoDetails = !noPlaces
        wish.includesOutside = allItems
        wish.leavesOut = all
        return wish
    }

    /// Sends regions over the network, or in a Wi-Fi network of this machine's own, until it ends by itself or a person stops it.
    func send(_ sent: [SentRegion], of store: RegionStore, _ console: Console) async throws {
        let display = SenderDisplay(on: console)
        let sender = try await sender(of: sent, of: store, TerminalPerson(console, display))
        let (control, hasNetwork) = (TransferControl(), hotspot.hotspot)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            return true
        } isSaying: {
            // The former network comes back, too.
            hasNetwork || control.openTransferCount > 0
        } isAnswer: {
            // The transfer that is asked about is open, too.
            guard control.openTransferCount > 1, console.refuse() else { return false }
            console.note("That was a no to this question. To stop sending, \(Console.stopping) again.")
            return true
        } conclude: { error in
            error as? SendingError == .stopped ? error : CommandError(.interrupted, "Interrupted.")
        } _: {
            try await display.network.following { try await sender.run(control) }
        }
    }

    private func sender(
        of sent: [SentRegion],
        of store: RegionStore,
        _ person: TerminalPerson
    ) async throws -> RegionSender {
        guard let first = sent.first else { throw CommandError.noMaps }
        let (console, consent) = (person.console, Consent(acceptsAll: sharing.yes, at: person.console))
        let catalogue = try sent.catalogue()
        let local = try await sharing.localPeer(of: store, console)
        var sender = RegionSender(
            first,
            others: Array(sent.dropFirst()),
            catalogue: catalogue,
            of: store,
            local: local,
            configuration: sharing.configuration,
            consent: consent,
            person: person
        )
        sender.trust = ToldTrust(peers: store.trustedPeers, person: person)
        sender.port = port
        sender.stopsAfterFirst = once
        sender.patience = timeout.map { .seconds($0) }
        if noDiscovery { sender.announcement = nil }
        sender.announcement?.isPrivate = isPrivate
        sender.announcement?.marks = MapMark.custom(of: sent.map(\.source.manifest))
        sender.announcement?.logger = Software.logger("discovery")
        sender.hotspot = hotspot.hotspot ? hotspot.wishes : nil
        sender.companion = web.page(of: sent, in: store, local, consent, person)
        sender.showsLoopback = showLoopback
        sender.hasReader = { Screen.hasReader }
        sender.logger = Software.logger("sender")
        return sender
    }
}
