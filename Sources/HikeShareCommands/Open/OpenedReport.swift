import FoundationEssentials
import RegionStore
import SharingReports

/// The program that shows a region, and the files that were written for it.
struct OpenedReport: Report {
    var region: RegionSummary
    /// The program that was started; nil if none draws the map.
    var program: MapProgram?
    /// The folder with the files; nil if none were written.
    var folder: DesktopFolder?

    var payloads: [JSONObject] {
        [
            [
                "type": "opened",
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "program": program?.rawValue,
                "folder": folder?.path,
                "files": folder?.files,
            ]
        ]
    }

    var text: DisplayText {
        guard let program else { return sealed }
        return switch (program, folder) {
        case (.browser, nil): ""
        case (.browser, let folder?):
            """
            The files of \(region.name) for map programs are in \(folder.path): \(folder.files.joined(separator: ", "))
            """
        case (_, nil): "Opened \(region.name) in \(program.title)."
        case (_, let folder?):
            """
            Opened \(region.name) in \(program.title).
            Its files are in \(folder.path)
            """
        }
    }

    private var sealed: DisplayText {
        guard let sealed = region.sealed, let folder else { return "" }
        return """
            \(region.name) is a \(sealed.format.title), and no program that draws it was found here. \(sealed.format.opensIn).
            Its files are in \(folder.path): \(folder.files.joined(separator: ", "))
            """
    }
}
