package import HostNetwork
public import PeerCore
public import RegionStore

/// The offer of a sender, before anything is received, and what it would do to the store.
public struct OfferFacts: Sendable {
    /// The sender.
    public var peer: RemotePeer
    /// The offered region.
    public var region: Region
    /// What is offered of it.
    public var entries: [ManifestEntry]
    /// The offered kinds that are wanted.
    public var wanted: Set<ResourceKind>
    /// The digits that people compare; nil for none.
    public var digits: PairingDigits?
    /// The region of this store to which the offer is added; nil if there is none.
    public var local: RegionSummary?
    /// What the sender has edited or removed of it.
    package var edits: [OfferedEdit] = []
    /// Whether local hikes, routes, waypoints and photos stay even if newer versions arrive.
    public var itemsStay = false
    /// The selected hikes and planned routes.
    package var routes = RouteSelection.all
    /// Who has imported the offered map; nil if that is not known.
    package var maker: MapMaker?
    /// Who has imported the map of this store; nil if that is not known.
    package var localMaker: MapMaker?
    /// Whether a part of the map was asked for.
    public var asksForPart = false
    /// The number of bytes to transfer; nil if the store has no part of the offer, or if the number is unknown.
    public var estimate: TransferEstimate?
    /// What the offered map would do to that of the region; nil if it would stay, or if that is not known.
    package var change: MapChange?
    /// The hikes and planned routes of this store on which they lie; nil if there are none, or if that is not known.
    package var changedRoutes: ChangedRoutes?
    /// What the sender says of its network and of this side's place; nil if it says nothing.
    public var turn: TransferTurn?
    /// The network of this machine; nil if nothing is known of it.
    package var network: NetworkRate?
    package var hasCableSocket = false

    /// The local files that would be replaced; nil if the region is not in this store.
    package var replacement: RegionReplacement? {
        local.map { RegionReplacement(of: $0, by: region, entries: entries, wanted: wanted, change: change) }
    }

    /// The kinds of local files that would be replaced.
    public var replacedFiles: Set<ResourceKind> { replacement?.files ?? [] }

    /// Whether files would be replaced by files of a different area.
    public var replacesAnotherPlace: Bool { replacement?.coversAnotherArea ?? false }

    /// Whether the store has all of it already, so that there is nothing to ask a person about.
    public var hasNothingNew: Bool {
        // Of a part of another map, the sender only says that nothing is new.
        guard digits == nil, local?.id == region.id, replacedFiles.isEmpty, change?.union == nil, let estimate else {
            return false
        }
        return estimate.byteCount(of: wanted) == 0 && !estimate.isLimit(for: wanted)
    }

    /// The size of the selected parts.
    public var size: UInt64 { entries.filter { wanted.contains($0.kind) }.reduce(0) { $0 + $1.size } }

    /// How long it takes.
    public var time: TransferTime {
        TransferTime(
            bytes: min(size, estimate?.byteCount(of: wanted) ?? size),
            offered: entries.reduce(0) { $0 + $1.size },
            here: network,
            there: turn,
            hasCableSocket: hasCableSocket
        )
    }

    /// Whether a map is among what is wanted.
    public var hasMap: Bool { ResourceKind.regionMaps.contains { wanted.contains($0) } }

    /// What the offered map would do to that of the region; nil if the map stays, or if that is not known.
    package var knownChange: MapChange? { replacedFiles.contains(.mbtiles) ? change : nil }

    /// Whether the map of the region has all tiles of the offered part.
    public var hasAllOfPart: Bool {
        wanted.contains(.mbtiles) && region.cut != nil && change?.union?.isNothing == true
    }
}

extension Set<ResourceKind> {
    /// Those of the kinds that can be stored; photos need their waypoints.
    func withPlaces(in local: RegionSummary?) -> Self {
        contains(.waypoints) || local?.waypointCount ?? 0 > 0 ? self : subtracting([.photos])
    }
}

extension RemotePeer {
    /// Whether the peer is trusted and has proved its id, or was named by a share link.
    var isKnown: Bool { isTrusted || isAdmittedByShareLink }

    /// Whether the peer is trusted and has proved its id.
    public var isTrusted: Bool { if case .trusted = trust { security.certifiedID == id } else { false } }
}

extension Refusal {
    /// A person at the receiver has declined.
    static let byPerson = Refusal(.declined, "the person there said no.")
}
