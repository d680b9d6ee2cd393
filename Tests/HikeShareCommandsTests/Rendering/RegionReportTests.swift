import FoundationEssentials
import PeerCore
import Sentences
import SharingTestSupport
import Testing
import TrackFiles

@testable import HikeShareCommands
@testable import RegionSharing
@testable import RegionStore
@testable import SharingReports

@Suite struct RegionReportTests {
    @Test func listsRegionsInColumns() throws {
        let other = try Sample.region(
            name: "Alps\u{1B}[2J",
            id: try Sample.uuid("AAAAAAAA-A1E3-457E-B4A3-E87F040845A4"),
            routingSize: nil,
            hikes: 0,
            plannedRoutes: 0,
            waypoints: 0
        )
        let report = PlainReport.regions([other, try Sample.region()])
        #expect(
            report.rendered(as: .text) == """
                Alps\\u{1b}[2J  2.6 MB  map
                Coma Pedrosa   2.7 MB  map, routing, 1 hike, 1 route, 46 waypoints

                """
        )
        let verbose = PlainReport.regions([other, try Sample.region()], isVerbose: true)
        #expect(
            verbose.text.string.contains("Coma Pedrosa   52C93677  12-15  2025-06-15  2.7 MB  map, routing, 1 hike")
        )
        let doubles = PlainReport.regions([try Sample.region(), try Sample.region()])
        #expect(doubles.text.string.contains("Coma Pedrosa  52C93677  2.7 MB  map"))
    }

    @Test func aLongNameIsWhole() throws {
        let name = "A region whose name says much more than names of regions usually say"
        let lines = PlainReport.regions([try Sample.region(name: name), try Sample.region()]).text.string
            .split(separator: "\n")
        #expect(lines[0].hasPrefix(name + "  2.7 MB"))
        #expect(lines[1].hasPrefix("Coma Pedrosa  "))
    }

    @Test func writesNothingForAnEmptyStore() {
        #expect(PlainReport.regions([]).rendered(as: .text).isEmpty)
        #expect(PlainReport.regions([]).rendered(as: .json).isEmpty)
    }

    @Test func listsRegionsAsOneObjectALine() throws {
        let report = PlainReport.regions([try Sample.region(), try Sample.region(name: "Two\nlines")])
        let lines = report.rendered(as: .json).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try fields(try #require(lines.first))
        #expect(first["type"] == .text("region"))
        #expect(first["id"] == .text("52C93677-A1E3-457E-B4A3-E87F040845A4"))
        #expect(first["minimumZoom"] == .number(12))
        #expect(first["mapSize"] == .number(2_613_248))
        #expect(first["createdAt"] == .text("2025-06-15T15:06:40Z"))
        #expect(
            first["bounds"]
                == .object([
                    "north": .number(42.6175), "south": .number(42.556), "east": .number(1.5255),
                    "west": .number(1.413),
                ])
        )
        #expect(try fields(lines[1])["name"] == .text("Two\nlines"))
    }

    @Test func showsEverythingAboutARegion() throws {
        let report = try detail()
        let text = try report.rendered(as: .text)
        #expect(text.hasPrefix("Coma Pedrosa\n  Area     9.2 × 6.8 km, "))
        #expect(text.contains("  Map      2.6 MB, zooms 12-15\n"))
        #expect(text.contains("  Routing  98 kB\n"))
        #expect(text.contains("  Added    2025-06-15\n"))
        #expect(
            text.contains("Recorded hikes\n  1  Estany\n     4.9 km, 3 h 00 min, 600 m up, 20 m down, 2025-06-15\n")
        )
        #expect(
            text.contains(
                """
                Water
                  1          Font
                  2  1987 m  Font\\u{202e}, Dry in August.

                """
            )
        )
        #expect(!text.contains("Digest") && !text.contains("42.6000° N, 1.5000° E") && !text.contains("Transfers"))
    }

    @Test func showsIdsPositionsAndTransfersOnlyOnRequest() throws {
        var report = try detail()
        report.isVerbose = true
        let text = try report.rendered(as: .text)
        #expect(text.contains("  Id       52C93677-A1E3-457E-B4A3-E87F040845A4\n"))
        #expect(text.contains("  Tiles    120, png\n") && text.contains("  Digest "))
        #expect(text.contains("  1          Font, 42.6000° N, 1.5000° E\n"))
        #expect(text.contains("received from Brave\\u{7}Marmot (\(Sample.peerID().short))  2.8 MB  completed"))
    }

    @Test func cutsNoNameAndCountsRoutesTogether() throws {
        var report = try detail()
        let long = String(repeating: "Estany ", count: 12) + "end"
        report.hikes[0].name = long
        let place = try #require(Coordinate(latitude: -0.5, longitude: 1.5))
        report.plannedRoutes = [
            PlannedRoute(
                id: try Sample.uuid(),
                name: "Pic",
                mode: .hiking,
                start: place,
                end: place,
                viaPoints: [],
                coordinates: [place],
                turnInstructions: [],
                totalDistance: 1000,
                estimatedDuration: 60,
                elevationGain: 0,
                elevationLoss: 0,
                createdAt: Sample.date
            )
        ]
        report.waypoints[0].label = long
        report.waypoints[0].coordinate = place
        let text = try report.rendered(as: .text)
        #expect(text.contains("  1  \(long)\n     4.9 km"))
        #expect(text.contains("Planned routes\n  2  Pic\n     1.0 km"))
        #expect(text.contains("  1          \(long)\n"))
    }

    @Test func showsTheDateOfAMapThatHasOne() throws {
        var report = try detail()
        report.region.mapDate = Sample.date - 30 * 86_400
        #expect(try report.rendered(as: .text).contains("zooms 12-15, of 2025-05-16\n"))
        let line = try fields(try #require(try report.rendered(as: .json).split(separator: "\n").first))
        #expect(line["mapDate"] == .text("2025-05-16T15:06:40Z"))
        #expect(line["addedAt"] == .text("2025-06-15T15:06:40Z"))
    }

    @Test func saysThatAMapWasUpdated() throws {
        var stored = StoredRegion(region: try Sample.region(), isNew: false, hasKnownTiles: true)
        stored.isUpdate = true
        let report = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(
            report.text.string == """
                New map of Coma Pedrosa: 9.2 × 6.8 km, 2.6 MB; \
                kept: 1 recorded hike, 1 planned route and 46 waypoints
                """
        )
        #expect(try fields(report.rendered(as: .json))["isUpdate"] == .bool(true))
        var difference = MapDifference(tileCount: 120)
        difference.changed = .init(numbers: 100..<112)
        stored.difference = difference
        let counted = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(counted.text.string.contains("2.6 MB; 12 of 120 tiles differ; kept: "))
        #expect(try fields(counted.rendered(as: .json))["newTiles"] == .number(12))
        stored.changedRoutes = ChangedRoutes(names: ["Ridge"], tileCount: 5)
        let located = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(located.text.string.contains("; 12 of 120 tiles differ, 5 of them on “Ridge”; kept: "))
        // The numbers that are told are those of places, and what is gone is said with its zooms: 341 to 1,364 are of zoom 5.
        difference.added = .init(numbers: [400])
        difference.gone = .init(numbers: 341..<356)
        stored.difference = difference
        let all = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        let words =
            "12 of 120 tiles differ, 1 more is new, 5 of them on “Ridge”; 15 of 134 tiles are gone (zoom 5); kept: "
        #expect(all.text.string.contains(words), "\(all.text.string)")
        let fields = try fields(all.rendered(as: .json))
        #expect(fields["newTiles"] == .number(13) && fields["addedTiles"] == .number(1))
        #expect(fields["goneTiles"] == .number(15) && fields["goneZooms"] == .list([.number(5)]))
        stored.difference = MapDifference(tileCount: 12)
        stored.union = .init(older: 1, unknown: 2)
        let kept = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false).text.string
        #expect(kept.hasPrefix("No tile of the part is newer than the map of Coma Pedrosa: "))
        #expect(kept.contains("1 of yours is newer and stays; 2 of yours stay, because nobody knows which are newer"))
        stored.union = nil
        stored.isPart = true
        let part = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(part.text.string.hasPrefix("Added a part to the map of Coma Pedrosa: "))
        stored.isUpdate = false
        let known = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(known.text.string.hasPrefix("You already have all tiles of this part: Coma Pedrosa"))
    }

    /// All pieces of a long list have the same columns at any width, and each category has one title.
    @Test(arguments: [nil, 80, 60, 40]) func aLongListIsOneTable(width: Int?) throws {
        var report = try detail()
        let place = try #require(Coordinate(latitude: 42.6, longitude: 1.5))
        report.waypoints = try (0..<200).map { number in
            Waypoint(
                id: try Sample.uuid(),
                coordinate: place,
                elevation: number.isMultiple(of: 3) ? nil : Double(10 * number),
                time: Sample.date,
                label: number == 150 ? "The spring of the Coma de Varilles beside the path" : "Font",
                category: number < 100 ? .waterSource : .custom
            )
        }
        let lines = try report.rendered(as: .text, in: OutputStyle(width: width, hasColor: false)).split(
            separator: "\n"
        )
        #expect(lines.count { $0 == "Water" } == 1 && lines.count { $0 == "Other places" } == 1)
        let fonts = lines.filter { $0.hasSuffix("Font") }
        #expect(fonts.count == 199 && fonts.allSatisfy { $0.count == 19 }, "\(fonts)")
        #expect(lines.contains { $0.hasPrefix("  151          The spring") }, "\(lines)")
    }

    @Test func anItemThatCannotBeReadHasANumber() throws {
        let report = RegionItemsReport(
            kind: .hike,
            items: [(3, .unreadable(.hike, name: "Pic"))]
        )
        #expect(report.rendered(as: .text) == "\nRecorded hikes\n  3  Pic: cannot be read\n")
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("unreadableItem") && line["kind"] == .text("hike"))
        #expect(line["number"] == .number(3) && line["name"] == .text("Pic"))
    }

    @Test func showsEveryPartAsALineOfJSON() throws {
        let types = try detail().rendered(as: .json).split(separator: "\n").map { try fields($0)["type"] }
        #expect(types == ["region", "hike", "waypoint", "waypoint", "transfer"].map { JSONValue.text($0) })
    }

    @Test func tellsWhatAMapImportDid() throws {
        let region = try Sample.region()
        let stored = StoredRegion(region: region, isNew: true, hasKnownTiles: true)
        let new = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: true)
        #expect(
            new.text.string
                == "Imported Coma Pedrosa: 9.2 × 6.8 km, 2.6 MB, with routing"
        )
        let again = StoredRegion(region: region, isNew: false, hasKnownTiles: true)
        let old = ImportedMap(file: "a.mbtiles", stored: again, hasNewRouting: false)
        #expect(old.text.string == "You already have this map: Coma Pedrosa")
        let line = try fields(old.rendered(as: .json))
        #expect(line["type"] == .text("importedMap"))
        #expect(line["isNew"] == .bool(false))
        #expect(line["hasKnownTiles"] == .bool(true))
    }

    @Test func warnsOfAMapWhoseTilesAreNoTiles() throws {
        let stored = StoredRegion(region: try Sample.region(), isNew: true, hasKnownTiles: false)
        let report = ImportedMap(file: "a.mbtiles", stored: stored, hasNewRouting: false)
        #expect(report.text.string.contains("\nWarning: the first tiles are not PNG, JPEG, WebP or vector tiles"))
        #expect(try fields(report.rendered(as: .json))["hasKnownTiles"] == .bool(false))
    }

    @Test func tellsWhatAGPXImportDid() throws {
        var waypoints = MergeCounts()
        waypoints.added = 40
        waypoints.updated = 1
        waypoints.unchanged = 5
        let imported = GPXImport(
            region: try Sample.region(),
            hikes: MergeCounts(),
            plannedRoutes: MergeCounts(),
            waypoints: waypoints
        )
        let report = ImportedTracks(file: "a.gpx", imported: imported)
        #expect(
            report.text.string
                == "To Coma Pedrosa: 46 waypoints (40 added, 1 updated, 5 already there)"
        )
        var partly = imported
        partly.leftOut = ["1 point without a valid position", "x:power\u{1B} (3 times)", "the file's own copyright"]
        #expect(
            ImportedTracks(file: "a.gpx", imported: partly).text.string.hasSuffix(
                "\nLeft out of a.gpx: 1 point without a valid position, x:power\\u{1b} (3 times)"
            )
        )
        var same = partly
        same.waypoints = MergeCounts()
        same.waypoints.unchanged = 46
        same.leftOut = ["the file's own description"]
        #expect(ImportedTracks(file: "a.gpx", imported: same).text.string == "Nothing new in a.gpx")
        let line = try fields(report.rendered(as: .json))
        #expect(line["leftOut"] == nil && line["pointsAtZero"] == nil)
        #expect(line["type"] == .text("importedGPX"))
        #expect(
            line["waypoints"]
                == .object([
                    "added": .number(40), "updated": .number(1), "unchanged": .number(5), "keptLocal": .number(0),
                ])
        )
    }

    @Test func tellsWhereTheItemsOfAFileWent() throws {
        var imported = GPXImport(
            region: try Sample.region(),
            hikes: MergeCounts(),
            plannedRoutes: MergeCounts(),
            waypoints: MergeCounts()
        )
        imported.waypoints.added = 2
        imported.outside = ["Home\u{1B}"]
        imported.damage = .endsEarly
        let report = ImportedTracks(file: "a.gpx", imported: imported)
        #expect(
            report.text.string == """
                To Coma Pedrosa: 2 waypoints
                On none of your maps, so left out of a.gpx: “Home\\u{1b}”. To add the whole file to one region:  \
                hikeshare import FILE --region Coma Pedrosa
                """
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["outside"] == .list([.text("Home\u{1B}")]) && line["damage"] == .text("endsEarly"))
        imported.outside = (1...7).map { "H\($0)" }
        imported.elsewhere = [imported]
        #expect(
            ImportedTracks(file: "a.gpx", imported: imported, isOneOfSeveral: true).text.string.hasSuffix(
                "left out of a.gpx: “H1”, “H2”, “H3”, “H4”, “H5” and 2 others. Import a map of that area, then this file again."
            )
        )
        imported.outside = []
        imported.waypoints = MergeCounts()
        #expect(
            ImportedTracks(file: "a.gpx", imported: imported, isOneOfSeveral: true).text.string
                == "Nothing new in a.gpx for Coma Pedrosa"
        )
        #expect(
            ImportedTracks.damaged("a.gpx", .endsEarly).message
                == "a.gpx ends early, so what would follow is missing. The rest was imported."
        )
    }

    @Test func manyFilesThatAreLeftOutAreNotAllNamed() {
        let files = (1...12).map {
            LeftOutFile(path: "\($0).png", why: $0 == 1 ? .photo(candidates: 0) : .unknown(nil))
        }
        let report = PlainReport.leftOut(files)
        #expect(
            report.text.string
                == "Left out: 1.png (shows no waypoint), 2.png, 3.png, 4.png, 5.png, 6.png, 7.png, 8.png, 9.png, 10.png and "
                + "2 other files"
        )
        #expect(report.payloads.count == 12)
    }

    @Test func tellsWhatToDoAfterAGPXImport() throws {
        var imported = GPXImport(
            region: try Sample.region(),
            hikes: MergeCounts(),
            plannedRoutes: MergeCounts(),
            waypoints: MergeCounts()
        )
        imported.hikes.added = 1
        imported.plannedRoutes.keptLocal = 2
        imported.pointsAtZero = 1
        let report = ImportedTracks(file: "a.gpx", imported: imported)
        #expect(
            report.text.string == """
                To Coma Pedrosa: 1 recorded hike, 2 planned routes (2 kept with your edits)
                Your versions stay, because they were edited after a.gpx was exported. To import a version of the file, remove yours \
                with 'hikeshare remove Coma Pedrosa --planned NAME', then import the file again.
                1 point of a.gpx is at 0° N, 0° E, where programs put points whose position they do not know. If it is wrong, run \
                'hikeshare open Coma Pedrosa', delete it, save the region as GPX, and import that file.
                """
        )
        #expect(try fields(report.rendered(as: .json))["pointsAtZero"] == .number(1))

        imported.pointCount = 10
        #expect(
            ImportedTracks.outsideArea("a.gpx", imported).message
                == "a.gpx is outside the area of “Coma Pedrosa”. It was imported because you chose that region."
        )
        imported.pointsInArea = 2
        #expect(
            ImportedTracks.outsideArea("a.gpx", imported).message
                == "Only 2 of the 10 points of a.gpx are in the area of “Coma Pedrosa”. It was imported because you chose that region."
        )
    }

    private func detail() throws -> RegionDetail {
        let place = try #require(Coordinate(latitude: 42.6, longitude: 1.5))
        let hike = SavedRoute(
            id: try Sample.uuid(),
            name: "Estany",
            start: place,
            end: place,
            startTime: Sample.date,
            endTime: Sample.date.addingTimeInterval(10_800),
            totalDistance: 4905,
            elevationGain: 600,
            elevationLoss: 20,
            walkingTime: 9000,
            restingTime: 1800,
            trackData: Data()
        )
        let waypoints = try ["Font", "Font\u{202E}"].map { label in
            Waypoint(
                id: try Sample.uuid(),
                coordinate: place,
                elevation: label == "Font" ? nil : 1987.4,
                time: Sample.date,
                label: label,
                note: label == "Font" ? "" : "Dry\n in August.",
                category: .waterSource
            )
        }
        let transfer = TransferHistoryEntry(
            direction: .received,
            partner: TransferPeer(id: Sample.peerID(), displayName: "Brave\u{7}Marmot"),
            regionID: try Sample.uuid(),
            regionName: "Coma Pedrosa",
            startedAt: Sample.date,
            endedAt: Sample.date,
            outcome: .completed,
            byteCount: 2_775_000
        )
        return RegionDetail(
            region: try Sample.region(),
            hikes: [hike],
            waypoints: waypoints,
            history: [transfer]
        )
    }
}
