import FoundationEssentials
import RegionSharing
package import RegionStore

/// What has become of regions, and of what is in them.
extension Report where Self == PlainReport {
    /// A region has another name.
    package static func renamed(_ region: RegionSummary, to name: String) -> Self {
        Self(
            ["type": "renamedRegion", "regionID": region.id.uuidString, "regionName": name, "formerName": region.name],
            "\(region.name) is now called \(name)"
        )
    }

    /// A hike, planned route or waypoint has another name.
    package static func renamed(_ item: ItemDescription, of region: RegionSummary, to name: String) -> Self {
        Self(
            item.json("renamedItem", of: region, name: name, formerName: item.name),
            "In \(region.name): \(item.title) is now called \(DisplayText(quoting: name))"
        )
    }

    /// A hike, planned route or waypoint was removed, and perhaps the GPX file that 'hikeshare open' has made.
    package static func removed(
        _ item: ItemDescription,
        from region: RegionSummary,
        _ copy: DesktopFolder.Removal
    ) -> Self {
        // The GPX file is written again with the other items, so its removal is not mentioned.
        let notes = copy == .removed ? [] : copy.notes(of: "GPX files for map programs")
        return Self(
            item.json("removedItem", of: region, name: item.name),
            (["Removed from \(region.name): \(item.title)"] + notes).joined(separator: "\n")
        )
    }

    package static func added(_ added: AddedWaypoint) -> Self {
        let (region, waypoint) = (added.region, added.waypoint)
        return Self(
            [
                "type": "addedWaypoint",
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "waypoint": waypoint.json(photo: nil),
            ],
            "Added to \(region.name): waypoint \(DisplayText(quoting: waypoint.label)), "
                + "\(Wording.position(waypoint.coordinate))"
        )
    }

    /// A planned route was added, with what a person may do with it next.
    ///
    /// - Parameter number: Its number in the region.
    package static func added(_ route: PlannedRoute, number: Int, to region: RegionSummary) -> Self {
        // A name that ends like a file would be that of a file.
        let isPlain = CommandWord.isPlain(route.name) && !CutRule.isTrackFile(route.name)
        let name = isPlain ? "\"\(route.name)\"" : "\(number)"
        return Self(
            [
                "type": "addedRoute",
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "plannedRoute": route.json(number),
            ],
            """

            Saved in \(region.name): planned route \(DisplayText(quoting: route.name))
            To send it with the map along it:  \("hikeshare send \(region.typed) --along \(name)", .command)
            """
        )
    }

    /// A region was removed, its items were perhaps written to a file, and the copy that 'hikeshare open' has made is removed, too.
    package static func removed(
        _ region: RegionSummary,
        _ counts: RemovalCounts,
        exportedTo file: String?,
        _ copy: DesktopFolder.Removal
    ) -> Self {
        let written: [DisplayText] = file.map { ["Wrote \($0)"] + leftOutNotes(counts.leftOut) } ?? []
        let removed: DisplayText = "Removed \(region.name): \(region.contents)"
        return Self(
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
            ],
            (written + [removed] + copy.notes()).joined(separator: "\n")
        )
    }

    /// The files that an export has written, without the items that the store cannot read; `part` is nil for the whole map.
    package static func exported(
        _ region: RegionSummary,
        _ files: [ExportFile],
        leftOut: [String],
        part: PartFacts?
    ) -> Self {
        let lines = files.map { file -> JSONObject in
            [
                "type": "exported",
                "regionID": region.id.uuidString,
                "content": file.part.rawValue,
                "file": file.path,
                "part": file.part == .map ? part?.description : nil,
                "tiles": file.part == .map ? part?.tileCount : nil,
                "leftOut": file.part == .gpx && !leftOut.isEmpty ? leftOut : nil,
            ]
        }
        let notes = (part.map { [$0.sentence] } ?? []) + leftOutNotes(leftOut)
        return Self(lines: lines, (files.map { "Wrote \($0.path)" } + notes).joined(separator: "\n"))
    }

    /// A line for each item that is missing in a GPX file.
    package static func leftOutNotes(_ items: [String]) -> [DisplayText] {
        items.map { "Left out of the GPX file, because it cannot be read: \($0)" }
    }

    /// A partially received file was removed.
    package static func discarded(_ file: IncomingFile) -> Self {
        Self(
            file.json("discarded"),
            "Discarded \(file.regionName), \(file.kind.words): \(Wording.size(file.byteCount)) of \(Wording.size(file.size))"
        )
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

    /// The item in a sentence: `waypoint “Parking” (42.5730° N, 1.4840° E)`, `recorded hike “Estany” (4.9 km)`.
    package var title: DisplayText {
        let distinction = distance.map { Wording.distance($0) } ?? Wording.position(coordinate)
        return "\(kind.noun) \(DisplayText(quoting: name, width: .max)) (\(distinction))"
    }
}

extension DesktopFolder.Removal {
    /// The folder in which something stays; nil if nothing does.
    package var keptFolder: String? {
        switch self {
        case .none, .removed: nil
        case .kept(let folder), .failed(let folder): folder
        }
    }

    /// What a person should know of it, in lines.
    package func notes(of files: DisplayText = "Its files for map programs") -> [DisplayText] {
        switch self {
        case .none: []
        case .removed: ["\(files) were removed, too."]
        case .kept(let folder): ["Files for map programs that were changed since stay in \(folder)"]
        case .failed(let folder): ["\(files) could not be removed: \(folder)"]
        }
    }
}
