import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare import`.
struct ImportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take maps, GPX files and photos into the store.",
        discussion: """
            A map (.mbtiles) starts a region. A GPX file adds its tracks, routes and waypoints to a region: to the map \
            given in the same command, to the one named with --region, else to the one in whose area it lies. A photo \
            goes to the waypoint named with --waypoint. Files are copied; the originals are not touched.

            Examples:
              hikeshare import coma-pedrosa.mbtiles --routing coma-pedrosa.routing.db
              hikeshare import waypoints.gpx track.gpx
              hikeshare import alps.mbtiles huts.gpx --name "Haute Route"
              hikeshare import hut.jpg --region "Haute Route" --waypoint "Cabane des Vignettes"
            """
    )

    @Argument(help: "Maps (.mbtiles), GPX files and a photo; what a file is, is told by what is in it.")
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("What to call the region of the map.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The routing database that belongs to the map.", valueName: "file"))
    var routing: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The region that GPX files and photos go to: its name or the start of its id.")
    )
    var region: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The waypoint that the photo shows: its name or the start of its id.", valueName: "name")
    )
    var waypoint: String?

    @Flag(name: .long, help: "Put the photo in the place of the one that the waypoint has.")
    var replace = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let inputs = try InputFile.all(files, arguments: InputFile.arguments)
        let maps = inputs.filter { $0.kind == .database }
        let photos = inputs.filter { $0.kind == .photo }
        try check(maps: maps)
        try check(photos: photos)
        let store = try global.openStore()
        var target = try region.map { try store.region(matching: $0).id }
        for map in maps {
            let stored = try importMap(map, into: store, console)
            // GPX files go with the map that they were given with; with several maps, their places decide.
            if maps.count == 1, target == nil { target = stored.region.id }
        }
        for file in inputs where file.kind == .xml {
            let imported = try store.importGPX(at: file.location, called: file.path, into: target)
            console.emit(GPXImportReport(file: file.path, imported: imported))
        }
        if let photo = photos.first, let waypoint {
            let place = try WaypointChoice(waypoint, in: target, of: store)
            try store.importPhoto(at: photo.location, for: place.waypoint.id, in: place.region.id, replacing: replace)
            console.emit(PhotoImportReport(file: photo.path, region: place.region, waypoint: place.waypoint))
        }
    }

    private func check(photos: [InputFile]) throws {
        guard !replace || !photos.isEmpty else {
            throw CommandError(.usage, "--replace is for photos, and there is none.", remedy: "Leave it out.")
        }
        guard photos.count == (waypoint == nil ? 0 : 1) else {
            throw CommandError(
                .usage,
                waypoint == nil
                    ? "\(photos[0].path) is a photo, and nothing says which waypoint it shows."
                    : "--waypoint needs exactly one photo, and there are \(photos.count).",
                remedy: "Give one photo, and its waypoint with --waypoint NAME."
            )
        }
    }

    private func check(maps: [InputFile]) throws {
        if let option = name != nil ? "--name" : routing != nil ? "--routing" : nil, maps.count != 1 {
            throw CommandError(
                .usage,
                "\(option) needs exactly one map, and there are \(maps.count).",
                remedy: "Give one .mbtiles file. A map that is there already may be given again."
            )
        }
    }

    private func importMap(_ file: InputFile, into store: RegionStore, _ console: Console) throws -> StoredRegion {
        let progress = WorkProgress("Importing \(file.path)", on: console)
        defer { progress.finish() }
        let stored = try store.importMap(at: file.location, name: name, routing: routing) {
            progress.report($0, of: $1)
        }
        console.emit(MapImportReport(file: file.path, stored: stored, hasNewRouting: routing != nil))
        return stored
    }
}
