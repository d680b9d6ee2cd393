import FoundationEssentials
import PeerCore
import RegionStore

/// Receives one region into a store.
struct Receiving: Sendable {
    var store: RegionStore
    var local: LocalPeer
    var configuration: SessionConfiguration
    var kinds: Set<ResourceKind>?
    var acceptsAll: Bool
    var console: Console

    /// Finds the sender, connects, asks, and receives.
    ///
    /// - Throws: ``CommandError`` if a person said no or stopped it; else what went wrong.
    func run(from locate: @escaping @Sendable () async throws -> SenderLocation) async throws {
        let control = TransferControl()
        let hasSession = Signpost()
        try await Interruption.watch(message: "Interrupted; nothing of it is in the store.") {
            control.cancel(reason: "interrupted there.")
            // Before there is a session, there is nobody to tell.
            return hasSession.isRaised
        } _: {
            let location = try await locate()
            hasSession.raise()
            try await receive(from: location, control)
        }
    }

    private func receive(from location: SenderLocation, _ control: TransferControl) async throws {
        let desk = OfferDesk(store: store, kinds: kinds, acceptsAll: acceptsAll, console: console)
        do {
            let result = try await transfer(from: location, control, desk)
            guard let region = desk.offeredRegion else { return }
            // It may have another name here.
            let name = (try? store.region(region.id).name) ?? region.name
            console.emit(ReceivedReport(regionID: region.id, regionName: name, result: result))
            console.note("See it with:  hikeshare show \(String(region.id.uuidString.prefix(8)))")
        } catch  where desk.wasDeclined {
            throw CommandError(.declined, "You said no; nothing was received.")
        }
    }

    private func transfer(
        from location: SenderLocation,
        _ control: TransferControl,
        _ desk: OfferDesk
    ) async throws -> TransferReceiver.Result {
        let (updates, continuation) = TransferUpdates.makeStream()
        let receiver = TransferReceiver(local: local, configuration: configuration)
        let sink = PartnerSink(store: store)
        let addresses =
            switch location {
            case .address(let address): [try await address.resolve()]
            case .peer(let peer): peer.addresses
            }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await ReceiverDisplay(on: console).follow(updates) }
            defer { continuation.finish() }
            return try await receiver.receive(
                from: addresses,
                expecting: expectedPeer(at: location),
                into: sink,
                control: control,
                updates: continuation
            ) { offer in
                sink.identify(offer.peer)
                return try await desk.decide(offer)
            }
        }
    }

    /// Who a peer is can only be told on an encrypted connection.
    private func expectedPeer(at location: SenderLocation) -> PeerID? {
        guard case .peer(let peer) = location, configuration.encryption == .required else { return nil }
        return peer.peerID
    }
}
