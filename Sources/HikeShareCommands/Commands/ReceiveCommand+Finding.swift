import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import Sentences
import SharingReports

/// What the options mean, and from whom regions are received.
extension ReceiveCommand {
    /// The sender, whose name needs no quotation marks; nil if none is given.
    var peer: String? { words.isEmpty ? nil : words.joined(separator: " ") }

    /// The share link from an argument or the standard input.
    var namesLink: Bool { link || peer.map(ShareLinkInput.isLink) == true }

    /// What is wanted of a sender with several regions.
    private var wish: CatalogueWish { all ? .all : region.isEmpty ? .usual : .named(region) }

    /// Returns what receives according to the options.
    func receiver(
        into store: RegionStore,
        as local: LocalPeer,
        asking request: CutRequest?,
        _ console: Console
    ) -> RegionReceiver {
        let person = TerminalPerson(console)
        var receiver = RegionReceiver(
            store: store,
            local: local,
            configuration: sharing.configuration,
            consent: Consent(acceptsAll: sharing.yes, at: console),
            retries: keep ? 3 : retries ?? (console.canAsk ? .max : 10),
            timeout: timeout.map { .seconds($0) } ?? (console.canAsk ? nil : .seconds(10)),
            browser: .nearby(except: local.id),
            trust: ToldTrust(peers: store.trustedPeers, person: person),
            logger: Software.logger("receiver"),
            person: person
        )
        receiver.kinds = sharing.only?.kinds
        receiver.routes = RouteSelection(named: route)
        receiver.wish = wish
        receiver.request = request
        receiver.rule = keep ? KeepRule(takesNew: all) : nil
        receiver.explain = { $1.explained($0) }
        let causes = CauseFinder(for: .hikeshare)
        receiver.lookForCause = { await causes.cause(of: $0, $1, at: $2) }
        receiver.spaceRemedy =
            "Free some space and try again, or receive less: fewer parts with --only, or the map along a route with --along."
        let (asks, progress) = (receiver.asks, ProgressDisplay(on: console, isReceiver: true))
        receiver.follow = { updates, visit in
            let place = visit.map { ($0, progress) }
            let display = ReceiverDisplay(on: console, asks: asks, asksForPart: request != nil, beside: place)
            await display.follow(updates)
        }
        let recorder = PeerRecorder(store: store, person: person)
        receiver.remember = { [keep] peer, isNew in
            guard keep else { return try await recorder.note(peer, isNew: isNew) }
            _ = recorder.record(peer, isNew: false)
        }
        return receiver
    }

    /// Lets phones that have LocalSend send while `body` receives, if this machine looks for others, and a person can be asked.
    ///
    /// A share link that a phone sends is followed as if the person had typed it.
    func whilePhonesSend(
        to receiver: RegionReceiver,
        _ link: ShareLink?,
        _ console: Console,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard console.canAsk, !localSend.noLocalSend, link == nil, connect == nil, !join else {
            return try await body()
        }
        let reception = PhoneReception(
            into: receiver.store,
            as: receiver.local,
            links: receiver.links,
            person: TerminalPerson(console, SenderDisplay(on: console))
        )
        try await reception.run { taker in
            try await body()
            guard taker.isBusy else { return }
            console.note("Waiting for what phones send. Press Ctrl-C to stop.")
            try await Interruption.watch { try await taker.settle() }
        }
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
