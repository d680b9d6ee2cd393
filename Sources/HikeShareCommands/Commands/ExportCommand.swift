import ArgumentParser
import FoundationEssentials
import Glibc
import RegionStore
import Sentences
import SharingReports

struct ExportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a region's files to a folder, or its map as one file for a browser or for OsmAnd.",
        discussion: """
            Writes every part of the region, unless you select some with --mbtiles, --routing, --gpx or --photos. Existing \
            files are never overwritten. If the folder does not exist, it is created.

            With --html, writes one file that any browser opens without internet: the map with its hikes, planned routes, \
            waypoints and photos. Without --max-zoom, it has the zoom levels that fit into 15 MB without the photos or, if none \
            does, into 50 MB. With --pdf, writes the map on one sheet of paper. With --osmand, writes the map for OsmAnd on a phone, which cannot open MBTiles. Its hikes \
            and waypoints are in the GPX file of --gpx.

            With --along, --area and --max-zoom, writes only a part of the map, such as the strip along a route. Every \
            machine that has the map writes the same file.

            Examples:
              hikeshare export "Coma Pedrosa" --to ~/maps --gpx
              hikeshare export "Coma Pedrosa" --html coma-pedrosa.html
              hikeshare export "Coma Pedrosa" --osmand coma-pedrosa.sqlitedb
              hikeshare export "Coma Pedrosa" --to ~/maps --along 2
            """
    )

    @OptionGroup var region: RegionArgument

    @Option(
        help: ArgumentHelp("Folder to write to; created if it does not exist.", valueName: "dir"),
        completion: .directory
    )
    var to: String?

    @Option(
        help: ArgumentHelp("Write the map as one HTML file of at most 50 MB.", valueName: "file"),
        completion: .file()
    )
    var html: String?

    @Option(
        help: ArgumentHelp("Write the map, its hikes, routes and waypoints on one sheet as PDF.", valueName: "file"),
        completion: .file()
    )
    var pdf: String?

    @Option(
        help: ArgumentHelp("Write the map for OsmAnd; .sqlitedb is added to its name.", valueName: "file"),
        completion: .file()
    )
    var osmand: String?

    @Flag(help: "Write the hikes, planned routes and waypoints as GPX 1.1.")
    var gpx = false

    @Flag(help: "Write the map, byte for byte as imported, or a part of it; also a map of another program.")
    var mbtiles = false

    @Flag(help: "Write the routing database, byte for byte as imported.")
    var routing = false

    @Flag(help: "Write the photos of waypoints, byte for byte as imported.")
    var photos = false

    @Flag(help: "Leave recorded hikes, notes, photos and times out of --html or --pdf.")
    var noPersonal = false

    @Flag(help: "Take the camera, the place and the time out of the copies of photos.")
    var noPlaces = false

    @OptionGroup var cut: CutOptions
    @OptionGroup var global: GlobalOptions

    /// The selected content; empty for everything.
    var parts: Set<ExportFile.Part> {
        Set(
            [mbtiles ? .map : nil, routing ? .routing : nil, gpx ? .gpx : nil, photos ? .photo : nil].compactMap { $0 }
        )
    }

    func validate() throws {
        guard [to, html, pdf, osmand].compactMap({ $0 }).count == 1 else {
            throw ValidationError("Use one of --to DIR, --html FILE, --pdf FILE and --osmand FILE.")
        }
        guard to != nil || parts.isEmpty else {
            throw ValidationError(
                "--mbtiles, --routing, --gpx and --photos select files for --to, not the content of --html, --pdf or --osmand."
            )
        }
        guard !noPersonal || html != nil || pdf != nil else {
            throw ValidationError("--no-personal is for --html FILE and --pdf FILE.")
        }
        guard !noPlaces || to != nil || html != nil else {
            throw ValidationError("--no-places is for --to DIR and --html FILE, which have photos.")
        }
        guard html == nil || cut.along.isEmpty && cut.area == nil else {
            throw ValidationError("--along and --area are for --to DIR and --osmand FILE, not for --html.")
        }
        guard pdf == nil || cut.isEmpty else {
            throw ValidationError("--along, --area and --max-zoom are not for --pdf FILE.")
        }
        guard cut.isEmpty || parts.isEmpty || mbtiles else {
            throw ValidationError("--along, --area and --max-zoom select tiles of the map: add --mbtiles.")
        }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.reading)
        let region = try store.region(named: region.name)
        if let foreign = region.foreign, to == nil {
            throw CommandError(
                .usage,
                "“\(region.name)” is a \(foreign.format.title), of which only its own file can be written.",
                remedy: "Use --to DIR. \(foreign.format.opensIn)."
            )
        }
        let stored = StoredRegionContent(region.id, in: store)
        let content: any RegionContent = noPersonal ? stored.impersonal : noPlaces ? stored.withoutPhotoDetails : stored
        try Interruption.leavingNothing {
            if let html {
                let export = PageExport(
                    content: content,
                    region: region,
                    path: Self.file(html, ".html", for: region.name),
                    maximumZoom: cut.maxZoom
                )
                console.emit(try export.write())
            } else if let pdf {
                let export = SheetExport(
                    content: content,
                    region: region,
                    path: Self.file(pdf, ".pdf", for: region.name)
                )
                console.emit(try export.write())
            } else if let osmand {
                let path = Self.file(osmand, ".sqlitedb", for: region.name)
                let isWhole = path.lowercased().hasSuffix(".sqlitedb")
                try exportOsmAndMap(of: region, from: store, to: isWhole ? path : path + ".sqlitedb", console)
            } else if let to {
                try exportFiles(of: region, from: store, to: to, console)
            }
        }
    }

    /// Returns the path of the only file of an export: in a folder, it has the name of what it is of.
    static func file(_ path: String, _ ending: String, for name: String) -> String {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard path.hasSuffix("/") || (exists && isFolder) else { return path }
        return (path.hasSuffix("/") ? path : path + "/") + ExportFileName.stem(for: name) + ending
    }

    /// The selected part of the map; nil for the whole map.
    private func part(of region: RegionSummary, in store: RegionStore) throws -> RegionCut? {
        try cut.rule(for: region, in: store).map { try store.cut($0, of: region) }.flatMap { $0.isWhole ? nil : $0 }
    }

    private func exportOsmAndMap(
        of region: RegionSummary,
        from store: RegionStore,
        to path: String,
        _ console: Console
    ) throws {
        let progress = WorkProgress("Exporting \(region.name)", on: console)
        defer { progress.finish() }
        let part = try part(of: region, in: store)
        let size = try store.writeOsmAndMap(of: region.id, to: path, cut: part) { progress.report($0, of: $1) }
        progress.finish()
        console.emit(.osmand(region, at: path, size: size, part: part?.facts))
    }

    private func exportFiles(
        of region: RegionSummary,
        from store: RegionStore,
        to folder: String,
        _ console: Console
    ) throws {
        let names = try store.photoNames(of: region.id)
        let photos = try store.photos(of: region.id).map { (photo: $0, label: names[$0.waypointID] ?? "") }
        let part = try part(of: region, in: store)
        let files = try ExportFile.plan(region, photos: photos, parts: parts, isPart: part != nil, folder: folder)
        try ExportFile.checkAbsent(files)
        let isNew = try ExportFile.makeFolder(folder)
        defer { UnfinishedFiles.finish([folder]) }
        let progress = WorkProgress("Exporting \(region.name)", on: console)
        defer { progress.finish() }
        do {
            let leftOut = try ExportFile.write(files, region, from: store, cut: part, photoDetails: !noPlaces) {
                progress.report($0, of: $1)
            }
            progress.finish()
            console.emit(.exported(region, files, leftOut: leftOut, part: part?.facts))
        } catch {
            // Only an empty folder is removed.
            if isNew { rmdir(folder) }
            throw error
        }
    }
}
