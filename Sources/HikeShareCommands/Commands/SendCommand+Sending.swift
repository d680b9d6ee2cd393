import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension SendCommand {
    func wish(_ store: RegionStore) -> SendingWish {
        var wish = SendingWish()
        (wish.kinds, wish.routes) = (sharing.only?.kinds, route)
        wish.cut = { [cut] in try cut.rule(for: $0, in: store) }
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
            do {
                try await display.network.following { try await sender.run(control) }
            } catch let error as LocalSendError where error.isTransfer && console.format == .text && !console.isQuiet {
                // What became of the file was said when it ended.
                throw ReportedFailure(status: ExitStatus(error))
            }
        }
    }

    private func sender(
        of sent: [SentRegion],
        of store: RegionStore,
        _ person: TerminalPerson
    ) async throws -> RegionSender {
        guard !sent.isEmpty else { throw CommandError.noMaps }
        let (console, consent) = (person.console, Consent(acceptsAll: sharing.yes, at: person.console))
        let local = try await sharing.localPeer(of: store, console)
        var sender = try RegionSender(
            sent,
            of: store,
            local: local,
            configuration: sharing.configuration,
            consent: consent,
            person: person
        )
        sender.port = port
        // With named phones, these decide.
        sender.stopsAfterFirst = once && phones.phone.isEmpty
        sender.patience = timeout.map { .seconds($0) }
        if noDiscovery { sender.announcement = nil }
        sender.announcement?.isPrivate = isPrivate
        sender.announcement?.logger = Software.logger("discovery")
        sender.hotspot = hotspot.hotspot ? hotspot.wishes : nil
        sender.companion = ways(of: sent, in: store, local, consent, person)
        sender.showsLoopback = showLoopback
        sender.hasReader = { Screen.hasReader }
        sender.logger = Software.logger("sender")
        return sender
    }

    /// The ways to phones; nil for none.
    private func ways(
        of sent: [SentRegion],
        in store: RegionStore,
        _ local: LocalPeer,
        _ consent: Consent,
        _ person: TerminalPerson
    ) -> PhoneWays? {
        let (asks, isWanted) = (person.console.canAsk, !phones.phone.isEmpty)
        // Without a person, no phone is picked, and no file is taken.
        let hasLocalSend = !hasNoLocalSend && (asks || isWanted)
        guard web.web || hasLocalSend else { return nil }
        let files = PhoneFiles(
            of: sent,
            in: store,
            ownID: local.id,
            consent: consent,
            person: person,
            drawing: SheetProcess.draw
        )
        var ways = PhoneWays(of: files, as: local)
        ways.page = web.page(of: files, takesFiles: asks)
        guard hasLocalSend else { return ways }
        var wishes = LocalSendWishes()
        (wishes.phones, wishes.kind, wishes.pin) = (phones.phone, phones.kind?.kind, phones.phonePin)
        (wishes.includesPersonal, wishes.stopsAfterFirst, wishes.asks) = (web.webPersonal, once, asks)
        ways.localSend = wishes
        return ways
    }
}

extension LocalSendError {
    /// Whether it is the end of a transfer, which is told as such, too.
    fileprivate var isTransfer: Bool { if case .ended = self { true } else { false } }
}
