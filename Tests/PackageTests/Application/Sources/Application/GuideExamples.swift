import PeerCore

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
}
