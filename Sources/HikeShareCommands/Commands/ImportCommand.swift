import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare import`.
struct ImportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import maps, GPX files and photos.",
        discussion: """
            A map (.mbtiles) creates a region. A GPX file adds its tracks, routes and waypoints to a region: the one of the \
            map in the same command, the one named with --region, or else the one whose area contains them. A photo is \
            attached to the waypoint named with --waypoint. Files are copied; the originals are not changed.

            Examples:
              hikeshare import coma-pedrosa.mbtiles --routing coma-pedrosa.routing.db
              hikeshare import waypoints.gpx track.gpx
              hikeshare import alps.mbtiles huts.gpx --name "Haute Route"
              hikeshare import hut.jpg --region "Haute Route" --waypoint "Cabane des Vignettes"
            """
    )

    @Argument(help: "Maps (.mbtiles), GPX files and a photo; the type of a file is detected from its content.")
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("Name for the region of the map.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("Routing database of the map.", valueName: "file"))
    var routing: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Region to add GPX files and photos to: its name or the start of its id.")
    )
    var region: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Waypoint that the photo shows: its name or the start of its id.", valueName: "name")
    )
    var waypoint: String?

    @Flag(name: .long, help: "Replace the photo that the waypoint already has.")
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
            // With one map, GPX files belong to it. With several maps, the area decides.
            if maps.count == 1, target == nil { target = stored.region.id }
        }
        for file in inputs where file.kind == .xml {
            console.emit(GPXImportReport(file: file.path, imported: try importGPX(file, into: target, of: store)))
        }
        if let photo = photos.first, let waypoint {
            let place = try WaypointChoice(waypoint, in: target, of: store)
            try importPhoto(photo, for: place, into: store)
            console.emit(PhotoImportReport(file: photo.path, region: place.region, waypoint: place.waypoint))
        }
    }

    private func importGPX(_ file: InputFile, into regionID: UUID?, of store: RegionStore) throws -> GPXImport {
        do {
            return try store.importGPX(at: file.location, called: file.path, into: regionID)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forGPX(error, hasRegion: regionID != nil)
            throw error
        }
    }

    private func importPhoto(_ photo: InputFile, for place: WaypointChoice, into store: RegionStore) throws {
        do {
            try store.importPhoto(at: photo.location, for: place.waypoint.id, in: place.region.id, replacing: replace)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forPhoto(error)
            throw error
        }
    }

    private func check(photos: [InputFile]) throws {
        guard !replace || !photos.isEmpty else {
            throw CommandError(.usage, "--replace needs a photo, but none is given.", remedy: "Remove --replace.")
        }
        guard photos.count == (waypoint == nil ? 0 : 1) else {
            throw CommandError(
                .usage,
                waypoint == nil
                    ? "\(photos[0].path) is a photo, but no waypoint is named for it."
                    : "--waypoint needs exactly one photo, but \(photos.count) are given.",
                remedy: "Give one photo, and its waypoint with --waypoint NAME."
            )
        }
    }

    private func check(maps: [InputFile]) throws {
        if let option = name != nil ? "--name" : routing != nil ? "--routing" : nil, maps.count != 1 {
            throw CommandError(
                .usage,
                "\(option) needs exactly one map, but \(maps.count) are given.",
                remedy: "Give one .mbtiles file. It may be a map that was imported before."
            )
        }
    }

    private func importMap(_ file: InputFile, into store: RegionStore, _ console: Console) throws -> StoredRegion {
        let progress = WorkProgress("Importing \(file.path)", on: console)
        defer { progress.finish() }
        do {
            let stored = try store.importMap(at: file.location, name: name, routing: routing) {
                progress.report($0, of: $1)
            }
            console.emit(MapImportReport(file: file.path, stored: stored, hasNewRouting: routing != nil))
            return stored
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forMap(error)
            throw error
        }
    }
}
