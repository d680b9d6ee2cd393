import PeerCore
import RegionSharing
import RegionStore

/// What the options mean, and from whom regions are received.
extension ReceiveCommand {
    /// The sender; nil if none is given.
    ///
    /// A name needs no quotation marks.
    var peer: String? { words.isEmpty ? nil : words.joined(separator: " ") }

    /// The share link from an argument or the standard input.
    var namesLink: Bool { link || peer.map(ShareLinkInput.isLink) == true }

    /// What is wanted of a sender with several regions.
    private var wish: CatalogueWish { all ? .all : region.isEmpty ? .usual : .named(region) }

    /// Returns what receives according to the options.
    func receiver(
        into store: RegionStore,
        as local: LocalPeer,
        asking request: PartRequest?,
        _ console: Console
    ) -> RegionReceiver {
        var receiver = RegionReceiver(
            store: store,
            local: local,
            configuration: sharing.configuration,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            request: request,
            rule: keep ? KeepRule(takesNew: all) : nil,
            retries: keep ? 3 : retries ?? (console.canAsk ? .max : 10),
            timeout: timeout.map { Duration.seconds($0) } ?? (console.canAsk ? nil : .seconds(10)),
            at: console
        )
        receiver.kinds = sharing.only?.kinds
        receiver.routes = RouteSelection(named: route)
        receiver.wish = wish
        return receiver
    }

    /// Receives what is on a stick, or writes a request to it.
    func receive(fromStick folder: String, into store: RegionStore, _ console: Console) async throws {
        let receiving = StickReceiver(
            into: store,
            local: try await sharing.localPeer(of: store, console),
            from: folder,
            kinds: sharing.only?.kinds,
            routes: RouteSelection(named: route),
            secret: link ? try await StickSecretInput.read(console) : nil,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: TerminalPerson(console)
        )
        do {
            try await receiving.run()
        } catch let error as NothingTaken {
            throw ReportedFailure(status: ExitStatus(error.error))
        }
    }

    /// Receives, and joins the sender's own Wi-Fi network before if there is one.
    func receive(by receiving: RegionReceiver, _ link: ShareLink?, _ console: Console) async throws {
        let joiner = HotspotJoiner(
            for: .hikeshare,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: TerminalPerson(console)
        )
        func receive(from link: ShareLink, in network: ShareLinkNetwork) async throws {
            try await Interruption.watchNetwork {
                try await joiner.with(network) {
                    try await receiving.runUntilStopped(at: console) { _, _ in .link(link) }
                }
            }
        }
        if let link {
            guard let network = link.network else {
                return try await receiving.runUntilStopped(at: console) { _, _ in .link(link) }
            }
            return try await receive(from: link, in: network)
        }
        let locate: RegionReceiver.Locating = { try await find(for: receiving, console, after: $0, within: $1) }
        do {
            guard join else { return try await receiving.runUntilStopped(at: console, from: locate) }
            try requireTerminal(console)
            try await Interruption.watchNetwork {
                try await joiner.withFound { try await receiving.runUntilStopped(at: console, from: locate) }
            }
        } catch let found as ShareLinkToHotspot {
            try await receive(from: found.link, in: found.network)
        }
    }

    /// Finds the sender.
    ///
    /// - Parameters:
    ///   - receiving: Receives from it.
    ///   - console: Where a person is asked.
    ///   - refusing: Who was found before and refuses connections.
    ///   - timeout: The time limit; nil for none.
    /// - Returns: Where it is.
    /// - Throws: ``ShareLinkToHotspot`` if the person has pasted a share link to a sender with a Wi-Fi network of its
    ///   own.
    private func find(
        for receiving: RegionReceiver,
        _ console: Console,
        after refusing: DiscoveredPeer?,
        within timeout: Duration?
    ) async throws -> SenderLocation {
        if let connect { return .address(connect) }
        LocalHints.noteNetwork(on: console)
        let person = TerminalPerson(console)
        let picker = PeerPicker(
            browser: .nearby(except: receiving.local.id, within: timeout),
            for: SenderSearch(
                query: peer,
                after: refusing,
                trustedPeers: try receiving.store.trustedPeers.all(),
                timeout: timeout
            ),
            consent: Consent(acceptsAll: sharing.yes, at: console),
            person: person,
            advise: person.advise
        )
        let location = try await picker.choose()
        if let link = location.link, let network = link.network {
            throw ShareLinkToHotspot(link: link, network: network)
        }
        return location
    }

    /// Checks that the password of a network can be asked for.
    private func requireTerminal(_ console: Console) throws {
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "The password of the Wi-Fi network cannot be asked for here, because there is no terminal.",
                remedy: "Pipe in the share link that the sender shows:  hikeshare receive --link"
            )
        }
    }
}
