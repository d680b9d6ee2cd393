import FoundationEssentials
import RegionStore

/// The program that shows a region, and the files that were written for it.
struct OpenedReport: Report {
    var region: RegionSummary
    var program: MapProgram
    /// The folder with the files; nil if none were written.
    var folder: DesktopFolder?

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                regionID: region.id.uuidString,
                regionName: region.name,
                program: program.rawValue,
                folder: folder?.path,
                files: folder?.files
            )
        ]
    }

    var text: DisplayText {
        switch (program, folder) {
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

    private struct Payload: Encodable {
        var type = "opened"
        var regionID: String
        var regionName: String
        var program: String
        var folder: String?
        var files: [String]?
    }
}
