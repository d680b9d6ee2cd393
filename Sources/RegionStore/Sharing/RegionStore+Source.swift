public import FoundationEssentials
import GRDB
import Glibc
public import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Creates a source that offers a region as it is now.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - kinds: The kinds of resources to offer; nil for all. Kinds that the region does not have are left out.
    ///   - includeHealth: Whether heart rates, calories and other values of sensors are part of the hikes.
    /// - Returns: The source.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region,
    ///   `RegionStoreError.Code.invalidArgument` if it has none of the kinds.
    public func source(
        for id: UUID,
        kinds: Set<ResourceKind>? = nil,
        includeHealth: Bool = false
    ) throws -> RegionSource {
        try source(for: id, kinds: kinds, routes: .all, includeHealth: includeHealth)
    }

    /// Creates a source that offers a region, or some of its routes, as it is now.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of resources to offer; nil for all. Kinds that the region does not have are left out.
    ///   - includeHealth: Whether heart rates, calories and other values of sensors are part of the hikes.
    ///   - includePhotoDetails: Whether photos have what they say of the camera, the place and the time.
    ///   - includeOutside: Whether hikes, planned routes and waypoints are offered that do not lie in the part of the map.
    ///   - cut: The part of the map to offer; nil for the whole map.
    ///   - progress: Called with the number of written bytes of the part and their total number, both approximate.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region or route,
    ///   `RegionStoreError.Code.invalidArgument` if it has none of the kinds.
    package func source(
        for id: UUID,
        kinds: Set<ResourceKind>? = nil,
        routes: RouteSelection,
        includeHealth: Bool = false,
        includePhotoDetails: Bool = true,
        includeOutside: Bool = false,
        cut: CutRule? = nil,
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> RegionSource {
        guard let workspace = try folders.workspace("source-" + UUID().uuidString, in: folders.work) else {
            throw RegionStoreError(.storage, "The store \(path) is in use.")
        }
        let parts = RegionPartList.all.filter { kinds?.contains($0.kind) != false }
        // Nothing is collected between reading which files there are and holding them. The lock comes first: another
        // process that has it may be waiting for the readers of the database.
        var lock: FileLock? = try RegionStoreError.mapping("locked", "The store") {
            try FileLock(FileLock.name, in: folders.root, .shared)
        }
        var draft = try database.read { database in
            var draft = OfferDraft(
                try RegionStore.summary(id, database),
                of: self,
                in: workspace,
                routes: routes,
                includesHealth: includeHealth
            )
            draft.includesPhotoDetails = includePhotoDetails
            draft.place = includeOutside ? nil : try CutPlace(cut, of: draft.region)
            // The lists first: a route that is not there is reported before large files are written.
            for part in parts where part.form == .list { try part.read(into: &draft, database) }
            try draft.routeSearch.check()
            draft.outlineList = draft.outlines.outlines(of: id, database)
            for part in parts where part.form == .file { try part.read(into: &draft, database) }
            // Archives can take long to write.
            withExtendedLifetime(lock) {}
            lock = nil
            for part in parts where part.form == .archive { try part.read(into: &draft, database) }
            return draft
        }
        draft.cut = cut
        return try source(draft, includesOutside: includeOutside, progress)
    }

    private func source(
        _ draft: OfferDraft,
        includesOutside: Bool,
        _ progress: (Int64, Int64) -> Void
    ) throws -> RegionSource {
        var resources: [ResourceKind: RegionSource.Resource] = [:]
        for kind in ResourceKind.regionKinds { resources[kind] = try draft.resources[kind]?() }
        var summary = draft.region
        if draft.cut != nil, summary.foreign != nil { throw Self.isNotDrawn(summary) }
        if let rule = draft.cut, let map = resources[.mbtiles] {
            resources[.mbtiles] = try map.cut(rule, of: &summary, in: draft.workspace, folders, progress)
        }
        guard !resources.isEmpty else {
            throw RegionStoreError(.invalidArgument, "“\(draft.region.name)” has none of the parts to send.")
        }
        var region = summary.region
        // Nothing is shown of a part that is not offered.
        region.outlines = draft.outlineList.filter { resources[$0.kind] != nil }
        region.edits = draft.edits.edits
        for part in RegionPartList.all { part.describe(&region, isSent: resources[part.kind] != nil) }
        let entries = ResourceKind.regionKinds.compactMap { kind in
            resources[kind].map { resource in
                ManifestEntry(
                    name: ResourceName(kind: kind, id: region.id),
                    layout: resource.contents.layout,
                    digest: resource.contents.digest
                )
            }
        }
        return RegionSource(
            manifest: try Manifest(id: region.id, describing: region, entries: entries),
            personal: draft.personal,
            region: summary,
            resources: resources,
            workspace: draft.workspace,
            includesOutside: includesOutside,
            outside: draft.outside.mapValues(\.count)
        )
    }
}
