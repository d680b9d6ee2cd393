import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare import`.
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

    @Option(name: .long, help: ArgumentHelp("Name for the region of the map.", valueName: "name"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Routing database of the map, if it is not clear which one it is.", valueName: "file"),
        completion: .routingDatabase
    )
    var routing: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Region to add tracks, waypoints and photos to: its name or the start of its id."),
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

    @Flag(
        name: .long,
        help: "Take the files as they are, whatever they are: each becomes a region that other programs open."
    )
    var sealed = false

    @Flag(name: .long, help: "Replace the photo that the waypoint already has.")
    var replace = false

    @Flag(
        name: .long,
        help: "With --update, replace the map without a question, also by one that is older or of unknown age."
    )
    var yes = false

    @Flag(name: .long, help: "Sign maps with your name, from now on, if you have left that out before.")
    var signed = false

    @Flag(
        name: .long,
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
        var refusals = RefusedFiles(console)
        var unread: [ImportKind?] = []
        let readable = try InputFile.all(files, arguments: InputFile.arguments, areSealed: sealed) { path, error in
            unread.append(ImportKind(fileName: path))
            try refusals.note(ProgramRemedy.forUnknownFile(error))
        }
        // What a file was meant to be counts, too: one of two maps does not become the only one if the other is misspelt.
        func count(_ kind: ImportKind) -> Int { (readable.map(\.kind) + unread).count { $0 == kind } }
        let sealedFiles = readable.filter { $0.kind.sealedFormat != nil }
        let sealedCount = sealedFiles.count + unread.count { $0?.sealedFormat != nil }
        try check(mapCount: count(.map) + sealedCount)
        guard routing == nil || sealedCount == 0 else {
            throw CommandError(.usage, "--routing is for a map with tiles.", remedy: "Remove --routing.")
        }
        try check(photoCount: count(.photo))
        guard readable.contains(where: { $0.kind != .other }) else {
            if unread.isEmpty { throw Self.nothingFound(in: files, readable) }
            return try refusals.check()
        }
        // A photo needs a waypoint of a store that exists.
        let isOnlyPhotos = readable.allSatisfy { [.photo, .other].contains($0.kind) }
        let store = try isOnlyPhotos ? openStoreForPhotos() : global.makeStore(console)
        let target = try region.map { try store.region(named: $0) }
        let updated = try update.map { try store.region(named: $0) }
        let hasMaps = count(.map) + sealedCount > 0
        let signing = hasMaps ? try await MapSigning(signed || unsigned ? signed : nil, in: store, console) : nil
        var maps: [NameKey: UUID] = [:]
        var leftOut = LeftOutReport()
        var touched: Set<UUID> = []
        for map in readable where map.kind == .map {
            do {
                guard let stored = try await importMap(map, into: store, updating: updated, signing, console) else {
                    leftOut.files.append((map.path, nil))
                    continue
                }
                maps[NameKey(ofFile: map.path)] = stored.region.id
                touched.insert(stored.region.id)
            } catch {
                try refusals.note(error)
            }
        }
        for map in sealedFiles {
            do {
                guard let id = try await importSealed(map, into: store, updating: updated, signing, console) else {
                    leftOut.files.append((map.path, nil))
                    continue
                }
                touched.insert(id)
            } catch {
                try refusals.note(error)
            }
        }
        try signing?.tell(of: touched.map { try store.region($0) }, in: store, console)
        for file in readable where file.kind == .routing {
            try refusals.collect {
                let place = target.map { [NameKey(ofFile: file.path): $0.id] } ?? maps
                let result = try store.importRouting(at: file.location, called: file.path, beside: place)
                console.emit(RoutingImportReport(file: file.path, region: result.region, isNew: result.isNew))
                touched.insert(result.region.id)
            }
        }
        // With one map, track files most likely belong to it. With several maps, only the area decides.
        let preferred = count(.map) == 1 ? maps.values.first : nil
        for file in readable where file.kind == .tracks {
            try refusals.collect {
                touched.formUnion(try importGPX(file, into: target, preferring: preferred, of: store, console))
            }
        }
        let importer = PhotoImporter(
            store: store,
            regionID: target?.id ?? preferred,
            waypoint: waypoint,
            replacing: replace,
            isNamed: files.count == 1 && readable.first?.path == files[0],
            console: console
        )
        let photos = try importer.run(readable.filter { $0.kind == .photo }, &refusals)
        leftOut.files += photos + readable.filter { $0.kind == .other }.map { ($0.path, $0.reason) }
        console.emitForPrograms(leftOut)
        if !leftOut.files.isEmpty { console.note(leftOut.text) }
        if !photos.isEmpty {
            console.note("To add a photo to a waypoint:  \("hikeshare import PHOTO --waypoint NAME", .command)")
        }
        try tellWhatIsNext(touched.map { try store.region($0) }, console)
        try refusals.check(isRest: !touched.isEmpty)
    }

    private func tellWhatIsNext(_ regions: [RegionSummary], _ console: Console) {
        guard let region = regions.first else { return }
        console.note(
            regions.count == 1
                ? """
                To see it:   \("hikeshare \(region.sealed == nil ? "map" : "open") \(region.typed)", .command)
                To send it:  \("hikeshare send \(region.typed)", .command)
                """
                : """
                To see them:  \("hikeshare map", .command)
                To send one:  \("hikeshare send NAME", .command)
                """
        )
    }

    private func importGPX(
        _ file: InputFile,
        into region: RegionSummary?,
        preferring preferred: UUID?,
        of store: RegionStore,
        _ console: Console
    ) throws -> [UUID] {
        do {
            let imported = try store.importGPX(
                at: file.location,
                called: file.path,
                into: region?.id,
                preferring: preferred
            )
            for part in [imported] + imported.elsewhere {
                let isOneOfSeveral = !imported.elsewhere.isEmpty
                console.emit(GPXImportReport(file: file.path, imported: part, isOneOfSeveral: isOneOfSeveral))
            }
            if let damage = imported.damage { console.warn(GPXImportReport.damaged(file.path, damage)) }
            // Items that are there already are recognised wherever they are.
            if region != nil, imported.isOutsideArea {
                console.warn(GPXImportReport.outsideArea(file.path, imported))
            }
            return ([imported] + imported.elsewhere).map(\.region.id)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forGPX(error, hasRegion: region != nil)
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

    private func openStoreForPhotos() throws -> RegionStore {
        do {
            return try global.openStore(.writing)
        } catch let error as CommandError where error.code == .notFound {
            throw Self.noWaypoints
        } catch let error as RegionStoreError where error.code == .notFound {
            throw Self.noWaypoints
        }
    }

    private static let noWaypoints = CommandError(
        .notFound,
        "A photo is added to the waypoint that it shows, and you have no waypoints yet.",
        remedy: "Import maps, and files with waypoints, first or together with the photos."
    )

    private static func nothingFound(in files: [String], _ readable: [InputFile]) -> CommandError {
        let odd = readable.compactMap { file in file.reason.map { "\(file.path) is \($0)" } }
        let damaged = odd.isEmpty ? "" : " \(odd.prefix(5).joined(separator: ", "))\(odd.count > 5 ? " …" : "")."
        return CommandError(
            .unknownFile,
            "There are no maps, track files or photos in \(Wording.list(files)).\(damaged)",
            remedy: "Name a folder that has some, or the files."
        )
    }

    private func check(mapCount: Int) throws {
        let options = [("--name", name), ("--routing", routing), ("--update", update)]
        if let (option, _) = options.first(where: { $0.1 != nil }), mapCount != 1 {
            throw CommandError(
                .usage,
                "\(option) needs exactly one map, but \(mapCount) are given.",
                remedy: "Give one map. It may be a map that was imported before."
            )
        }
    }

    private func importSealed(
        _ file: InputFile,
        into store: RegionStore,
        updating updated: RegionSummary?,
        _ signing: MapSigning?,
        _ console: Console
    ) async throws -> UUID? {
        do {
            let importer = MapImporter(store: store, name: name, signing: signing, console: console)
            let map = try importer.prepareSealed(file)
            if let updated {
                try map.checkFit(to: updated)
                let update = update(ImportedMapFacts(map), file, signing, of: store, console)
                guard case .replace = try await update.decide(replacing: updated) else { return nil }
            }
            return try importer.add(map, of: file, updating: updated).region.id
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forMap(error)
            throw error
        }
    }

    private func update(
        _ map: ImportedMapFacts,
        _ file: InputFile,
        _ signing: MapSigning?,
        of store: RegionStore,
        _ console: Console
    ) -> MapUpdate {
        MapUpdate(
            map: map,
            file: file.path,
            acceptsAll: yes,
            signer: signing?.signer,
            store: store,
            console: console
        )
    }

    private func importMap(
        _ file: InputFile,
        into store: RegionStore,
        updating updated: RegionSummary?,
        _ signing: MapSigning?,
        _ console: Console
    ) async throws -> StoredRegion? {
        do {
            guard try await ImportWarning.confirm(file, in: store, console) else { return nil }
            let importer = MapImporter(store: store, name: name, routing: routing, signing: signing, console: console)
            let map = try importer.prepare(file)
            if let updated { try map.checkFit(to: updated) }
            let update = update(ImportedMapFacts(map), file, signing, of: store, console)
            let decision =
                if let updated { try await update.decide(replacing: updated) } else {
                    try await update.decide(on: map.olderVersion())
                }
            return try importer.add(map, of: file, decision)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forMap(error)
            throw error
        }
    }
}
