import FoundationEssentials
package import PeerCore
package import RegionStore

/// An import of maps, routing databases, tracks and photos.
///
/// Each goes to the region on whose map it lies, unless a person says something else.
package struct Import: Sendable {
    let files: ImportFiles
    let store: RegionStore
    let person: any Person
    /// The name of the region of the only map; nil for that of the map.
    package var name: String?
    /// The path of a routing database for the only map; nil for none.
    package var routing: String?
    /// The region to which tracks, waypoints and photos are added; nil for those on whose maps they lie.
    package var target: RegionSummary?
    /// The region whose map the only map replaces; nil for none.
    package var updated: RegionSummary?
    /// The waypoint that the only photo shows; nil to find it.
    package var waypoint: String?
    /// Whether a photo may replace another one.
    package var replacesPhotos = false
    /// Who decides whether a map replaces another one.
    package var consent = Consent.knownMachines
    /// Whether maps are signed from now on; nil for what was said before.
    package var signs: Bool?
    /// The id of this machine; nil if it has none yet.
    package var ownID: PeerID?
    /// Returns this machine, by the name with which it signs.
    package var localPeer: @Sendable () async throws -> LocalPeer

    /// Creates an import of files into a store.
    package init(
        _ files: ImportFiles,
        into store: RegionStore,
        person: any Person,
        as localPeer: @escaping @Sendable () async throws -> LocalPeer
    ) {
        (self.files, self.store, self.person, self.localPeer) = (files, store, person, localPeer)
    }

    /// Imports the files.
    ///
    /// One that cannot be imported does not affect the others.
    package func run() async throws -> ImportSummary {
        var done = ImportSummary(refusals: files.refusals)
        let maps = try await importMaps(&done)
        for file in files.readable where file.kind == .routing {
            let place = target.map { [NameKey(ofFile: file.path): $0.id] } ?? maps
            let store = store
            let result = try await done.refusals.collect(.routing, file) {
                try await file.work().onOwnThread { work in
                    try store.importRouting(at: file.location, called: file.path, beside: place, by: work)
                }
            }
            guard let (region, isNew) = result.map({ ($0.region, $0.isNew) }) else { continue }
            person.tell(.importing(.routing(ImportedRouting(file: file.path, region: region, isNew: isNew))))
            done.touched.insert(region.id)
        }
        // With one map, track files most likely belong to it. With several maps, only the area decides.
        let preferred = files.kinds.count { $0 == .map } == 1 ? maps.values.first : nil
        for file in files.readable where file.kind == .tracks {
            let regions = try await done.refusals.collect(.tracks(hasRegion: target != nil), file) {
                try await OwnThread.run { try importTracks(file, preferring: preferred) }
            }
            done.touched.formUnion(regions ?? [])
        }
        try await importPhotos(target?.id ?? preferred, &done)
        done.leftOut += files.readable.filter { $0.kind == .other }
            .map { LeftOutFile(path: $0.path, why: .unknown($0.reason)) }
        done.regions = try done.touched.map { try store.region($0) }
        return done
    }

    /// Imports the maps; returns the regions of those with tiles, by the names of their files.
    private func importMaps(_ done: inout ImportSummary) async throws -> [NameKey: UUID] {
        guard files.kinds.contains(where: { $0 == .map || $0.foreignFormat != nil }) else { return [:] }
        let signing = try await MapSigning(signs, in: store, ownID: ownID, person: person, as: localPeer)
        let importer = MapImporter(store: store, name: name, routing: routing, signing: signing, person: person)
        var regions: [NameKey: UUID] = [:]
        let maps = files.readable.filter { $0.kind == .map } + files.readable.filter { $0.kind.foreignFormat != nil }
        for file in maps {
            let result = try await done.refusals.collect(.map, file) {
                file.kind == .map
                    ? try await importMap(file, by: importer) : try await importForeign(file, by: importer)
            }
            // Not refused.
            guard let decided = result else { continue }
            guard let id = decided else {
                done.leftOut.append(LeftOutFile(path: file.path, why: .declined))
                continue
            }
            if file.kind == .map { regions[NameKey(ofFile: file.path)] = id }
            done.touched.insert(id)
        }
        try signing.tell(of: done.touched.map { try store.region($0) }, in: store, person)
        return regions
    }

    private func importMap(_ file: InputFile, by importer: MapImporter) async throws -> UUID? {
        guard try await LargeMap.confirm(file, in: store, person) else { return nil }
        let map = try await file.work().onOwnThread { try importer.prepare(file, by: $0) }
        try updated.map { try map.checkFit(to: $0) }
        var decision = MapReplacement.Decision.add(name: nil)
        if let local = try updated ?? map.olderVersion() {
            decision = try await decide(on: ImportedMapFacts(map), file, of: local, by: importer)
        }
        let decided = decision
        return try await OwnThread.run { try importer.add(map, of: file, decided)?.region.id }
    }

    private func importForeign(_ file: InputFile, by importer: MapImporter) async throws -> UUID? {
        let map = try await file.work().onOwnThread { try importer.prepareForeign(file, by: $0) }
        if let updated {
            try map.checkFit(to: updated)
            let decision = try await decide(on: ImportedMapFacts(map), file, of: updated, by: importer)
            guard case .replace = decision else { return nil }
        }
        let updated = updated
        return try await OwnThread.run { try importer.add(map, of: file, updating: updated).region.id }
    }

    private func decide(
        on map: ImportedMapFacts,
        _ file: InputFile,
        of local: RegionSummary,
        by importer: MapImporter
    ) async throws -> MapReplacement.Decision {
        let signer = importer.signing?.signer
        return try await MapReplacement(
            file.path,
            map,
            of: local,
            isWished: updated != nil,
            signer: signer,
            ownID: signer ?? ownID,
            in: store
        ).decide(consent, person)
    }

    /// Imports a file of tracks; returns the regions to which something of it belongs.
    private func importTracks(_ file: InputFile, preferring preferred: UUID?) throws -> [UUID] {
        let imported = try store.importGPX(
            at: file.location,
            called: file.path,
            into: target?.id,
            preferring: preferred
        )
        let parts = ImportedTracks.all(imported, of: file.path)
        for part in parts { person.tell(.importing(.tracks(part))) }
        if let damage = imported.damage { person.tell(.importing(.damagedTracks(file: file.path, damage))) }
        // Items that are there already are recognised wherever they are.
        if target != nil, imported.isOutsideArea {
            person.tell(.importing(.tracksOutside(file: file.path, imported)))
        }
        return parts.map(\.imported.region.id)
    }

    private func importPhotos(_ regionID: UUID?, _ done: inout ImportSummary) async throws {
        let photos = files.readable.filter { $0.kind == .photo }
        let importer = PhotoImporter(store: store, regionID: regionID, isReplacing: replacesPhotos, person: person)
        if let waypoint, let photo = photos.first { return try importer.run(photo, of: waypoint) }
        done.leftOut += try await importer.run(photos, isNamed: files.isNamed, &done.refusals)
    }
}
