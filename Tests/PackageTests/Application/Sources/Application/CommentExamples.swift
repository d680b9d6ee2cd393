import NIOCore
import PeerCore
import RegionStore

/// The examples in comments of the libraries that no other file here has; `DocumentTests` compares them with the comments.
enum CommentExamples {
    actor Friends: TrustStore {
        private var names: [PeerID: String] = [:]

        func trust(of id: PeerID, callingItself name: String) -> PeerTrust {
            if let friend = names[id] { return .trusted(name: friend) }
            let taken = names.values.first { PeerName.areAlike($0, name) }
            return taken.map { .impostor(name: $0) } ?? .unknown
        }

        func pin(_ id: PeerID, name: String) { names[id] = name }
    }

    static func question(about peer: RemotePeer) -> String {
        switch peer.trust {
        case .trusted(let name), .known(let name): "Send to \(name)?"
        case .unknown: "Send to a new machine that calls itself \(peer.displayName.debugDescription)?"
        case .impostor(let name): "This machine is not \(name)."
        @unknown default: "Send to this machine?"
        }
    }

    /// Applications make errors of their own.
    static func closed() -> PeerError {
        PeerError(.busy, "The kitchen is closed.", remedy: "Come back at six.")
    }

    static func located(
        _ missing: ChunkRuns,
        read: @escaping @Sendable (Range<UInt64>) throws -> ByteBuffer
    ) -> LocatedChunks {
        let older = DeltaBasis(chunks: missing) { range in try read(range) }
        return LocatedChunks(missing: missing, older: older)
    }

    static func presence(of manifest: Manifest, in stored: Set<ContentDigest>) -> [ResourceKind: LocalPresence] {
        var presence: [ResourceKind: LocalPresence] = [:]
        for entry in manifest.entries where stored.contains(entry.digest) {
            presence[entry.kind] = .whole(LocatedChunks(missing: .none))
        }
        return presence
    }

    static func receipt() -> TransferReceipt { TransferReceipt(imported: ["notes": 3], keptLocal: ["notes": 1]) }

    static func warn(about peer: RemotePeer) {
        if peer.security.certifiedID == nil { print("Anyone on this network can read and change the data.") }
    }

    static func makeLink(to local: LocalPeer, at addresses: [PeerAddress], for application: PeerServiceType) throws {
        let link = try ShareLink(for: application, addresses: addresses, id: local.id, token: .random())
        print(link.text)
    }

    static func makeNetwork(for application: PeerServiceType) {
        let network = ShareLinkNetwork.random()
        print(network.name(for: application), network.password)  // hikeshare-7K3M mk4t-9rwb-x7hq
    }

    static func follow(_ listener: PeerListener, show: ([String]) -> Void) async {
        for await addresses in listener.addressChanges() { show(addresses) }
    }

    static func receive(from peer: DiscoveredPeer, into sink: some ResourceSink, as local: LocalPeer) async throws {
        let result = try await TransferReceiver(local: local).receive(retrying: 10, from: peer.addresses, into: sink) {
            offer in
            .accept(Set(offer.manifest.entries.map(\.kind)))
        }
        print(result.receipt.imported)
    }

    static func overview() throws -> RegionSource {
        let store = try RegionStore(path: "/home/anna/maps")
        let imported = try store.importMap(at: "coma-pedrosa.mbtiles")
        let source = try store.source(for: imported.region.id)
        return source
    }

    static func list(in folder: String) throws {
        let store = try RegionStore(path: folder)
        let region = try store.importMap(at: "alps.mbtiles").region
        try store.importGPX(at: "hike.gpx", into: region.id)
        for region in try store.regions() { print(region.name, region.hikeCount) }
    }

    static func find(in store: RegionStore) throws {
        let region = try store.region(matching: "coma")
        print("\(region.name), zoom levels \(region.zoomLevels), \(region.mapSize) bytes")
    }

    static func offer(_ region: RegionSummary, of store: RegionStore) throws {
        let source = try store.source(for: region.id, kinds: [.mbtiles, .waypoints])
        print("This sends \(source.personal.notes) notes.")
    }

    static func receive(into store: RegionStore, from peer: DiscoveredPeer, as local: LocalPeer) async throws {
        let receiver = TransferReceiver(local: local, trust: store.trustedPeers)
        let result = try await receiver.receive(from: peer.addresses, into: store.sink()) { offer in
            .accept(Set(offer.manifest.entries.map(\.kind)))
        }
        print(result.receipt.imported)
    }

    static func keepItems(of store: RegionStore) -> RegionSink {
        // Takes maps and hikes, and keeps those that are here.
        let sink = store.sink(wanting: [.mbtiles, .savedroutes], replacesItems: false)
        return sink
    }

    static func trust(_ peer: RemotePeer, in store: RegionStore) throws {
        try store.trustedPeers.pin(peer.id, name: "Anna")
        for peer in try store.trustedPeers.all() { print(peer.name, peer.pinnedAt) }
    }

    static func importMap(into store: RegionStore) throws {
        let imported = try store.importMap(at: "coma-pedrosa.mbtiles")
        print(imported.isNew ? "Imported \(imported.region.name)." : "\(imported.region.name) is in the store already.")
    }

    static func importTracks(into store: RegionStore) throws {
        let imported = try store.importGPX(at: "hike.gpx")
        print("To \(imported.region.name): \(imported.hikes.imported) hikes, left out: \(imported.leftOut)")
    }

    static func exportTracks(of region: RegionSummary, in store: RegionStore) throws {
        let exported = try store.exportGPX(of: region.id, to: "coma-pedrosa.gpx")
        for item in exported.leftOut { print("Cannot be read: \(item)") }
    }

    static func remove(_ region: RegionSummary, from store: RegionStore) throws {
        let removed = try store.remove(region.id, asSeen: region)
        print("Removed \(region.name) with \(removed.hikes) hikes and \(removed.waypoints) waypoints.")
    }

    static func listPhotos(of region: RegionSummary, in store: RegionStore) throws {
        for photo in try store.photos(of: region.id) { print("\(photo.format.rawValue), \(photo.size) bytes") }
    }

    static func localPeer() throws -> LocalPeer {
        let application = try PeerServiceType(validating: "notes")
        let identity = try PeerIdentity.load(orCreateAt: "/home/anna/.notes/identity.pem", for: application)
        return LocalPeer(application: application, identity: identity, displayName: "Anna", software: "notes 1")
    }

    static func stop() -> TransferControl {
        let control = TransferControl()
        control.cancel(reason: "The battery is low.")
        return control
    }

    static func follow(_ updates: TransferUpdates) async {
        for await update in updates {
            if case .transfer(.transferring(let progress)) = update.event { print("\(Int(progress.fraction * 100)) %") }
        }
    }

    static func retry(_ transfer: () async throws -> Void) async throws {
        do {
            try await transfer()
        } catch let error as PeerError where error.code == .connectionLost {
            try await transfer()
        }
    }
}
