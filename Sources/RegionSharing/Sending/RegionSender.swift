public import Logging
package import NetworkManager
public import PeerCore
package import RegionStore
import Synchronization

/// Serves regions to receivers until a person stops it, or until it ends by itself.
///
/// ```swift
/// let store = try RegionStore(path: "/home/anna/maps")
/// let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
/// let regions = try store.regions()
/// try await RegionSender(sending: regions, of: store, as: local, consent: .knownMachines, person: person).run()
/// ```
public struct RegionSender: Sendable {
    private final class Phase: Sendable {
        let listens = Atomic(false)
    }

    private let store: RegionStore
    /// What is offered; receivers pick if there are several.
    private let sent: [SentRegion]
    private let first: SentRegion
    /// The list from which receivers pick; nil if there is one region.
    private let catalogue: Catalogue?
    private let local: LocalPeer
    private let configuration: ConnectionConfiguration
    private let consent: Consent
    /// Is asked and told.
    public var person: any Person
    /// The trusted peers, to which peers that pair are added.
    public var trust: any TrustStore
    /// The port to listen on, 0 for any free one; nil for the default port, or any free one if that is in use.
    public var port: Int?
    /// Whether the first complete transfer is the last one.
    public var stopsAfterFirst = false
    /// The longest time without a transfer; nil for no limit.
    public var patience: Duration?
    /// How it is announced; nil if it is not.
    public var announcement: Announcement? = Announcement()
    /// Whether loopback addresses are shown, for tests.
    package var showsLoopback = false
    /// The Wi-Fi network that this machine makes for receivers; nil for the networks in which it is.
    package var hotspot: HotspotPlan.Wishes?
    /// What is served besides; nil for nothing.
    package var companion: (any SenderCompanion)?
    /// Whether something may still read the results.
    package var hasReader: @Sendable () -> Bool = { true }
    /// Logs details of transfers.
    public var logger = Logger(label: "RegionSharing.sender")

    /// Creates a sender of one region, or of several from which receivers pick.
    package init(
        _ sent: [SentRegion],
        of store: RegionStore,
        local: LocalPeer,
        configuration: ConnectionConfiguration,
        consent: Consent,
        person: any Person
    ) throws {
        guard let first = sent.first else { throw RegionStoreError(.notFound, "There is no region to send.") }
        (self.sent, self.first, catalogue, self.store) = (sent, first, try sent.catalogue(), store)
        (self.local, self.configuration, self.consent, self.person) = (local, configuration, consent, person)
        trust = ToldTrust(peers: store.trustedPeers, person: person)
        announcement?.marks = MapMark.custom(of: sent.map(\.source.manifest))
    }

    /// Makes the network, if it is to be one of this machine's own, listens, announces itself and serves.
    ///
    /// - Parameter control: Stops it. The former network comes back before this returns.
    /// - Throws: ``SendingError`` when it was stopped, or has ended without success; `CancellationError`, or another error, if
    ///   it was stopped before it listened; `PeerError` if it cannot listen; `NetworkError` without its network; the error
    ///   of what is served besides.
    public func run(_ control: TransferControl = TransferControl()) async throws {
        guard let hotspot else { return try await run(control) { try await $0(nil) } }
        let maker = HotspotMaker(
            wishes: hotspot,
            hasPage: companion?.needsPhones ?? false,
            application: local.application,
            consent: consent,
            person: person
        )
        try await run(control) { body in try await maker.with { try await body($0) } }
    }

