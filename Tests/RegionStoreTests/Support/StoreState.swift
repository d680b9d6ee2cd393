import Foundation

@testable import RegionStore

/// Everything that a store holds, to be compared.
struct StoreState: Equatable {
    var regions: [RegionSummary]
    var hikes: [[SavedRoute]]
    var plannedRoutes: [[PlannedRoute]]
    var waypoints: [[Waypoint]]
    var photos: [[UUID: Data]]
    var files: [String: Data]

    init(of store: RegionStore) throws {
        let regions = try store.regions()
        self.regions = regions.map { region in
            // The time of the import or of the reception.
            var region = region
            region.addedAt = .distantPast
            return region
        }
        hikes = try regions.map { try store.hikes(of: $0.id) }
        plannedRoutes = try regions.map { try store.plannedRoutes(of: $0.id) }
        waypoints = try regions.map { try store.waypoints(of: $0.id) }
        photos = try regions.map { try store.photoData(of: $0.id) }
        files = [:]
        // An index of tiles is derived: it may be missing at any moment.
        for name in try Self.files(in: store, "regions") where !name.hasSuffix(".tiles") {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: store.path + "/" + name))
        }
    }

    /// The paths of all files in a folder of the store, and of its empty folders.
    static func files(in store: RegionStore, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store.path + "/" + folder).map { folder + "/" + $0 }
            .filter { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: store.path + "/" + path, isDirectory: &isFolder)
                let isEmpty = (try? FileManager.default.contentsOfDirectory(atPath: store.path + "/" + path).isEmpty)
                return !isFolder.boolValue || isEmpty == true
            }
            .sorted()
    }
}

extension RegionStore {
    /// Puts items into a region, as an import does.
    func add<Item: RegionItem>(_ items: [Item], to regionID: UUID) throws {
        _ = try database.write { try RegionItemRecord<Item>.merge(items, into: regionID, $0) }
    }
}
