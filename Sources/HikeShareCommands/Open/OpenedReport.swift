import FoundationEssentials
import RegionStore
import SharingReports

/// The program that shows a region, and the files that were written for it.
struct OpenedReport: ObjectReport {
    var region: RegionSummary
    /// The program that was started; nil if none draws the map.
    var program: MapProgram?
    /// The folder with the files; nil if none were written.
    var folder: DesktopFolder?

    var json: JSONObject {
        [
            "type": "opened",
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "program": program?.command,
            "folder": folder?.path,
            "files": folder?.files,
        ]
    }

    var text: DisplayText {
        guard let folder else { return "" }
        let files: DisplayText = "\(folder.path): \(folder.files.joined(separator: ", "))"
        switch program {
        case .browser: return "The files of \(region.name) for map programs are in \(files)"
        case let program?:
            return """
                Opened \(region.name) in \(program.title).
                Its files are in \(folder.path)
                """
        case nil:
            guard let format = region.foreign?.format else { return "" }
            return """
                \(region.name) is a \(format.title), and no program that draws it was found here. \(format.opensIn).
                Its files are in \(files)
                """
        }
    }
}
