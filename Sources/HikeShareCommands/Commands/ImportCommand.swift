import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare import`.
struct ImportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import maps, GPX files and photos.",
        discussion: """
            A map (.mbtiles) creates a region. A GPX file adds its tracks, routes and waypoints to a region: the one named \
            with --region, or else the one whose area contains them, first of all that of a map in the same command. A track \
            without times becomes a planned route. A photo is attached to the waypoint named with --waypoint. Files are \
            copied; the originals are not changed. A file that cannot be imported does not affect the others.

            QGIS, Mobile Atlas Creator and GDAL make maps, for example:
              gdal_translate -of MBTILES tatra.tif tatra.mbtiles

            Examples:
              hikeshare import coma-pedrosa.mbtiles --routing coma-pedrosa.routing.db
              hikeshare import waypoints.gpx track.gpx
              hikeshare import alps.mbtiles huts.gpx --name "Haute Route"
              hikeshare import alps-2027.mbtiles --update "Haute Route"
              hikeshare import hut.jpg --region "Haute Route" --waypoint "Cabane des Vignettes"
            """
    )

    @Argument(
        help: "Maps (.mbtiles), GPX files and a photo; the type of a file is detected from its content.",
        completion: .importable
    )
    var files: [String]

    @Option(name: .long, help: ArgumentHelp("Name for the region of the map.", valueName: "name"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Routing database of the map.", valueName: "file"),
        completion: .routingDatabase
    )
    var routing: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Region to add GPX files and photos to: its name or the start of its id."),
        completion: .region
    )
    var region: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Region whose map is replaced by this newer one; its hikes, routes and waypoints stay.",
            valueName: "region"
        ),
        completion: .region
    )
    var update: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Waypoint that the photo shows: its name, or with --region its number in 'show'.",
            valueName: "name"
        ),
        completion: .items(.waypoint)
    )
    var waypoint: String?

    @Flag(name: .long, help: "Replace the photo that the waypoint already has.")
    var replace = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        var refusals = RefusedFiles(console)
        var unread: [InputFile.Kind?] = []
        let readable = try InputFile.all(files, arguments: InputFile.arguments) { path, error in
            unread.append(InputFile.kind(ofName: path))
            try refusals.note(error)
        }
        // What a file was meant to be counts, too: one of two maps does not become the only one if the other is misspelt.
        func count(_ kind: InputFile.Kind) -> Int { (readable.map(\.kind) + unread).count { $0 == kind } }
        try check(mapCount: count(.database))
        try check(photoCount: count(.photo))
        var inputs = readable
        if waypoint == nil {
            for photo in inputs where photo.kind == .photo { try refusals.note(Self.noWaypoint(for: photo)) }
            inputs.removeAll { $0.kind == .photo }
        }
        guard !inputs.isEmpty else { return try refusals.check() }
        let store = try global.makeStore(console)
        let target = try region.map { try store.region(named: $0) }
        let updated = try update.map { try store.region(named: $0) }
        var regions: [UUID] = []
        for map in inputs where map.kind == .database {
            do {
                regions.append(try await importMap(map, into: store, updating: updated, console).region.id)
            } catch {
                try refusals.note(error)
            }
        }
        // With one map, GPX files most likely belong to it. With several maps, only the area decides.
        let preferred = count(.database) == 1 ? regions.first : nil
        for file in inputs where file.kind == .xml {
            try refusals.collect { try importGPX(file, into: target, preferring: preferred, of: store, console) }
        }
        if let photo = inputs.first(where: { $0.kind == .photo }), let waypoint {
            let place = try WaypointChoice(waypoint, in: target?.id ?? preferred, of: store)
            try importPhoto(photo, for: place, into: store)
            console.emit(PhotoImportReport(file: photo.path, region: place.region, waypoint: place.waypoint))
        }
        try refusals.check()
    }

    private func importGPX(
        _ file: InputFile,
        into region: RegionSummary?,
        preferring preferred: UUID?,
        of store: RegionStore,
        _ console: Console
    ) throws {
        do {
            let imported = try store.importGPX(
                at: file.location,
                called: file.path,
                into: region?.id,
                preferring: preferred
            )
            console.emit(GPXImportReport(file: file.path, imported: imported))
            // Items that are there already are recognised wherever they are.
            if region != nil, imported.isOutsideArea {
                console.warn(GPXImportReport.outsideArea(file.path, imported))
            }
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forGPX(error, hasRegion: region != nil)
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

    private func check(photoCount: Int) throws {
        guard !replace || photoCount > 0 else {
            throw CommandError(.usage, "--replace needs a photo, but none is given.", remedy: "Remove --replace.")
        }
        guard waypoint == nil || photoCount == 1 else {
            throw CommandError(
                .usage,
                "--waypoint needs exactly one photo, but \(photoCount) are given.",
                remedy: "Give one photo, and its waypoint with --waypoint NAME."
            )
        }
    }

    private static func noWaypoint(for photo: InputFile) -> CommandError {
        CommandError(
            .unknownFile,
            "\(photo.path) is a photo, but no waypoint is named for it.",
            remedy: "Import each photo by itself, and name its waypoint with --waypoint NAME."
        )
    }

    private func check(mapCount: Int) throws {
        let options = [("--name", name), ("--routing", routing), ("--update", update)]
        if let (option, _) = options.first(where: { $0.1 != nil }), mapCount != 1 {
            throw CommandError(
                .usage,
                "\(option) needs exactly one map, but \(mapCount) are given.",
                remedy: "Give one .mbtiles file. It may be a map that was imported before."
            )
        }
    }

    private func importMap(
        _ file: InputFile,
        into store: RegionStore,
        updating updated: RegionSummary?,
        _ console: Console
    ) async throws -> StoredRegion {
        let progress = WorkProgress("Importing \(file.path)", on: console)
        defer { progress.finish() }
        do {
            let map = try store.prepareMap(at: file.location, name: name, routing: routing) {
                progress.report($0, of: $1)
            }
            progress.finish()
            let older =
                if let updated { updated } else {
                    try await MapUpdate(map: map, file: file.path, console: console).region()
                }
            let stored = try map.store(updating: older?.id)
            console.emit(
                MapImportReport(file: file.path, stored: stored, hasNewRouting: routing != nil, givenName: name)
            )
            return stored
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forMap(error)
            throw error
        }
    }
}
