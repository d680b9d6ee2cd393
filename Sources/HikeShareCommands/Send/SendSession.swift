import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Serves a region to receivers until a person stops the program.
struct SendSession: Sendable {
    var store: RegionStore
    var region: RegionSummary
    var source: RegionSource
    var local: LocalPeer
    var configuration: SessionConfiguration
    var port: Int
    var stopsAfterFirst: Bool
    var isAdvertised: Bool
    var isPrivate: Bool
    var acceptsAll: Bool
    var console: Console

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
            control.hasOpenSessions
        } _: {
            try await PeerListener.with(local: local, port: port, configuration: configuration) { listener in
                let link = try makeLink(to: listener)
                console.emit(listening(on: listener, link))
                if let code = link.flatMap({ QRCode($0.text) }) { console.show(code, of: "the link") }
                console.note("Press Ctrl-C to stop.")
                try await serve(on: listener, link, control)
            }
        }
        if isStopped.load(ordering: .sequentiallyConsistent) {
            throw CommandError(.interrupted, "Interrupted; no longer sending.")
        }
    }

    /// Creates the link, which admits anyone who has it; nil without encryption, because the secret would be sent in plain text.
    private func makeLink(to listener: PeerListener) throws -> PeerLink? {
        guard configuration.encryption != .none else { return nil }
        let addresses = LinkAddresses.usable(listener.reachableAddresses)
        return addresses.isEmpty
            ? nil : try PeerLink(for: local.application, addresses: addresses, id: local.id, token: .random())
    }

    private func serve(on listener: PeerListener, _ link: PeerLink?, _ control: TransferControl) async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let prompt = InvitationPrompt(
            region: region,
            personal: source.personal,
            store: store,
            console: console,
            acceptsAll: acceptsAll
        )
        let sender = TransferSender(
            local: local,
            source: source,
            configuration: configuration,
            trust: store.trustedPeers,
            linkToken: link?.token,
            logger: Software.logger("sender")
        )
        try await withThrowingDiscardingTaskGroup { group in
            let port = listener.port
            if isAdvertised { group.addTask { await advertising.run(port: port) } }
            group.addTask { await ProgressDisplay(on: console).follow(updates) }
            defer {
                continuation.finish()
                group.cancelAll()
            }
            try await sender.serve(on: listener, control: control, updates: continuation) { invitation in
                await prompt.decide(invitation)
            } finished: { finished in
                prompt.finish(finished)
                if case .success = finished.result { return !stopsAfterFirst }
                return true
            }
        }
    }

    private var advertising: Advertising {
        Advertising(
            local: local,
            info: DiscoveryInfo(
                peerID: local.id,
                displayName: local.displayName,
                software: local.software,
                encryption: configuration.encryption,
                regionName: isPrivate ? nil : region.name,
                size: isPrivate ? nil : source.manifest.totalSize
            ),
            console: console
        )
    }

    private func listening(on listener: PeerListener, _ link: PeerLink?) -> ListeningReport {
        ListeningReport(
            local: local,
            port: listener.port,
            addresses: listener.reachableAddresses,
            regionID: region.id.uuidString,
            regionName: region.name,
            size: source.manifest.totalSize,
            encryption: configuration.encryption,
            isAdvertised: isAdvertised,
            personal: source.personal,
            link: link
        )
    }
}
