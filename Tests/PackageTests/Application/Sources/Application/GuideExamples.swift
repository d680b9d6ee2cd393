import PeerCore
import RegionStore

/// The code of the guide "Sending and receiving"; compiling it here checks the guide.
enum GuideExamples {
    static func send(_ source: some ResourceSource, as local: LocalPeer) async throws {
        try await PeerListener.with(local: local) { listener in
            let info = DiscoveryInfo(peerID: local.id, displayName: local.displayName)
            try await PeerAdvertiser(serviceType: local.application).withAdvertisement(
                instanceName: local.displayName,
                port: listener.port,
                info: info
            ) { _ in
                try await TransferSender(local: local, source: source).serve(
                    on: listener,
                    decide: { invitation in
                        invitation.peer.trust == .unknown ? .decline(Refusal(.notTrusted, "Unknown peer.")) : .accept
                    },
                    finished: { transfer in
                        if case .success = transfer.result { false } else { true }
                    }
                )
            }
        }
    }

    static func receive(into sink: some ResourceSink, as local: LocalPeer) async throws -> TransferReceiver.Result? {
        let peer = try await PeerBrowser(serviceType: local.application, ownID: local.id).withEvents {
            events -> DiscoveredPeer? in
            for await event in events {
                if case .found(let peer) = event { return peer }
            }
            return nil
        }
        guard let peer else { return nil }
        return try await TransferReceiver(local: local).receive(
            from: peer.addresses,
            expecting: peer.peerID,
            into: sink
        ) { offer in
            .accept(Set(offer.manifest.entries.map(\.kind)))
        }
    }

    // What a person reads of an offer. Each application describes its offers in its own way; a region has this key, too.
    struct OfferName: Codable {
        var name: String
    }

    static func receiveShowingProgress(
        from peer: DiscoveredPeer,
        into store: RegionStore,
        as local: LocalPeer,
        answer: @escaping @Sendable (String, UInt64) async -> Bool
    ) async throws -> TransferReceiver.Result {
        let (updates, continuation) = TransferUpdates.makeStream()
        async let _: Void = {
            for await update in updates {
                guard case .transfer(.transferring(let progress)) = update.event else { continue }
                print("\(Int(progress.fraction * 100)) %")
            }
        }()
        defer { continuation.finish() }
        return try await TransferReceiver(local: local, trust: store.trustedPeers).receive(
            from: peer.addresses,
            expecting: peer.peerID,
            into: store.sink(),
            updates: continuation
        ) { offer in
            let name = try offer.manifest.description(as: OfferName.self).name
            guard await answer(name, offer.manifest.totalSize) else { return .decline(Refusal(.declined, "Not now.")) }
            return .accept(Set(offer.manifest.entries.map(\.kind)))
        }
    }

    static func receiveFromEachOnce(
        as local: LocalPeer,
        receive: @escaping @Sendable (DiscoveredPeer) async throws -> Void
    ) async throws {
        try await PeerBrowser(serviceType: local.application, ownID: local.id).withEvents { events in
            var begun: Set<String> = []
            for await event in events {
                switch event {
                case .found(let peer): if begun.insert(peer.id).inserted { try await receive(peer) }
                case .lost(let id): begun.remove(id)
                default: break
                }
            }
        }
    }
}
