import FoundationEssentials
import PeerCore
import RegionStore

/// What came of importing a map.
struct MapImportReport: Report {
    var file: String
    var stored: StoredRegion
    var hasNewRouting: Bool

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                file: file,
                region: RegionPayload(stored.region),
                isNew: stored.isNew,
                routingImported: hasNewRouting,
                hasKnownTiles: stored.hasKnownTiles
            )
        ]
    }

    var text: DisplayText {
        let region = stored.region
        let what: DisplayText =
            "\(Wording.count(region.tileCount, "tile")), \(Wording.zoomWords(region.zoomLevels)), "
            + "\(Wording.extent(region.boundingBox)), \(Wording.size(region.mapSize))"
        let routing: DisplayText = hasNewRouting ? ", with routing" : ""
        guard stored.isNew else {
            return "Already in the store: \(region.name) (\(region.shortID))\(routing)\(warning)"
        }
        return "Imported \(region.name) (\(region.shortID)): \(what)\(routing)\(warning)"
    }

    private var warning: DisplayText {
        guard !stored.hasKnownTiles else { return "" }
        return """

            Warning: the first tiles are not PNG, JPEG, WebP or vector tiles, so the map may appear blank. \
            To check, open the file in the program that created it.
            """
    }

    private struct Payload: Encodable {
        var type = "importedMap"
        var file: String
        var region: RegionPayload
        var isNew: Bool
        var routingImported: Bool
        var hasKnownTiles: Bool
    }
}

/// A photo was given to a waypoint.
struct PhotoImportReport: Report {
    var file: String
    var region: RegionSummary
    var waypoint: Waypoint

    var payloads: [any Encodable & Sendable] {
        [Payload(file: file, regionID: region.id.uuidString, waypointID: waypoint.id.uuidString, label: waypoint.label)]
    }

    var text: DisplayText {
        "To \(region.name) (\(region.shortID)): photo of \(DisplayText(quoting: waypoint.label))"
    }

    private struct Payload: Encodable {
        var type = "importedPhoto"
        var file: String
        var regionID: String
        var waypointID: String
        var label: String
    }
}

/// What came of importing a GPX file.
struct GPXImportReport: Report {
    var file: String
    var imported: GPXImport

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                file: file,
                regionID: imported.region.id.uuidString,
                regionName: imported.region.name,
                hikes: imported.hikes,
                plannedRoutes: imported.plannedRoutes,
                waypoints: imported.waypoints
            )
        ]
    }

    var text: DisplayText {
        let kinds: [(ResourceKind, MergeCounts)] = [
            (.savedroutes, imported.hikes), (.plannedroutes, imported.plannedRoutes), (.waypoints, imported.waypoints),
        ]
        let parts = kinds.filter { $0.1.total > 0 }.map { kind, counts in
            let words = [
                counts.added > 0 ? "\(counts.added) added" : nil,
                counts.updated > 0 ? "\(counts.updated) updated" : nil,
                counts.unchanged > 0 ? "\(counts.unchanged) already there" : nil,
                counts.keptLocal > 0 ? "\(counts.keptLocal) kept with your edits" : nil,
            ].compactMap { $0 }
            return "\(kind.words(count: counts.total)) (\(words.joined(separator: ", ")))"
        }
        return "To \(imported.region.name) (\(imported.region.shortID)): \(parts.joined(separator: ", "))"
    }

    private struct Payload: Encodable {
        var type = "importedGPX"
        var file: String
        var regionID: String
        var regionName: String
        var hikes: MergeCounts
        var plannedRoutes: MergeCounts
        var waypoints: MergeCounts
    }
}
