public import FoundationEssentials
import GRDB
import Glibc
public import PeerProtocol
import PeerStorage

extension RegionStore {
    /// Prepares a region to be sent, as it is now.
    ///
    /// - Parameters:
    ///   - id: The region.
    ///   - kinds: What to send of it; nil for all. Kinds of which the region has nothing are left out.
    ///   - routes: Which of its hikes and planned routes to send.
    ///   - includeHealth: Whether heart rates and calories go too.
    /// - Returns: The region, to be offered.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if there is no such region,
    ///   or a route that was named, ``RegionStoreError/Code/invalidArgument`` if nothing is left to send.
    public func source(
        for id: UUID,
        kinds: Set<ResourceKind>? = nil,
        routes: RouteSelection = .all,
        includeHealth: Bool = false
    ) throws -> RegionSource {
        guard let workspace = try folders.workspace("source-" + UUID().uuidString, in: folders.work) else {
            throw RegionStoreError(.storage, "The store \(path) is in use.")
        }
        do {
            let parts = RegionParts.all.filter { kinds?.contains($0.kind) != false }
            // Nothing is collected between reading which files there are and holding them. The lock comes first: another
            // process that has it may be waiting until nobody reads the database.
            var lock: FileLock? = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
                try FileLock(StoreFolders.lockName, in: folders.root, .shared)
            }
            let draft = try database.read { database in
                var draft = OfferDraft(
                    try RegionStore.summary(id, database),
                    of: self,
                    in: workspace,
                    routes: routes,
                    includesHealth: includeHealth
                )
                // The lists first: a route that is not there is reported before large files are written.
                for part in parts where part.form == .list { try part.read(into: &draft, database) }
                try draft.routeSearch.check()
                for part in parts where part.form == .file { try part.read(into: &draft, database) }
                // Archives can take long to write.
                withExtendedLifetime(lock) {}
                lock = nil
                for part in parts where part.form == .archive { try part.read(into: &draft, database) }
                return draft
            }
            return try source(draft)
        } catch {
            workspace.remove()
            throw error
        }
    }

    private func source(_ draft: OfferDraft) throws -> RegionSource {
        var resources: [ResourceKind: RegionSource.Resource] = [:]
        for kind in ResourceKind.regionKinds { resources[kind] = try draft.resources[kind]?() }
        guard !resources.isEmpty else {
            throw RegionStoreError(.invalidArgument, "“\(draft.region.name)” has none of the parts to send.")
        }
        var region = draft.region.region
        for part in RegionParts.all { part.describe(&region, isSent: resources[part.kind] != nil) }
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
            resources: resources,
            workspace: draft.workspace
        )
    }
}
