import FoundationEssentials
package import RegionStore

/// A region has another name.
package struct RenamedRegionReport: Report {
    /// The region before.
    package var region: RegionSummary
    package var name: String

    /// Creates the value.
    package init(region: RegionSummary, name: String) {
        self.region = region
        self.name = name
    }

    package var payloads: [JSONObject] {
        [["type": "renamedRegion", "regionID": region.id.uuidString, "regionName": name, "formerName": region.name]]
    }

    package var text: DisplayText { "\(region.name) is now called \(name)" }
}

/// A hike, planned route or waypoint has another name.
package struct RenamedItemReport: Report {
    package var region: RegionSummary
    /// The item before.
    package var item: ItemDescription
    package var name: String

    /// Creates the value.
    package init(region: RegionSummary, item: ItemDescription, name: String) {
        self.region = region
        self.item = item
        self.name = name
    }

    package var payloads: [JSONObject] {
        [item.json("renamedItem", of: region, name: name, formerName: item.name)]
    }

    package var text: DisplayText {
        "In \(region.name): \(item.title) is now called \(DisplayText(quoting: name))"
    }
}

/// A hike, planned route or waypoint was removed.
package struct RemovedItemReport: Report {
    package var region: RegionSummary
    package var item: ItemDescription
    /// What has become of the GPX file that 'hikeshare open' has made.
    package var copy = DesktopFolderRemoval.none

    /// Creates the value.
    package init(region: RegionSummary, item: ItemDescription, copy: DesktopFolderRemoval = DesktopFolderRemoval.none) {
        self.region = region
        self.item = item
        self.copy = copy
    }

    package var payloads: [JSONObject] { [item.json("removedItem", of: region, name: item.name)] }

    package var text: DisplayText {
        let removed: DisplayText = "Removed from \(region.name): \(item.title)"
        // That the file for map programs is gone, too, is no news: it is written again with the others.
        return ([removed] + (copy == .removed ? [] : copy.notes(of: "GPX files for map programs"))).joined(
            separator: "\n"
        )
    }
}

/// A waypoint was added.
package struct AddedWaypointReport: Report {
    package var added: AddedWaypoint

    /// Creates the value.
    package init(added: AddedWaypoint) {
        self.added = added
    }

    package var payloads: [JSONObject] {
        [
            [
                "type": "addedWaypoint",
                "regionID": added.region.id.uuidString,
                "regionName": added.region.name,
                "waypoint": added.waypoint.json(photo: nil),
            ]
        ]
    }

    package var text: DisplayText {
        let (region, waypoint) = (added.region, added.waypoint)
        return "Added to \(region.name): waypoint \(DisplayText(quoting: waypoint.label)), "
            + "\(Wording.position(waypoint.coordinate))"
    }
}

extension ItemDescription {
    /// The item of a region in JSON.
    fileprivate func json(
        _ type: String,
        of region: RegionSummary,
        name: String,
        formerName: String? = nil
    ) -> JSONObject {
        [
            "type": type,
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "kind": kind.rawValue,
            "id": id.uuidString,
            "name": name,
            "formerName": formerName,
        ]
    }
}

extension ItemDescription {
    /// The item in a sentence: `waypoint “Parking” (42.5730° N, 1.4840° E)`, `recorded hike “Estany” (4.9 km)`.
    package var title: DisplayText {
        let distinction = distance.map { Wording.distance($0) } ?? Wording.position(coordinate)
        return "\(kind.noun) \(DisplayText(quoting: name, width: .max)) (\(distinction))"
    }
}

/// A region that was removed.
package struct RemovalReport: Report {
    package var region: RegionSummary
    package var counts: RemovalCounts
    /// The file to which its hikes, planned routes and waypoints were written; nil if there is none.
    package var file: String?
    /// What has become of the copy that 'hikeshare open' has made.
    package var copy = DesktopFolderRemoval.none

    /// Creates the value.
    package init(
        region: RegionSummary,
        counts: RemovalCounts,
        file: String? = nil,
        copy: DesktopFolderRemoval = DesktopFolderRemoval.none
    ) {
        self.region = region
        self.counts = counts
        self.file = file
        self.copy = copy
    }

    package var payloads: [JSONObject] {
        [
            [
                "type": "removed",
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "hikes": counts.hikes,
                "plannedRoutes": counts.plannedRoutes,
                "waypoints": counts.waypoints,
                "exportedTo": file,
                "leftOut": counts.leftOut.isEmpty ? nil : counts.leftOut,
                "keptFolder": copy.keptFolder,
            ]
        ]
    }

    package var text: DisplayText {
        let removed: DisplayText = "Removed \(region.name): \(region.contents)"
        let written: [DisplayText] = file.map { ["Wrote \($0)"] + ExportReport.notes(counts.leftOut) } ?? []
        return (written + [removed] + copy.notes()).joined(separator: "\n")
    }
}

extension DesktopFolderRemoval {
    /// The folder in which something stays; nil if nothing does.
    package var keptFolder: String? {
        switch self {
        case .none, .removed: nil
        case .kept(let folder), .failed(let folder): folder
        }
    }

    /// Returns what a person should know of it.
    ///
    /// - Parameter files: The files to remove.
    /// - Returns: Lines; none if there was nothing.
    package func notes(of files: DisplayText = "Its files for map programs") -> [DisplayText] {
        switch self {
        case .none: []
        case .removed: ["\(files) were removed, too."]
        case .kept(let folder): ["Files for map programs that were changed since stay in \(folder)"]
        case .failed(let folder): ["\(files) could not be removed: \(folder)"]
        }
    }
}
