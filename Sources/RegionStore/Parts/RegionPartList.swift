package import PeerProtocol

/// The kinds of resources that a region can have.
enum RegionPartList {
    /// One part for each kind, in the order in which they are sent.
    ///
    /// A new kind is registered here.
    static let all: [any RegionPart] = [
        MapPart(),
        ForeignPart(),
        RoutingPart(),
        SavedRoutesPart(),
        PlannedRoutesPart(),
        WaypointsPart(),
        PhotosPart(),
    ]
}

extension ResourceKind {
    /// The kinds that a region has, in the order in which they are sent.
    package static let regionKinds = RegionPartList.all.map(\.kind)

    /// The kinds that are files of a region.
    package static let regionFiles = RegionPartList.all.filter { $0.form == .file }.map(\.kind)

    /// The kinds that can be the map of a region.
    package static let regionMaps: [ResourceKind] = [.mbtiles, .foreign]

    /// The kinds of hikes and planned routes.
    package static let regionRoutes: [ResourceKind] = [.savedroutes, .plannedroutes]

    /// The part of this kind; nil if regions have no such kind.
    var part: (any RegionPart)? { RegionPartList.all.first { $0.kind == self } }

    /// Whether resources of the kind become files of the store.
    var isFile: Bool { part?.form == .file }

    /// Whether the received part of the resource is kept for the next transfer if this one fails.
    ///
    /// Lists are not kept, because they are small.
    var isKeptUnfinished: Bool { part.map { $0.form != .list } ?? false }

    /// The name of the kind in messages.
    var title: String { part?.title ?? rawValue }
}

extension ManifestEntry {
    /// Whether the resource can create a region.
    var definesRegion: Bool { kind.part?.definesRegion == true }
}