    /// Serves within a network, which `inNetwork` makes and takes away; nil for none.
    ///
    /// Until it listens, there are no receivers to notify, so a stop cancels what it does.
    func run(
        _ control: TransferControl,
        inNetwork: @escaping @Sendable (_ body: (OwnHotspot?) async throws -> Void) async throws -> Void
    ) async throws {
        let phase = Phase()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await inNetwork { network in
                    var companion = companion
                    try await companion?.prepare(in: network)
                    phase.listens.store(true, ordering: .sequentiallyConsistent)
                    try await listen(in: network, beside: companion, control)
                }
                return true
            }
            group.addTask {
                _ = await control.cancellation()
                return false
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {
                if !phase.listens.load(ordering: .sequentiallyConsistent) { group.cancelAll() }
            }
        }
    }

    private func listen(
        in network: OwnHotspot?,
        beside companion: (any SenderCompanion)?,
        _ control: TransferControl
    ) async throws {
        try await PeerListener.with(
            local: local,
            port: port ?? local.application.defaultPort ?? 0,
            orAnyFree: port == nil,
            configuration: configuration
        ) { listener in
            guard let companion else { return try await serve(on: listener, network, control) }
            try await companion.serve { try await serve(on: listener, network, control) }
        }
    }

    private func serve(on listener: PeerListener, _ network: OwnHotspot?, _ control: TransferControl) async throws {
        // Anyone who has the token is admitted. Without encryption, it would be sent in plain text.
        let token = configuration.encryption == .none ? nil : ShareToken.random()
        let links = token.map { token in
            ShareLinkAddresses(
                application: local.application,
                id: local.id,
                token: token,
                network: network?.credentials
            )
        }
        let found = listener.addresses(includingLoopback: showsLoopback)
        let addresses = network?.sorted(found) ?? found
        person.tell(.sending(.listening(facts(port: listener.port, addresses, links?.link(to: addresses)))))
        try await serve(on: listener, token, control, until: network) {
            await followAddresses(of: listener, in: network, links, after: addresses)
        }
    }

    private func serve(
        on listener: PeerListener,
        _ token: ShareToken?,
        _ control: TransferControl,
        until network: OwnHotspot?,
        following: @escaping @Sendable () async -> Void
    ) async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let regions = sent.map(\.source.region)
        let machine = SendingStateMachine(regions, consent, isAfterFirst: stopsAfterFirst, patience: patience)
        let decider = InvitationDecider(machine, personal: sent.personal, store: store, person: person)
        let parts = CutOffers(of: sent.map(\.source), in: store, person: person)
        let serving = sender(token, parts, decider)
        try await withThrowingDiscardingTaskGroup { group in
            let port = listener.port
            if let advertising { group.addTask { await advertising.run(port: port) } }
            group.addTask { for await update in updates { person.tell(.sending(.progress(update))) } }
            group.addTask { await following() }
            group.addTask { await endInTime(control, decider) }
            for region in sent { group.addTask { await tellOfChanges(of: region) } }
            if let network {
                group.addTask {
                    do { try await network.throwAtItsEnd() } catch {
                        decider.with { $0.networkEnded() }
                        // An error of this task alone does not end the serving beside it.
                        control.cancel(reason: "its network has ended.")
                        throw error
                    }
                }
            }
            defer {
                continuation.finish()
                group.cancelAll()
            }
            try await serving.serve(on: listener, control: control, updates: continuation) { invitation in
                try await parts.source(for: invitation)
            } decide: { invitation in
                await decider.decide(invitation)
            } finished: { finished in
                decider.finish(finished)
            }
        }
        let end = decider.with { machine in
            if control.isCancelled { machine.stopped() }
            return machine.end
        }
        switch end {
        case .failed(let error): throw error
        case .served: person.tell(.sending(.served))
        case .first, .networkEnded, nil: break
        }
    }

    private func sender(_ token: ShareToken?, _ parts: CutOffers, _ decider: InvitationDecider) -> TransferSender {
        var sender = TransferSender(
            local: local,
            source: first.source,
            configuration: configuration,
            trust: trust,
            shareToken: token,
            logger: logger
        )
        if let companion { sender.turns = companion.turns }
        sender.choice = catalogue.map { catalogue in
            OfferChoice(of: catalogue) { invitation, id in
                try await parts.source(for: invitation, id)
            } concluded: { finished in
                decider.finish(finished, isLast: false)
            }
        }
        return sender
    }

    /// Waits until this sender ends by itself, and stops it.
    private func endInTime(_ control: TransferControl, _ decider: InvitationDecider) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let end = decider.with { machine in
                let others = companion?.activity ?? CompanionActivity()
                let openCount = control.openTransferCount + others.openCount
                machine.ticked(
                    openCount: openCount,
                    companionHasSent: others.hasSent,
                    hasReader: hasReader(),
                    at: .now
                )
                return machine.end
            }
            // After the first transfer, the serving ends by itself.
            if end == .first { return }
            if end != nil { return control.cancel(reason: "it has ended.") }
        }
    }

    private func followAddresses(
        of listener: PeerListener,
        in network: OwnHotspot?,
        _ links: ShareLinkAddresses?,
        after first: [String]
    ) async {
        var told = ToldAddresses(first)
        for await changed in listener.addressChanges(includingLoopback: showsLoopback) {
            let addresses = network?.sorted(changed) ?? changed
            guard let meaning = told.changed(to: addresses) else { continue }
            let link = links?.link(to: addresses)
            person.tell(.sending(.moved(AddressChange(addresses: addresses, link: link, meaning: meaning))))
        }
    }

    /// Tells that a region changes, because receivers get it as it was when this sender was started.
    private func tellOfChanges(of sent: SentRegion) async {
        var (watch, told) = (sent.watch, nil as RegionWatch.Change?)
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let change = try? watch.change(), change != told else { continue }
            told = change
            person.tell(.sending(.changed(sent.region, change)))
        }
    }

    private var advertising: Advertising? {
        guard let announcement else { return nil }
        var info = DiscoveryInfo(
            peerID: local.id,
            displayName: local.displayName,
            software: local.software,
            encryption: configuration.encryption,
            regionName: announcement.isPrivate ? nil : first.region.name,
            size: announcement.isPrivate ? nil : sent.totalSize
        )
        if !announcement.isPrivate {
            info.offerCount = catalogue == nil ? nil : sent.count
            info.mark(catalogue?.digest ?? first.source.manifest.digest)
            info.custom = announcement.marks
        }
        return Advertising(local: local, info: info, person: person, logger: announcement.logger)
    }

    private func facts(port: Int, _ addresses: [String], _ link: ShareLink?) -> ListeningFacts {
        var facts = ListeningFacts(
            local: local,
            port: port,
            addresses: addresses,
            link: link,
            offers: sent.map { ($0.source.region, $0.source.manifest.totalSize) },
            encryption: configuration.encryption,
            isAdvertised: announcement != nil,
            personal: sent.personal
        )
        facts.usualPort = self.port == nil ? local.application.defaultPort.flatMap { $0 == port ? nil : $0 } : nil
        facts.outside = sent.reduce(into: [:]) { $0.merge($1.source.outside, uniquingKeysWith: +) }
        facts.acceptsAll = consent == .everything
        facts.stopsAfterFirst = stopsAfterFirst
        return facts
    }
}
