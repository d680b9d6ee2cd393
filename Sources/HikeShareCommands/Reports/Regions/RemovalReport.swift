import FoundationEssentials
import RegionStore

/// A region that was removed.
struct RemovalReport: Report {
    var region: RegionSummary
    var counts: RemovalCounts
    /// The file to which its hikes, planned routes and waypoints were written; nil if there is none.
    var file: String?
    /// What has become of the copy that 'hikeshare open' has made.
    var copy = DesktopFolderRemoval.none

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                regionID: region.id.uuidString,
                regionName: region.name,
                hikes: counts.hikes,
                plannedRoutes: counts.plannedRoutes,
                waypoints: counts.waypoints,
                exportedTo: file,
                leftOut: counts.leftOut.isEmpty ? nil : counts.leftOut,
                keptFolder: copy.keptFolder
            )
        ]
    }

    var text: DisplayText {
        let removed: DisplayText = "Removed \(region.name): \(region.contents)"
        let written: [DisplayText] = file.map { ["Wrote \($0)"] + ExportReport.notes(counts.leftOut) } ?? []
        return (written + [removed] + copy.notes()).joined(separator: "\n")
    }

    private struct Payload: Encodable {
        var type = "removed"
        var regionID: String
        var regionName: String
        var hikes: Int
        var plannedRoutes: Int
        var waypoints: Int
        var exportedTo: String?
        var leftOut: [String]?
        var keptFolder: String?
    }
}

extension DesktopFolderRemoval {
    /// The folder in which something stays; nil if nothing does.
    var keptFolder: String? {
        switch self {
        case .none, .removed: nil
        case .kept(let folder), .failed(let folder): folder
        }
    }

    /// Returns what a person should know of it.
    ///
    /// - Parameter files: The files to remove.
    /// - Returns: Lines; none if there was nothing.
    func notes(of files: DisplayText = "Its files for map programs") -> [DisplayText] {
        switch self {
        case .none: []
        case .removed: ["\(files) were removed, too."]
        case .kept(let folder): ["Files for map programs that were changed since stay in \(folder)"]
        case .failed(let folder): ["\(files) could not be removed: \(folder)"]
        }
    }
}
