import ArgumentParser
import FoundationEssentials
import PeerCore
import RegionSharing
import RegionStore

/// The command `hikeshare receive`.
struct ReceiveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive regions from a machine nearby.",
        discussion: """
            Searches for senders, shows the offer and asks before anything is written. In a terminal, it searches until a \
            sender is found or you press Ctrl-C.

            With --link, prompts for the share link that 'send' shows; without a terminal, it reads the first line of standard \
            input. You can also paste a share link at the prompt for a number. A share link works as an argument, too, but every user of this machine can see arguments, and anyone with the share link can receive the region.

            Examples:
              hikeshare receive
              hikeshare receive Anna
              hikeshare receive --link
              hikeshare receive --region Andorra --region Pirineus
              hikeshare receive --keep
              hikeshare receive --join
              hikeshare receive Anna --along "Pic de Comapedrosa" --within 1km
              hikeshare receive --connect 192.168.1.7:4711
              hikeshare receive --stick /media/stick
              hikeshare receive --connect '[fe80::1c2b%eth0]:4711'
            """
    )

    @Argument(
        help: ArgumentHelp(
            """
            Sender to receive from: a name, the start of an id, or a share link (default: the sender that is found).
            """,
            valueName: "peer"
        ),
        completion: .trustedPeer
    )
    var words: [String] = []

    /// The sender; nil if none is given.
    ///
    /// A name needs no quotation marks.
    var peer: String? { words.isEmpty ? nil : words.joined(separator: " ") }

    @Flag(name: .long, help: "Ask for the share link that the sender shows, and receive from there.")
    var link = false

    @Option(
        name: .long,
        help: ArgumentHelp("Skip discovery and connect to an address that the sender shows.", valueName: "host:port"),
        transform: PeerAddress.read
    )
    var connect: PeerAddress?

    @Flag(name: .long, help: "Join the Wi-Fi network that a sender has made with --hotspot, and leave it at the end.")
    var join = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long to search for a sender (default: until Ctrl-C in a terminal, else 10).",
            valueName: "seconds"
        )
    )
    var timeout: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Of the hikes and planned routes, only the one with this name; may be repeated.",
            valueName: "name"
        )
    )
    var route: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Of a sender with several regions, only the one with this name; may be repeated.",
            valueName: "name"
        )
    )
    var region: [String] = []

    @Flag(name: .long, help: "Of a sender with several regions, all; with --keep, also regions that you do not have.")
    var all = false

    @Flag(
        name: .long,
        help: "Stay, and take what trusted machines offer that updates your regions, until Ctrl-C."
    )
    var keep = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many times to reconnect when the connection is lost (default: until Ctrl-C in a terminal, else 10).",
            valueName: "times"
        )
    )
    var retries: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Receive what is on a stick; if nothing is there for this machine, write what it has, so that the difference can be sent.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var stick: String?

    @OptionGroup var cut: CutOptions
    @OptionGroup var sharing: SharingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard [connect != nil, peer != nil, link].filter({ $0 }).count < 2 else {
            throw ValidationError("Give a name, --link or --connect, and only one of them.")
        }
        guard stick == nil || connect == nil && peer == nil && !join && cut.isEmpty else {
            throw ValidationError(
                "--stick uses no network and takes whole files: leave out names, --connect, --join and --along."
            )
        }
        guard stick == nil || region.isEmpty && !all && !keep else {
            throw ValidationError("--stick offers every region that is there: leave out --region, --all and --keep.")
        }
        guard !namesLink || sharing.encryption != .none else {
            throw ValidationError("A share link requires encryption: remove --encryption none.")
        }
        guard !namesLink || !join else {
            throw ValidationError("A share link names the Wi-Fi network itself: remove --join.")
        }
        guard (0...1000).contains(retries ?? 0) else { throw ValidationError("--retries must be 0 to 1000.") }
        guard timeout.map({ (1...86_400).contains($0) }) ?? true else {
            throw ValidationError("--timeout must be 1 to 86400 seconds.")
        }
        guard region.isEmpty || !all else { throw ValidationError("Give --region or --all, and only one of them.") }
        guard !keep || keepsAlone else {
            throw ValidationError("--keep finds senders by itself: use it with --all, --only and --name alone.")
        }
        guard !keep || sharing.encryption == .required else {
            throw ValidationError("--keep needs to know who sends: remove --encryption.")
        }
        try sharing.check(routes: route)
        guard cut.isEmpty || sharing.only?.kinds.contains(.mbtiles) != false else {
            throw ValidationError("--along, --area and --max-zoom select tiles of the map: add map to --only.")
        }
    }

    /// Whether no option contradicts `--keep`.
    private var keepsAlone: Bool {
        peer == nil && !link && connect == nil && !join && timeout == nil && retries == nil && route.isEmpty
            && region.isEmpty && cut.isEmpty && !sharing.yes
    }

    /// What is wanted of a sender with several regions.
    private var wish: CatalogueWish { all ? .all : region.isEmpty ? .usual : .named(region) }

    /// The share link from an argument or the standard input.
    private var namesLink: Bool { link || peer.map(ShareLinkInput.isLink) == true }

    func run() async throws { try await run(on: global.makeConsole()) }

    /// Receives, with questions and results on a console.
    func run(on first: Console) async throws {
        var console = first
        let store = try global.makeStore(console)
        if let stick { return try await receive(fromStick: stick, into: store, console) }
        let request = try cut.request(in: store)
        let trustedPeers = try store.trustedPeers.all()
        guard !keep || !trustedPeers.isEmpty else {
            throw CommandError(
                .notTrusted,
                "You trust no other machine yet, so there is nobody to receive from.",
                remedy: "Receive once from a person, and compare the digits."
            )
        }
        let hasTrustedPeers = namesLink || sharing.encryption != .none && !trustedPeers.isEmpty
        try sharing.requireSomebodyToAsk(console, unless: hasTrustedPeers)
        var shareLink = try peer.flatMap { ShareLinkInput.isLink($0) ? try ShareLinkInput.parse($0) : nil }
        if link, !console.canAsk {
            shareLink = try await ShareLinkInput.readStandardInput()
            // Now there may be a terminal to ask.
            console = global.makeConsole()
        }
        let local = try await sharing.localPeer(of: store, console)
        console.note("You are \(local.displayName).")
        if link, shareLink == nil {
            shareLink = try await Interruption.watch { [console] in try await ShareLinkInput.ask(console) }
        }
        let patience = timeout.map { Duration.seconds($0) } ?? (console.canAsk ? nil : .seconds(10))
        let receiving = RegionReceiver(
            store: store,
            local: local,
            configuration: sharing.configuration,
            kinds: sharing.only?.kinds,
            routes: RouteSelection(named: route),
            request: request,
            wish: wish,
            rule: keep ? KeepRule(takesNew: all) : nil,
            acceptsAll: sharing.yes,
            retries: keep ? 3 : retries ?? (console.canAsk ? .max : 10),
            timeout: patience,
            console: console
        )
        guard !keep else { return try await RegionKeeper(receiver: receiving).run() }
        try await LocalHints.adding(on: console) { [shareLink, console] in
            try await receive(by: receiving, shareLink, console)
        }
    }

    /// Receives what is on a stick, or writes a request to it.
    private func receive(fromStick folder: String, into store: RegionStore, _ console: Console) async throws {
        let (kinds, routes, acceptsAll) = (sharing.only?.kinds, RouteSelection(named: route), sharing.yes)
        let local = try await sharing.localPeer(of: store, console)
        let receiving = StickReceiver(
            into: store,
            local: local,
            from: folder,
            kinds: kinds,
            routes: routes,
            secret: link ? try await StickSecretInput.read(console) : nil,
            consent: Consent(acceptsAll: acceptsAll, at: console),
            person: TerminalPerson(console)
        ) {
            OfferPrompt(
                store: store,
                kinds: kinds,
                routes: routes,
                acceptsAll: acceptsAll,
                ownID: local.id,
                console: console
            )
        }
        do {
            try await receiving.run()
        } catch let error as NothingTaken {
            throw ReportedFailure(status: ExitStatus(error.error))
        }
    }

    /// Receives, and joins the sender's own Wi-Fi network before if there is one.
    private func receive(by receiving: RegionReceiver, _ link: ShareLink?, _ console: Console) async throws {
        let joiner = HotspotJoiner(acceptsAll: sharing.yes, console: console)
        if let link {
            guard let network = link.network else { return try await receiving.run { _, _ in .link(link) } }
            return try await joiner.with(network) { try await receiving.run { _, _ in .link(link) } }
        }
        let locate: RegionReceiver.Locating = { try await find(for: receiving, after: $0, within: $1) }
        do {
            guard join else { return try await receiving.run(from: locate) }
            try requireTerminal(console)
            try await joiner.withFound { try await receiving.run(from: locate) }
        } catch let found as ShareLinkToHotspot {
            try await joiner.with(found.network) { try await receiving.run { _, _ in .link(found.link) } }
        }
    }

    /// Finds the sender.
    ///
    /// - Parameters:
    ///   - receiving: Receives from it.
    ///   - refusing: Who was found before and refuses connections.
    ///   - timeout: The time limit; nil for none.
    /// - Returns: Where it is.
    /// - Throws: ``ShareLinkToHotspot`` if the person has pasted a share link to a sender with a Wi-Fi network of its
    ///   own.
    private func find(
        for receiving: RegionReceiver,
        after refusing: DiscoveredPeer?,
        within timeout: Duration?
    ) async throws -> SenderLocation {
        if let connect { return .address(connect) }
        LocalHints.noteNetwork(on: receiving.console)
        let chooser = PeerPicker(
            browser: .nearby(except: receiving.local.id, within: timeout),
            query: peer,
            refusing: refusing,
            trustedPeers: try receiving.store.trustedPeers.all(),
            timeout: timeout,
            asks: !sharing.yes && receiving.console.canAsk,
            hints: { await LocalHints.forDiscovery() },
            console: receiving.console
        )
        let location = try await chooser.choose()
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
