import PeerCore
import RegionSharing
import RegionStore
import SharingReports

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
        let place: ReceptionPlan.Place =
            link.map { .link($0) } ?? connect.map { .address($0) } ?? .nearby(query: peer)
        if link == nil, join { try requireTerminal(console) }
        var plan = ReceptionPlan(
            receiving,
            from: place,
            joins: join,
            browser: { .nearby(except: receiving.local.id, within: $0) },
            advise: TerminalPerson(console).advise
        )
        plan.searching = { LocalHints.noteNetwork(on: console) }
        try await plan.run(inNetwork: Interruption.watchNetwork) {
            try await receiving.runUntilStopped(at: console, from: $0)
        }
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
