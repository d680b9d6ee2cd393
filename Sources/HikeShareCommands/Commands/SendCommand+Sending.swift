import PeerCore
import RegionSharing
import RegionStore

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

    /// Sends regions over the network, or in a Wi-Fi network of this machine's own.
    func send(_ sent: [SentRegion], of store: RegionStore, _ console: Console) async throws {
        let sender = try await sender(of: sent, of: store, console)
        guard hotspot.hotspot else {
            let page = try await web.page(of: sent, in: store, acceptsAll: sharing.yes, console)
            return try await serve(by: sender, nil, page, console)
        }
        let maker = HotspotMaker(
            hotspot.wishes,
            hasPage: web.web,
            for: .hikeshare,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: TerminalPerson(console)
        )
        try await Interruption.watchNetwork {
            try await maker.with { own in
                let address = web.web ? try own.requireIPv4() : nil
                var page = try await web.page(of: sent, in: store, acceptsAll: sharing.yes, console)
                page?.ownAddress = address
                try await serve(by: sender, own, page, console)
            }
        }
    }

    private func sender(of sent: [SentRegion], of store: RegionStore, _ console: Console) async throws -> RegionSender {
        guard let first = sent.first else { throw CommandError.noMaps }
        var sender = RegionSender(
            first,
            others: Array(sent.dropFirst()),
            catalogue: try sent.catalogue(),
            of: store,
            local: try await sharing.localPeer(of: store, console),
            configuration: sharing.configuration,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: TerminalPerson(console)
        )
        sender.trust = ToldTrust(peers: store.trustedPeers, person: TerminalPerson(console))
        sender.port = port
        sender.stopsAfterFirst = once
        sender.patience = timeout.map { .seconds($0) }
        (sender.isAdvertised, sender.isPrivate) = (!noDiscovery, isPrivate)
        sender.marks = MapMark.custom(of: sent.map(\.source.manifest))
        sender.showsLoopback = showLoopback
        sender.hasReader = { Screen.hasReader }
        (sender.logger, sender.discoveryLogger) = (Software.logger("sender"), Software.logger("discovery"))
        return sender
    }

    /// Sends until it ends by itself, or a person stops it.
    private func serve(
        by sender: RegionSender,
        _ hotspot: OwnHotspot?,
        _ page: WebPage?,
        _ console: Console
    ) async throws {
        var sender = sender
        sender.turns = page?.turns.turns
        if let hotspot {
            sender.network = hotspot.credentials
            sender.sorted = { hotspot.sorted($0) }
            sender.throwAtItsEnd = { try await hotspot.throwAtItsEnd() }
        }
        // The page must not take the port of the sender, so it is served when that one listens.
        sender.around = { serving in
            let progress = ProgressDisplay(on: console)
            let serve: @Sendable (WebPageDisplay?) async throws -> Void = { shown in
                let network = NetworkDisplay(hotspot: hotspot, web: shown, on: console)
                try await network.following {
                    try await serving(TerminalPerson(console, SenderDisplay(network: network, progress: progress)))
                }
            }
            guard let page else { return try await serve(nil) }
            try await page.with(progress: progress) { try await serve($0) }
        }
        let control = TransferControl()
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            return true
        } isSaying: {
            control.openTransferCount > 0
        } isAnswer: {
            // The transfer that is asked about is open, too.
            guard control.openTransferCount > 1, console.refuse() else { return false }
            console.note("That was a no to this question. To stop sending, \(Console.stopping) again.")
            return true
        } conclude: { error in
            error as? SendingError == .stopped ? error : CommandError(.interrupted, "Interrupted.")
        } _: { [sender] in
            try await sender.run(control)
        }
    }
}
