import HostNetwork
import NIOCore

/// The peers nearby, combined from single sightings.
///
/// A plain value. There is one sighting of a machine for each interface and IP version. Sightings with the same claimed id
/// are one peer, whatever their names. Sightings with different ids are different peers, even if their names are equal.
struct PeerDirectory: Sendable {
    /// The maximum number of sightings; it bounds the memory that machines on the network can fill with announcements.
    static let maximumSightings = 512

    private let ownID: PeerID?
    private let rankInterface: @Sendable (String?) -> InterfaceRank
    private var sightings: [String: PeerSighting] = [:]
    /// The keys of the sightings of each peer.
    private var keys: [DiscoveredPeer.ID: Set<String>] = [:]
    /// The rank of the interface of each sighting, at the time of the sighting.
    private var ranks: [String: InterfaceRank] = [:]
    /// Sightings above the maximum, the oldest first; the first is added when another sighting is lost.
    private var waiting: [PeerSighting] = []
    private var peers: [DiscoveredPeer.ID: DiscoveredPeer] = [:]

    init(ownID: PeerID?, rankInterface: @escaping @Sendable (String?) -> InterfaceRank = { InterfaceRank(of: $0) }) {
        self.ownID = ownID
        self.rankInterface = rankInterface
    }

    /// Adds or updates a sighting; above the maximum, a new sighting waits until another one is lost.
    mutating func seen(_ sighting: PeerSighting) -> [PeerBrowserEvent] {
        // A service that was sighted with another id may now have this machine's own.
        guard ownID == nil || sighting.info.peerID != ownID else { return lost(sighting.key) }
        guard sightings.count < Self.maximumSightings || sightings[sighting.key] != nil else {
            waiting.removeAll { $0.key == sighting.key }
            if waiting.count < Self.maximumSightings { waiting.append(sighting) }
            return []
        }
        let before = sightings.updateValue(sighting, forKey: sighting.key)
        if let before { forget(before) }
        keys[Self.id(sighting), default: []].insert(sighting.key)
        ranks[sighting.key] = rankInterface(sighting.interfaceName)
        var events: [PeerBrowserEvent] = []
        if let before, Self.id(before) != Self.id(sighting) { events += update(Self.id(before)) }
        return events + update(Self.id(sighting))
    }

    /// Removes a sighting.
    mutating func lost(_ key: String) -> [PeerBrowserEvent] {
        guard let before = sightings.removeValue(forKey: key) else {
            waiting.removeAll { $0.key == key }
            return []
        }
        ranks[key] = nil
        forget(before)
        let events = update(Self.id(before))
        return waiting.isEmpty ? events : events + seen(waiting.removeFirst())
    }

    private mutating func forget(_ sighting: PeerSighting) {
        let id = Self.id(sighting)
        keys[id]?.remove(sighting.key)
        if keys[id]?.isEmpty == true { keys[id] = nil }
    }

    private mutating func update(_ id: DiscoveredPeer.ID) -> [PeerBrowserEvent] {
        let before = peers[id]
        let now = peer(id, keys[id, default: []].compactMap { sightings[$0] })
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
            interfaceNames: [],
            localAddresses: ranked.filter(\.isLocal).map(\.address)
        )
        for sighting in ranked {
            if !peer.socketAddresses.contains(sighting.address) { peer.socketAddresses.append(sighting.address) }
            if let name = sighting.interfaceName, !peer.interfaceNames.contains(name) {
                peer.interfaceNames.append(name)
            }
        }
        return peer
    }
}

/// The rank of an address; addresses with a lower rank are tried first.
private struct AddressRank: Comparable {
    private let interface: InterfaceRank
    private let isLinkLocal: Bool
    private let isIPv6: Bool
    private let text: String

    /// Ranks an address.
    ///
    /// The kind of interface counts first. On the same kind of interface, addresses of a network come before link-local
    /// addresses, and IPv4 comes before IPv6.
    init(_ address: SocketAddress, over interface: InterfaceRank) {
        self.interface = interface
        self.isLinkLocal = address.host?.isLinkLocal ?? false
        if case .v6 = address { self.isIPv6 = true } else { self.isIPv6 = false }
        self.text = address.displayText
    }

    static func < (left: AddressRank, right: AddressRank) -> Bool {
        (left.interface.rawValue, left.isLinkLocal ? 1 : 0, left.isIPv6 ? 1 : 0, left.text)
            < (right.interface.rawValue, right.isLinkLocal ? 1 : 0, right.isIPv6 ? 1 : 0, right.text)
    }
}
