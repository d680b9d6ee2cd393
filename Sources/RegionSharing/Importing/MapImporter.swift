import FoundationEssentials
import RegionStore

/// Adds a map to the store, as a region of its own or in the place of an older map.
struct MapImporter: Sendable {
    var store: RegionStore
    /// The name of the region; nil for that of the map.
    var name: String?
    /// The path of a routing database for the map; nil for none.
    var routing: String?
    /// Signs the map; nil if nobody here says that the map is theirs.
    var signing: MapSigning?
    var console: Console

    /// Copies and checks a map, without changing any region.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - work: What the import may take.
    ///   - title: What a person sees beside the progress; nil for the import of the file.
    /// - Returns: The map.
    /// - Throws: `RegionStoreError` if the file is not a map, or cannot be copied.
    func prepare(
        _ file: InputFile,
        by work: ImportWork = ImportWork(),
        _ title: DisplayText? = nil
    ) throws -> PreparedMap {
        let progress = WorkProgress(title ?? "Importing \(file.path)", on: console)
        defer { progress.finish() }
        return try store.prepareMap(at: file.location, called: file.path, name: name, routing: routing, by: work) {
            step in
            switch step {
            case .bytes(let done, let total): progress.report(done, of: total)
            case .tiles(let done, let total):
                progress.report(Int64(done), of: Int64(total), "\(Wording.count(total, "tile"))")
            }
        }
    }

    /// Adds a map as it was decided, and reports it.
    ///
    /// - Parameters:
    ///   - map: The map.
    ///   - file: The file of the map.
    ///   - decision: What becomes of it.
    /// - Returns: The region; nil if the map is left out.
    /// - Throws: `RegionStoreError` if it cannot be added.
    func add(_ map: PreparedMap, of file: InputFile, _ decision: MapUpdate.Decision) throws -> StoredRegion? {
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
        console.emit(MapImportReport(file: file.path, stored: stored, hasNewRouting: routing != nil, givenName: name))
        try noteNamesakes(of: stored)
        return stored
    }

    /// Copies and checks a map of another program, without changing any region.
    ///
    /// - Throws: `RegionStoreError` if the file is no such map, or cannot be copied.
    func prepareSealed(_ file: InputFile) throws -> PreparedSealedMap {
        let progress = WorkProgress("Importing \(file.path)", on: console)
        defer { progress.finish() }
        return try store.prepareSealedMap(
            at: file.location,
            called: file.path,
            as: file.kind.sealedFormat ?? .other,
            name: name,
            progress: { progress.report($0, of: $1) }
        )
    }

    /// Adds a map of another program as it is, and reports it.
    ///
    /// - Parameters:
    ///   - map: The map.
    ///   - file: The file.
    ///   - updated: The region whose map it replaces; nil for none.
    /// - Returns: The region.
    /// - Throws: `RegionStoreError` if it cannot be added.
    func add(
        _ map: PreparedSealedMap,
        of file: InputFile,
        updating updated: RegionSummary? = nil
    ) throws -> StoredRegion {
        let stored = try map.store(updating: updated?.id, signed: signing?.sign)
        console.emit(SealedImportReport(file: file.path, stored: stored))
        if stored.isNew, let older = try olderVersion(of: stored.region) {
            console.note(
                """
                You have a file of this name already, as \(DisplayText(quoting: older.name)). To have only the new one, remove that \
                region; to replace its map, use --update.
                """,
                .perhapsNewer,
                "There is a file of this name already, as “\(older.name)”.",
                remedy: "To replace its map, use --update."
            )
        }
        try noteNamesakes(of: stored)
        return stored
    }

    /// Returns another region whose map has the same name and kind; nil if there is none.
    private func olderVersion(of region: RegionSummary) throws -> RegionSummary? {
        try store.regions().first { other in
            other.id != region.id && other.sealed?.format == region.sealed?.format
                && other.sealed?.fileName == region.sealed?.fileName
        }
    }

    private func noteNamesakes(of stored: StoredRegion) throws {
        let namesakes = try store.regions().count { $0.name == stored.region.name }
        if stored.isNew, namesakes > 1 {
            console.note(
                """
                You have \(namesakes) regions of this name now. To rename this one:  \
                \("hikeshare rename \(stored.region.shortID) NAME", .command)
                """,
                .sameName,
                "There are \(namesakes) regions with the name “\(stored.region.name)” now.",
                remedy: "To rename this one, run 'hikeshare rename \(stored.region.shortID) NAME'."
            )
        }
    }
}
