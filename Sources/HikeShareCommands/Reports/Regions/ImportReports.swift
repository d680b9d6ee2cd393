import FoundationEssentials
import PeerCore
import RegionStore

/// The result of importing a map.
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
                isUpdate: stored.isUpdate,
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
        if stored.isUpdate {
            let items: DisplayText = region.hasItems ? "; kept: \(region.itemWords)" : ""
            return "New map of \(region.name) (\(region.shortID)): \(what)\(routing)\(items)\(warning)"
        }
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
        var isUpdate: Bool
        var routingImported: Bool
        var hasKnownTiles: Bool
    }
}

/// A photo that was added to a waypoint.
struct PhotoImportReport: Report {
    var file: String
    var region: RegionSummary
    var waypoint: ItemDescription

    var payloads: [any Encodable & Sendable] {
        [Payload(file: file, regionID: region.id.uuidString, waypointID: waypoint.id.uuidString, label: waypoint.name)]
    }

    var text: DisplayText {
        "To \(region.name) (\(region.shortID)): photo of \(DisplayText(quoting: waypoint.name))"
    }

    private struct Payload: Encodable {
        var type = "importedPhoto"
        var file: String
        var regionID: String
        var waypointID: String
        var label: String
    }
}

/// The result of importing a GPX file.
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
                waypoints: imported.waypoints,
                leftOut: imported.leftOut.isEmpty ? nil : imported.leftOut
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
        let items =
            "To \(imported.region.name) (\(imported.region.shortID)): \(parts.joined(separator: ", "))" as DisplayText
        guard !imported.leftOut.isEmpty else { return items }
        let leftOut = imported.leftOut.map { DisplayText(escaping: $0) }.joined(separator: ", ")
        return items + "\nLeft out of \(file): \(leftOut)"
    }

    /// The warning about a file that is outside the area of the region that the person chose for it.
    static func outsideArea(_ file: String, _ region: RegionSummary) -> ProblemReport {
        let message = "\(file) is outside the area of “\(region.name)”. It was imported because you chose that region."
        return ProblemReport(CommandError(.unknownFile, message), severity: .warning)
    }

    private struct Payload: Encodable {
        var type = "importedGPX"
        var file: String
        var regionID: String
        var regionName: String
        var hikes: MergeCounts
        var plannedRoutes: MergeCounts
        var waypoints: MergeCounts
        var leftOut: [String]?
    }
}
