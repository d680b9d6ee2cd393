import ArgumentParser
import RegionSharing
import RegionStore
import Sentences
import SharingReports

struct ImportCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import maps, tracks and photos.",
        discussion: """
            Imports files, and all that is in folders. A map (.mbtiles, .pmtiles, .sqlitedb, .gpkg, or a folder of tiles \
            ZOOM/COLUMN/ROW.png) creates a region. So does a map of OsmAnd (.obf), Mapsforge (.map), Garmin (.img) or Organic \
            Maps (.mwm), which is carried as it is, and not drawn. Each track, route and waypoint of a \
            GPX, KML, KMZ, GeoJSON, TCX or FIT file goes to the region on whose map it lies; a track without times \
            becomes a planned route. A routing database goes to its map. A photo goes to the waypoint that is called \
            like the file, that links to it, or that is where the photo was taken. Originals are not changed. A file that \
            cannot be imported does not affect the others.

            QGIS, Mobile Atlas Creator and GDAL make maps, for example:
              gdal_translate -of MBTILES tatra.tif tatra.mbtiles

            Examples:
              hikeshare import .
              hikeshare import waypoints.gpx track.gpx
              hikeshare import alps.mbtiles huts.gpx --name "Haute Route"
              hikeshare import alps-2027.mbtiles --update "Haute Route"
              hikeshare import Andorra_europe_2.obf
              hikeshare import alps.mbtiles --unsigned
              hikeshare import hut.jpg --region "Haute Route" --waypoint "Cabane des Vignettes"
            """
    )

    @Argument(help: "Folders, maps, track files, routing databases and photos.", completion: .importable)
    var files: [String]

    @Option(help: ArgumentHelp("Name for the region of the map.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Routing database of the map, if it is not clear which one it is.", valueName: "file"),
        completion: .routingDatabase
    )
    var routing: String?

    @Option(
        help: ArgumentHelp("Region to add tracks, waypoints and photos to: its name or the start of its id."),
        completion: .region
    )
    var region: String?

    @Option(
        help: ArgumentHelp(
            "Region whose map is replaced by this newer one; its hikes, routes and waypoints stay.",
            valueName: "region"
        ),
        completion: .region
    )
    var update: String?

    @Option(
        help: ArgumentHelp(
            "Waypoint that the photo shows: its name, or with --region its number in 'show'.",
            valueName: "name"
        ),
        completion: .items(.waypoint)
    )
    var waypoint: String?

    @Flag(help: "Take the files as they are, whatever they are: each becomes a region that other programs open.")
    var foreign = false

    @Flag(help: "Replace the photo that the waypoint already has.")
    var replace = false

    @Flag(help: "With --update, replace the map without a question, also by one that is older or of unknown age.")
    var yes = false

    @Flag(help: "Sign maps with your name, from now on, if you have left that out before.")
    var signed = false

    @Flag(
        help:
            "Do not sign maps, from now on. Otherwise everyone who gets a map sees your name and the day of the import."
    )
    var unsigned = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !signed || !unsigned else { throw ValidationError("Give --signed or --unsigned, not both.") }
        guard !yes || update != nil else { throw ValidationError("--yes needs --update.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        try await Interruption.leavingNothingWhileAsking { try await run(on: console) }
    }

    private func run(on console: Console) async throws {
        let person = TerminalPerson(console)
        let files = try ImportFiles(files, arguments: InputFile.arguments, areForeign: foreign, person: person)
        try check(files.kinds)
        guard files.readable.contains(where: { $0.kind != .other }) else {
            if files.refused.isEmpty {
                throw CommandError.nothingToImport(in: Wording.list(self.files), files.readable)
            }
            throw Self.failure(files.refused)
        }
        // A photo needs a waypoint of a store that exists.
        let isOnlyPhotos = files.readable.allSatisfy { [.photo, .other].contains($0.kind) }
        let store = try isOnlyPhotos ? openStoreForPhotos() : global.makeStore(console)
        var work = Import(files, into: store, person: person) { try await store.localPeer(at: console) }
        (work.name, work.routing, work.waypoint, work.replacesPhotos) = (name, routing, waypoint, replace)
        work.target = try region.map { try store.region(named: $0) }
        work.updated = try update.map { try store.region(named: $0) }
        work.consent = Consent(acceptsAll: yes, at: console)
        (work.signs, work.ownID) = (signed || unsigned ? signed : nil, store.ownID)
        do {
            try tell(of: try await work.run(), console)
        } catch var error as RegionStoreError where waypoint != nil {
            error.remedy = ProgramRemedy.forPhoto(error)?.typed.english
            throw error
        }
    }
}
