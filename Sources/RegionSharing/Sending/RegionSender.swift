import Diagnosis
import FoundationEssentials
import NetworkManager
import PeerCore
import RegionStore
import Synchronization

/// Serves regions to receivers until a person stops the program.
struct RegionSender: Sendable {
    var store: RegionStore
    /// The first region.
    var first: SentRegion
    /// Further ones, if receivers pick.
    var others: [SentRegion] = []
    /// The list from which they pick; nil if there is one region.
    var catalogue: Catalogue?
    var local: LocalPeer
    var configuration: ConnectionConfiguration
    /// The port to listen on, 0 for any free one; nil for the default port, or any free one if that is in use.
    var port: Int?
    /// When it ends by itself.
    var end = ServingEnd()
    var isAdvertised: Bool
    var isPrivate: Bool
    var acceptsAll: Bool
    /// Whether loopback addresses are shown, for tests.
    var showsLoopback = false
    /// The Wi-Fi network of this machine; nil for none.
    var hotspot: OwnHotspot?
    /// The page for phones; nil for none.
    var web: WebPage?
    var console: Console

    private var all: [SentRegion] { [first] + others }

    /// Listens, announces itself and serves.
    ///
    /// - Throws: ``CommandError`` when it was interrupted, ``PeerError`` if it cannot listen.
    func run() async throws {
        let control = TransferControl()
        let isStopped = Atomic(false)
        try await Interruption.watch {
            isStopped.store(true, ordering: .sequentiallyConsistent)
            control.cancel(reason: "it was interrupted.")
            return true
        } isSaying: {
            control.openTransferCount > 0
        } isAnswer: {
            // The transfer that is asked about is open, too.
            guard control.openTransferCount > 1, console.refuse() else { return false }
            console.note("That was a no to this question. To stop sending, \(console.stopping) again.")
            return true
        } _: {
            try await PeerListener.with(
                local: local,
                port: port ?? local.application.defaultPort ?? 0,
                orAnyFree: port == nil,
                configuration: configuration
            ) { listener in
                // Anyone who has the token is admitted. Without encryption, it would be sent in plain text.
                let token = configuration.encryption == .none ? nil : ShareToken.random()
                let links = token.map { token in
                    ShareLinkAddresses(
                        application: local.application,
                        id: local.id,
                        token: token,
                        network: hotspot?.credentials
                    )
                }
                let progress = ProgressDisplay(on: console)
                try await withPage(progress) { page in
                    let display = NetworkDisplay(
                        of: listener,
                        listening(on: listener),
                        links,
                        includingLoopback: showsLoopback,
                        hotspot: hotspot,
                        web: page,
                        on: console
                    )
                    let shown = display.current
                    // Further lines would move the screen of the sender out of the window.
                    tellOfPort(listener.port, and: page?.address.port)
                    display.show(at: shown)
                    if shown.isEmpty { LocalHints.noteNetwork(on: console) }
                    try await serve(on: listener, token, control, progress) { await display.follow(after: shown) }
                }
            }
        }
        if isStopped.load(ordering: .sequentiallyConsistent) {
            throw CommandError(.interrupted, "Interrupted; no longer sending.")
        }
    }

    /// Shows the page for phones, if there is one, while `body` runs.
    private func withPage(
        _ progress: ProgressDisplay,
        _ body: @escaping @Sendable (WebPageDisplay?) async throws -> Void
    ) async throws {
        guard let web else { return try await body(nil) }
        try await web.with(progress: progress) { try await body($0) }
    }

    /// Tells of another port than the usual one, and how to open the port if a firewall is active.
    private func tellOfPort(_ port: Int, and pagePort: Int?) {
        if self.port == nil, let usual = local.application.defaultPort, port != usual {
            console.note("Port \(usual) is in use, so this sender listens on port \(port).")
        }
        guard let firewall = Firewall.active() else { return }
        func opening(_ port: Int) -> String {
            firewall.command(
                opening: port,
                forHotspotOn: hotspot?.network.interface,
                givesAddresses: hotspot?.givesAddresses ?? false
            )
        }
        let command = opening(port)
        console.note(
            "The firewall \(firewall.rawValue) is active. If the other machine cannot connect, run:  \(command)"
        )
        guard let pagePort else { return }
        let pageCommand = opening(pagePort)
        if pageCommand != command { console.note("If a phone cannot open the page, run:  \(pageCommand)") }
    }

