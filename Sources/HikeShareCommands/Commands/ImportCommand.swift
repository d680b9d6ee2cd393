import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare import`.
struct ImportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take maps and GPX files into the store.",
        discussion: """
            A map (.mbtiles) starts a region. A GPX file adds its tracks, routes and waypoints to a region: to the map \
            given in the same command, to the one named with --region, else to the one in whose area it lies. Files are \
            copied; the originals are not touched.

            Examples:
              hikeshare import coma-pedrosa.mbtiles --routing coma-pedrosa.routing.db
              hikeshare import waypoints.gpx track.gpx
              hikeshare import alps.mbtiles huts.gpx --name "Haute Route"
            """
    )

    @Argument(help: "Maps (.mbtiles) and GPX files; what a file is, is told by what is in it.")
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("What to call the region of the map.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The routing database that belongs to the map.", valueName: "file"))
    var routing: String?

    @Option(name: .long, help: ArgumentHelp("The region that GPX files go to: its name or the start of its id."))
    var region: String?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let inputs = try files.map(InputFile.init(lookingAt:))
        let maps = inputs.filter { $0.kind == .database }
        try check(maps: maps)
        let store = try global.openStore()
        var target = try region.map { try store.region(matching: $0).id }
        for map in maps {
            let stored = try importMap(map.path, into: store, console)
            // GPX files go with the map that they were given with; with several maps, their places decide.
            if maps.count == 1, target == nil { target = stored.region.id }
        }
        for file in inputs where file.kind == .xml {
            let imported = try store.importGPX(at: file.path, into: target)
            console.emit(GPXImportReport(file: file.path, imported: imported))
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

    private func importMap(_ path: String, into store: RegionStore, _ console: Console) throws -> StoredRegion {
        let progress = WorkProgress("Importing \(path)", on: console)
        defer { progress.finish() }
        let stored = try store.importMap(at: path, name: name, routing: routing) { progress.report($0, of: $1) }
        console.emit(MapImportReport(file: path, stored: stored, hasNewRouting: routing != nil))
        return stored
    }
}
