/// Who is there, put together from single sightings.
///
/// A pure value.
///
/// One machine gives a sighting for every interface and version of the internet protocol; sightings with the same
/// claimed identity are one peer, whatever names they carry. Equal names alone never make one peer of two.
struct PeerDirectory: Sendable {
    /// How many sightings are kept: anybody on the network can announce anything, without end.
    static let maximumSightings = 512

    private let ownID: PeerID?
    private let rankInterface: @Sendable (String?) -> InterfaceRank
    private var sightings: [String: PeerSighting] = [:]
    /// How likely the interface of each sighting leads to another machine, as it was when the sighting came.
    private var ranks: [String: InterfaceRank] = [:]
    /// Further sightings, the oldest first; one becomes a sighting when another one is lost.
    private var waiting: [PeerSighting] = []
    private var peers: [DiscoveredPeer.ID: DiscoveredPeer] = [:]

    /// Creates an empty directory.
    ///
    /// - Parameters:
    ///   - ownID: The id of this machine, which is left out.
    ///   - rankInterface: Says how likely the interface of a name leads to another machine.
    init(ownID: PeerID?, rankInterface: @escaping @Sendable (String?) -> InterfaceRank = { InterfaceRank(of: $0) }) {
        self.ownID = ownID
        self.rankInterface = rankInterface
    }

    /// Takes a sighting, new or changed; if there are too many, a new one waits until another one is lost.
    mutating func seen(_ sighting: PeerSighting) -> [PeerBrowserEvent] {
        guard ownID == nil || sighting.info.peerID != ownID else { return lost(sighting.key) }
        guard sightings.count < Self.maximumSightings || sightings[sighting.key] != nil else {
            waiting.removeAll { $0.key == sighting.key }
            if waiting.count < Self.maximumSightings { waiting.append(sighting) }
            return []
        }
        let before = sightings.updateValue(sighting, forKey: sighting.key)
        ranks[sighting.key] = rankInterface(sighting.interfaceName)
        var events: [PeerBrowserEvent] = []
        if let before, Self.id(before) != Self.id(sighting) { events += update(Self.id(before)) }
        return events + update(Self.id(sighting))
    }

    /// Forgets a sighting.
    mutating func lost(_ key: String) -> [PeerBrowserEvent] {
        guard let before = sightings.removeValue(forKey: key) else {
            waiting.removeAll { $0.key == key }
            return []
        }
        ranks[key] = nil
        let events = update(Self.id(before))
        return waiting.isEmpty ? events : events + seen(waiting.removeFirst())
    }

    private mutating func update(_ id: DiscoveredPeer.ID) -> [PeerBrowserEvent] {
        let before = peers[id]
        let now = peer(id, sightings.values.filter { Self.id($0) == id })
        peers[id] = now
        switch (before, now) {
        case (nil, let now?): return [.found(now)]
        case (let before?, let now?): return before == now ? [] : [.changed(now)]
        case (_?, nil): return [.lost(id)]
        case (nil, nil): return []
        }
    }

    private static func id(_ sighting: PeerSighting) -> DiscoveredPeer.ID {
        sighting.info.peerID?.hex ?? "name:" + sighting.instanceName
    }

    private func peer(_ id: DiscoveredPeer.ID, _ sightings: [PeerSighting]) -> DiscoveredPeer? {
        let ranked = sightings.map {
            (rank: AddressRank($0.address, over: ranks[$0.key] ?? .other), sighting: $0)
        }
        .sorted { ($0.rank, $0.sighting.key) < ($1.rank, $1.sighting.key) }
        .map(\.sighting)
        guard let first = ranked.first else { return nil }
        var peer = DiscoveredPeer(
            id: id,
            instanceName: first.instanceName,
            info: first.info,
            addresses: [],
            interfaceNames: []
        )
        for sighting in ranked {
            if !peer.addresses.contains(sighting.address) { peer.addresses.append(sighting.address) }
            if let name = sighting.interfaceName, !peer.interfaceNames.contains(name) {
                peer.interfaceNames.append(name)
            }
        }
        return peer
    }
}
