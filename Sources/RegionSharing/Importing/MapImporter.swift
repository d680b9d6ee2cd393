package import RegionStore

/// Adds a map to the store, as a region of its own or in the place of an older map.
package struct MapImporter: Sendable {
    let store: RegionStore
    /// The name of the region; nil for that of the map.
    let name: String?
    /// The path of a routing database for the map; nil for none.
    let routing: String?
    /// Signs the map; nil for a map that stays unsigned.
    let signing: MapSigning?
    let person: any Person

    package init(
        store: RegionStore,
        name: String? = nil,
        routing: String? = nil,
        signing: MapSigning? = nil,
        person: any Person
    ) {
        (self.store, self.name, self.routing) = (store, name, routing)
        (self.signing, self.person) = (signing, person)
    }

    /// Copies and checks a map, without changing any region.
    func prepare(_ file: InputFile, by work: ImportWork) throws -> PreparedMap {
        defer { person.tell(.importing(.working(file: file.path, nil))) }
        return try store.prepareMap(at: file.location, called: file.path, name: name, routing: routing, by: work) {
            person.tell(.importing(.working(file: file.path, $0)))
        }
    }

    /// Adds a map as it was decided, and tells of it; nil if the map is left out.
    package func add(
        _ map: PreparedMap,
        of file: InputFile,
        _ decision: MapReplacement.Decision
    ) throws -> StoredRegion? {
        var stored: StoredRegion
        switch decision {
        case .replace(let older):
            stored = try map.store(updating: older.id, expecting: older.mapDigest, signed: signing?.sign)
        case .add(let name): stored = try map.store(named: name, signed: signing?.sign)
        case .leaveOut: return nil
        }
        if try signing?.withdraw(from: stored.region.id, in: store) == true {
            stored.region = try store.region(stored.region.id)
        }
        let imported = ImportedMap(file: file.path, stored: stored, hasNewRouting: routing != nil, givenName: name)
        person.tell(.importing(.map(imported)))
        try tellOfNamesakes(of: stored)
        return stored
    }

    /// Tells that a region has the map of a file already; nothing is stored, also if the region was removed meanwhile.
    package func tellOfKnown(_ file: InputFile, _ region: RegionSummary) {
        let stored = StoredRegion(known: region)
        person.tell(.importing(.map(ImportedMap(file: file.path, stored: stored, hasNewRouting: false))))
    }

    /// Copies and checks a map of another program, without changing any region.
    package func prepareForeign(_ file: InputFile, by work: ImportWork = ImportWork()) throws -> PreparedForeignMap {
        defer { person.tell(.importing(.working(file: file.path, nil))) }
        return try store.prepareForeignMap(
            at: file.location,
            called: file.path,
            as: file.kind.foreignFormat ?? .other,
            name: name,
            by: work,
            progress: { person.tell(.importing(.working(file: file.path, .bytes($0, of: $1)))) }
        )
    }

    /// Adds a map of another program as it is, and tells of it; `updated` is the region whose map it replaces.
    package func add(
        _ map: PreparedForeignMap,
        of file: InputFile,
        updating updated: RegionSummary? = nil
    ) throws -> StoredRegion {
        let stored = try map.store(updating: updated?.id, signed: signing?.sign)
        person.tell(.importing(.foreignMap(ImportedForeignMap(file: file.path, stored: stored))))
        if stored.isNew, let older = try olderVersion(of: stored.region) {
            person.tell(.importing(.sameFile(older)))
        }
        try tellOfNamesakes(of: stored)
        return stored
    }

    /// Returns another region whose map has the same name and kind; nil if there is none.
    private func olderVersion(of region: RegionSummary) throws -> RegionSummary? {
        try store.regions().first { other in
            other.id != region.id && other.foreign?.format == region.foreign?.format
                && other.foreign?.fileName == region.foreign?.fileName
        }
    }

    private func tellOfNamesakes(of stored: StoredRegion) throws {
        guard stored.isNew else { return }
        let count = try store.regions().count { $0.name == stored.region.name }
        if count > 1 { person.tell(.importing(.sameName(stored.region, count: count))) }
    }
}