    private func serve(
        on listener: PeerListener,
        _ token: ShareToken?,
        _ control: TransferControl,
        _ progress: ProgressDisplay,
        following: @escaping @Sendable () async -> Void
    ) async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let prompt = InvitationPrompt(
            region: first.source.region,
            others: others.map(\.source.region),
            personal: all.personal,
            store: store,
            console: console,
            acceptsAll: acceptsAll
        )
        let parts = PartOffers(of: all.map(\.source), in: store, console: console)
        var sender = TransferSender(
            local: local,
            source: first.source,
            configuration: configuration,
            trust: ToldTrust(peers: store.trustedPeers, console: console),
            shareToken: token,
            logger: Software.logger("sender")
        )
        if let web { sender.turns = web.turns.turns }
        sender.choice = catalogue.map { catalogue in
            OfferChoice(of: catalogue) { invitation, id in
                try parts.source(for: invitation, id)
            } concluded: { finished in
                prompt.finish(finished, isLast: false)
            }
        }
        let serving = sender
        let outcome = Outcome()
        do {
            try await withThrowingDiscardingTaskGroup { group in
                let port = listener.port
                if isAdvertised { group.addTask { await advertising.run(port: port) } }
                group.addTask { await progress.follow(updates) }
                group.addTask { await following() }
                group.addTask { try await throwAtTheEnd(control, outcome) }
                for region in all { group.addTask { await tellOfChanges(of: region) } }
                if let hotspot { group.addTask { try await hotspot.throwAtItsEnd() } }
                defer {
                    continuation.finish()
                    group.cancelAll()
                }
                try await serving.serve(on: listener, control: control, updates: continuation) { invitation in
                    try parts.source(for: invitation)
                } decide: { invitation in
                    await prompt.decide(invitation)
                } finished: { finished in
                    prompt.finish(finished)
                    guard case .success = finished.result else { return true }
                    outcome.hasSent.store(true, ordering: .sequentiallyConsistent)
                    return !end.isAfterFirst
                }
            }
        } catch is Served {
            console.note("No receiver has come for a while; no longer sending.")
        }
    }

    /// Whether a receiver has taken everything.
    private final class Outcome: Sendable { let hasSent = Atomic(false) }

    /// The end of a sender to which no receiver comes any more, and that has sent something.
    private struct Served: Error {}

    /// Waits until this sender ends by itself, and throws what is to be said then.
    private func throwAtTheEnd(_ control: TransferControl, _ outcome: Outcome) async throws {
        var end = end
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let hasReader = console.window != nil || Screen.hasReader
            let reason = end.reason(openCount: control.openTransferCount, hasReader: hasReader, at: .now)
            guard let reason else { continue }
            // An error of this task alone does not end the serving beside it.
            control.cancel(reason: "it has ended.")
            switch reason {
            case .idle where outcome.hasSent.load(ordering: .sequentiallyConsistent): throw Served()
            case .idle(let time):
                throw CommandError(
                    .noPeerFound,
                    "Nothing was sent: no receiver has come within \(Wording.duration(time)).",
                    remedy: "To wait longer, use a greater --timeout, or none."
                )
            case .unread:
                throw CommandError(
                    .output,
                    "Nothing reads the results any more, so sending has ended.",
                    remedy: "To get only the share link, let 'send' write to a file, and read the first line there."
                )
            }
        }
    }

    /// Tells that a region changes, because receivers get it as it was when this sender was started.
    private func tellOfChanges(of sent: SentRegion) async {
        var (watch, told) = (sent.watch, nil as RegionWatch.Change?)
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let change = try? watch.change(), change != told else { continue }
            told = change
            let name = DisplayText(quoting: sent.region.name)
            console.note(
                change == .removed
                    ? "\(name) was removed here. Receivers still get it until you stop."
                    : "\(name) was changed here. Receivers still get the old version: stop, and send it again."
            )
        }
    }

    private var advertising: Advertising {
        var info = DiscoveryInfo(
            peerID: local.id,
            displayName: local.displayName,
            software: local.software,
            encryption: configuration.encryption,
            regionName: isPrivate ? nil : first.region.name,
            size: isPrivate ? nil : all.totalSize
        )
        if !isPrivate {
            info.offerCount = others.isEmpty ? nil : all.count
            info.mark(catalogue?.digest ?? first.source.manifest.digest)
            info.custom = MapMark.custom(of: all.map(\.source.manifest))
        }
        return Advertising(local: local, info: info, console: console)
    }

    private func listening(on listener: PeerListener) -> ListeningReport {
        ListeningReport(
            local: local,
            port: listener.port,
            addresses: [],
            regionID: first.region.id.uuidString,
            regionName: first.region.name,
            size: all.totalSize,
            choice: others.isEmpty ? [] : all.map { (region: $0.region, size: $0.source.manifest.totalSize) },
            encryption: configuration.encryption,
            isAdvertised: isAdvertised,
            part: first.source.region.part,
            personal: all.personal,
            outside: all.reduce(into: [:]) { $0.merge($1.source.outside, uniquingKeysWith: +) },
            acceptsAll: acceptsAll,
            stopsAfterFirst: end.isAfterFirst,
            isBrief: console.isQuiet
        )
    }
}
