import FoundationEssentials
import PeerProtocol
import PeerStorage
import RegionModel
import TrackFiles

/// The items of an offer that lie in a part of its map.
struct ItemCut {
    let place: CutPlace
    let workspace: StoreWorkspace
    /// The resources of the offer.
    var resources: [ResourceKind: RegionSource.Resource]
    /// What of the items that lie in the part concerns a person.
    var personal = PersonalContent()
    /// The items that lie elsewhere.
    var outside: [ResourceKind: Set<UUID>] = [:]
}

extension ItemListPart {
    /// Writes the items of an offer that lie in the part to a list of their own, if any lies elsewhere.
    func cut(_ source: RegionSource, _ cut: inout ItemCut) throws {
        let name = "The \(title)"
        let file = try RegionStoreError.mapping("written", name) { [workspace = cut.workspace] () throws(SystemError) in
            try workspace.folder.createFile(kind.rawValue)
        }
        var list = ItemListWriter(to: file, atMost: ItemCoding.maximumSize)
        var itemCount = 0
        try source.forEach(self) { (item: Item) in
            guard lies(item, in: cut.place) else {
                cut.outside[kind, default: []].insert(item.id)
                return
            }
            count([item], in: &cut.personal)
            itemCount += 1
            try list.append(item)
        }
        guard cut.outside[kind] != nil else { return }
        try list.finish()
        guard itemCount > 0 else {
            cut.resources[kind] = nil
            return
        }
        let path = cut.workspace.folder.path(of: kind.rawValue)
        cut.resources[kind] = RegionSource.Resource(
            content: try Self.content(of: file, at: path, called: name),
            contents: try FileDigester().digest(file, path: name)
        )
    }
}

extension PhotosPart {
    /// Writes the photos of the waypoints that lie in the part to an archive of their own, if any lies elsewhere.
    func cut(_ source: RegionSource, _ cut: inout ItemCut) throws {
        guard source.manifest.entry(of: .waypoints) != nil else {
            // Without the list, nothing says where they were taken.
            cut.resources[kind] = nil
            return
        }
        guard let outside = cut.outside[.waypoints], let photos = try source.photos() else {
            cut.personal.addPhotos(of: source.personal)
            return
        }
        let name = "The \(title)"
        let path = cut.workspace.folder.path(of: kind.rawValue)
        let file = try RegionStoreError.mapping("written", name) { [workspace = cut.workspace] () throws(SystemError) in
            try workspace.folder.createFile(kind.rawValue)
        }
        var writer = PhotoArchive.Writer(to: file)
        for entry in photos.entries.values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where !outside.contains(entry.waypointID) {
            guard let photo = try PhotoReader(entry, of: photos.file) else { continue }
            try cut.personal.add(photo)
            try writer.append(photo, of: entry.waypointID, modifiedAt: entry.modifiedAt)
        }
        cut.resources[kind] =
            writer.size == 0
            ? nil
            : RegionSource.Resource(content: .file(path: path), contents: try FileDigester().digest(file, path: path))
    }
}

extension WaypointsPart {
    func lies(_ waypoint: Waypoint, in place: CutPlace) -> Bool { place.contains(waypoint.coordinate) }
}

extension PlannedRoutesPart {
    func lies(_ route: PlannedRoute, in place: CutPlace) -> Bool { place.contains(route.coordinates, of: kind) }
}

extension SavedRoutesPart {
    func lies(_ hike: SavedRoute, in place: CutPlace) -> Bool {
        let line = try? TrackCodec.decode(hike.trackData, startTime: nil).map(\.coordinate)
        return line.map { place.contains($0, of: kind) } ?? false
    }
}
