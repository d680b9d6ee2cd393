public import Logging
public import PeerCore
package import RegionStore

/// Serves regions to receivers until a person stops it, or until it ends by itself.
///
/// ```swift
/// let store = try RegionStore(path: "/home/anna/maps")
/// let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
/// let regions = try store.regions()
/// try await RegionSender(sending: regions, of: store, as: local, consent: .knownMachines, person: person).run()
/// ```
public struct RegionSender: Sendable {
    private let store: RegionStore
    private let first: SentRegion
    /// Further ones, if receivers pick.
    private let others: [SentRegion]
    /// The list from which they pick; nil if there is one region.
    private let catalogue: Catalogue?
    private let local: LocalPeer
    private let configuration: ConnectionConfiguration
    private let consent: Consent
    /// Is asked and told.
    public var person: any Person
    /// The trusted peers, to which peers that pair are added.
    public var trust: any TrustStore = EmptyTrustStore()
    /// The port to listen on, 0 for any free one; nil for the default port, or any free one if that is in use.
    public var port: Int?
    /// Whether the first complete transfer is the last one.
    public var stopsAfterFirst = false
    /// The longest time without a transfer; nil for no limit.
    public var patience: Duration?
    /// Whether it is announced.
    public var isAdvertised = true
    /// Whether the announcement says nothing of the regions.
    public var isPrivate = false
    /// What else the announcement says of the regions.
    package var marks: [String: String] = [:]
    /// Whether loopback addresses are shown, for tests.
    package var showsLoopback = false
    /// The Wi-Fi network that this machine has made for receivers; nil for none.
    package var network: ShareLinkNetwork?
    /// Returns addresses with those of that network first.
    package var sorted: @Sendable ([String]) -> [String] = { $0 }
    /// Throws at the end of that network; returns if the task is cancelled.
    package var throwAtItsEnd: (@Sendable () async throws -> Void)?
    /// Serves, and tells a person.
    package typealias Serving = @Sendable (any Person) async throws -> Void
    /// Runs around the serving as soon as this machine listens, and says who is told from then on; nil for ``person`` alone.
    ///
    /// It ends with the serving.
    package var around: (@Sendable (_ serving: @escaping Serving) async throws -> Void)?
    /// The turns of receivers and of others that share the networks of this machine; nil for receivers alone.
    package var turns: SendingTurns?
    /// Whether something may still read the results.
    package var hasReader: @Sendable () -> Bool = { true }
    /// Logs details of transfers.
    public var logger = Logger(label: "RegionSharing.sender")
    /// Logs details of the announcement.
    public var discoveryLogger = Logger(label: "RegionSharing.discovery")

    private var all: [SentRegion] { [first] + others }

    /// Creates a sender of a region, or of several from a list.
    package init(
        _ first: SentRegion,
        others: [SentRegion] = [],
        catalogue: Catalogue? = nil,
        of store: RegionStore,
        local: LocalPeer,
        configuration: ConnectionConfiguration,
        consent: Consent,
        person: any Person
    ) {
        (self.first, self.others, self.catalogue, self.store) = (first, others, catalogue, store)
        (self.local, self.configuration, self.consent, self.person) = (local, configuration, consent, person)
    }

    /// Listens, announces itself and serves.
    ///
    /// - Parameter control: Stops it.
    /// - Throws: ``SendingError`` when it was stopped, or has ended without success; `PeerError` if it cannot listen; the error of the
    ///   network's end.
    public func run(_ control: TransferControl = TransferControl()) async throws {
        try await PeerListener.with(
            local: local,
            port: port ?? local.application.defaultPort ?? 0,
            orAnyFree: port == nil,
            configuration: configuration
        ) { listener in
            guard let around else { return try await serve(on: listener, control) }
            try await around { person in
                var sender = self
                sender.person = person
                try await sender.serve(on: listener, control)
            }
        }
    }

    private func serve(on listener: PeerListener, _ control: TransferControl) async throws {
        // Anyone who has the token is admitted. Without encryption, it would be sent in plain text.
        let token = configuration.encryption == .none ? nil : ShareToken.random()
        let links = token.map { token in
            ShareLinkAddresses(
                application: local.application,
                id: local.id,
                token: token,
                network: network
            )
        }
        let addresses = sorted(listener.addresses(includingLoopback: showsLoopback))
        person.tell(.sending(.listening(facts(port: listener.port, addresses, links?.link(to: addresses)))))
        try await serve(on: listener, token, control) {
            await followAddresses(of: listener, links, after: addresses)
        }
    }

    private func serve(
        on listener: PeerListener,
        _ token: ShareToken?,
        _ control: TransferControl,
        following: @escaping @Sendable () async -> Void
    ) async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let regions = all.map(\.source.region)
        let machine = SendingStateMachine(regions, consent, isAfterFirst: stopsAfterFirst, patience: patience)
        let decider = InvitationDecider(machine, personal: all.personal, store: store, person: person)
        let parts = PartOffers(of: all.map(\.source), in: store, person: person)
        let serving = sender(token, parts, decider)
        try await withThrowingDiscardingTaskGroup { group in
            let port = listener.port
            if isAdvertised { group.addTask { await advertising.run(port: port) } }
            group.addTask { for await update in updates { person.tell(.sending(.progress(update))) } }
            group.addTask { await following() }
            group.addTask { await endInTime(control, decider) }
            for region in all { group.addTask { await tellOfChanges(of: region) } }
            if let throwAtItsEnd {
                group.addTask {
                    do { try await throwAtItsEnd() } catch {
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
                try parts.source(for: invitation)
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

    private func sender(_ token: ShareToken?, _ parts: PartOffers, _ decider: InvitationDecider) -> TransferSender {
        var sender = TransferSender(
            local: local,
            source: first.source,
            configuration: configuration,
            trust: trust,
            shareToken: token,
            logger: logger
        )
        if let turns { sender.turns = turns }
        sender.choice = catalogue.map { catalogue in
            OfferChoice(of: catalogue) { invitation, id in
                try parts.source(for: invitation, id)
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
                machine.ticked(openCount: control.openTransferCount, hasReader: hasReader(), at: .now)
                return machine.end
            }
            // After the first transfer, the serving ends by itself.
            if end == .first { return }
            if end != nil { return control.cancel(reason: "it has ended.") }
        }
    }

    private func followAddresses(of listener: PeerListener, _ links: ShareLinkAddresses?, after first: [String]) async {
        var told = ToldAddresses(first)
        for await changed in listener.addressChanges(includingLoopback: showsLoopback) {
            let addresses = sorted(changed)
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
            info.custom = marks
        }
        return Advertising(local: local, info: info, person: person, logger: discoveryLogger)
    }

    private func facts(port: Int, _ addresses: [String], _ link: ShareLink?) -> ListeningFacts {
        var facts = ListeningFacts(
            local: local,
            port: port,
            addresses: addresses,
            link: link,
            offers: all.map { ($0.source.region, $0.source.manifest.totalSize) },
            encryption: configuration.encryption,
            isAdvertised: isAdvertised,
            personal: all.personal
        )
        facts.usualPort = self.port == nil ? local.application.defaultPort.flatMap { $0 == port ? nil : $0 } : nil
        facts.outside = all.reduce(into: [:]) { $0.merge($1.source.outside, uniquingKeysWith: +) }
        facts.acceptsAll = consent == .everything
        facts.stopsAfterFirst = stopsAfterFirst
        return facts
    }
}
