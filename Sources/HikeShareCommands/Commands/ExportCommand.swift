import ArgumentParser
import FoundationEssentials
import Glibc
import RegionStore

/// The command `hikeshare export`.
struct ExportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a region's files to a folder.",
        discussion: """
            Writes every part of the region, unless you select some with --mbtiles, --routing, --gpx or --photos. Existing \
            files are never overwritten. If the folder does not exist, it is created.

            Example:
              hikeshare export "Coma Pedrosa" --to ~/maps --gpx
            """
    )

    @Argument(
        help: ArgumentHelp("Name of the region, or the start of its id.", valueName: "region"),
        completion: .region
    )
    var words: [String]

    /// The name or id; a name needs no quotation marks.
    var region: String { words.joined(separator: " ") }

    @Option(
        name: .long,
        help: ArgumentHelp("Folder to write to; created if it does not exist.", valueName: "dir"),
        completion: .directory
    )
    var to: String

    @Flag(name: .long, help: "Write the hikes, planned routes and waypoints as GPX 1.1.")
    var gpx = false

    @Flag(name: .long, help: "Write the map, byte for byte as imported.")
    var mbtiles = false

    @Flag(name: .long, help: "Write the routing database, byte for byte as imported.")
    var routing = false

    @Flag(name: .long, help: "Write the photos of waypoints, byte for byte as imported.")
    var photos = false

    @OptionGroup var global: GlobalOptions

    /// The selected content; empty for everything.
    var parts: Set<ExportFile.Part> {
        Set(
            [mbtiles ? .map : nil, routing ? .routing : nil, gpx ? .gpx : nil, photos ? .photo : nil].compactMap { $0 }
        )
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.reading)
        let region = try store.region(named: region)
        let labels = Dictionary(try store.waypoints(of: region.id, skippingUnreadable: true).map { ($0.id, $0.label) })
        {
            first,
            _ in first
        }
        let photos = try store.photos(of: region.id).map { (photo: $0, label: labels[$0.waypointID] ?? "") }
        let files = try ExportFile.plan(region, photos: photos, parts: parts, folder: to)
        try ExportFile.checkAbsent(files)
        let isNew = try ExportFile.makeFolder(to)
        let progress = WorkProgress("Exporting \(region.name)", on: console)
        defer { progress.finish() }
        do {
            let leftOut = try ExportFile.write(files, region, from: store) { progress.report($0, of: $1) }
            progress.finish()
            console.emit(ExportReport(region: region, files: files, leftOut: leftOut))
        } catch {
            // Only an empty folder is removed.
            if isNew { rmdir(to) }
            throw error
        }
    }
}
