import Foundation
import RegionSharing
import Sentences
import SharingReports
import SharingTestSupport

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// The screens of commands that use only the store, and errors.
extension Screens {
    // MARK: The store

    static func list(_ console: Console) throws {
        let other = try Sample.region(
            name: "Karwendel and Rofan, northern half",
            id: try Sample.uuid("AAAAAAAA-A1E3-457E-B4A3-E87F040845A4"),
            routingSize: nil,
            hikes: 0,
            plannedRoutes: 12,
            waypoints: 240,
            photos: 17
        )
        console.emit(.regions([try region(), other]))
        console.emit(.incoming(try kept().files))
    }

    static func show(_ console: Console) throws {
        let place = try Sample.place()
        let hike = SavedRoute(
            id: try Sample.uuid(),
            name: "Estany Negre and Coma Pedrosa from Arinsal",
            start: place,
            end: place,
            startTime: Sample.date,
            endTime: Sample.date.addingTimeInterval(10_800),
            totalDistance: 12_905,
            elevationGain: 1400,
            elevationLoss: 1400,
            walkingTime: 9000,
            restingTime: 1800,
            trackData: Data()
        )
        let sketch = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: try Sample.outlines())
        let names = ["Refugi de la Comapedrosa", "Font de la Coma, under the big boulder beside the path", "Font"]
        let waypoints = try names.enumerated().map { number, label in
            Waypoint(
                id: try Sample.uuid(),
                coordinate: place,
                elevation: number == 2 ? nil : 2267,
                time: Sample.date,
                label: label,
                note: number == 2 ? "dry in August" : "",
                category: number == 0 ? .shelter : .waterSource
            )
        }
        let transfer = TransferHistoryEntry(
            direction: .received,
            partner: TransferPeer(id: Sample.peerID(), displayName: name),
            regionID: try Sample.uuid(),
            regionName: "Coma Pedrosa",
            startedAt: Sample.date,
            endedAt: Sample.date,
            outcome: .completed,
            byteCount: 2_775_000
        )
        let detail = RegionDetail(
            region: try region(),
            hikes: [hike],
            waypoints: waypoints,
            history: [transfer],
            sketch: console.text { sketch }
        )
        for report in try detail.reports() { console.emit(report) }
    }

    static func foreign(_ console: Console) throws {
        let stored = StoredRegion(region: try foreignRegion(), isNew: true, hasKnownTiles: true)
        console.emit(ImportedForeignMap(file: "Andorra_europe_2.obf", stored: stored))
        let chart = try foreignRegion("Lake of the two valleys", .other, "Lake chart.kap", area: nil)
        let other = StoredRegion(region: chart, isNew: true, hasKnownTiles: true)
        console.emit(ImportedForeignMap(file: "Lake chart.kap", stored: other))
        console.emit(.regions([try region(), try foreignRegion(), chart]))
        console.emit(.details(of: try foreignRegion()))
        console.emit(.details(of: chart))
        let offered = try foreignRegion()
        let entry = ManifestEntry(
            name: ResourceName(kind: .foreign, id: offered.id),
            layout: try Sample.layout(offered.mapSize),
            digest: offered.mapDigest
        )
        console.note(
            OfferFacts(peer: Sample.remotePeer(), region: offered.region, entries: [entry], wanted: [.foreign]).text
        )
        let folder = DesktopFolder(path: "/home/anna/.cache/hikeshare/open/52C9", map: "Andorra_europe_2.obf")
        console.emit(OpenedReport(region: offered, program: nil, folder: folder))
    }

    private static func foreignRegion(
        _ name: String = "Andorra europe",
        _ format: ForeignFormat = .osmand,
        _ fileName: String = "Andorra_europe_2.obf",
        area: BoundingBox? = try? Sample.box()
    ) throws -> RegionSummary {
        var region = try Sample.region(name: name, routingSize: nil, hikes: 0, plannedRoutes: 0, waypoints: 3)
        region.foreign = ForeignMap(format: format, fileName: fileName, hasArea: area != nil)
        region.boundingBox = area ?? .earth
        (region.tileCount, region.zoomLevels, region.format, region.attribution) = (0, 0...0, nil, nil)
        region.mapDate = Sample.date
        return region
    }

    static func firstWords(_ console: Console) throws {
        console.emit(FirstWords.report([]))
        console.emit(FirstWords.report([try region()]))
    }

    static func importFiles(_ console: Console) throws {
        for isNew in [true, false] {
            let stored = StoredRegion(region: try region(), isNew: isNew, hasKnownTiles: isNew)
            console.emit(ImportedMap(file: "coma.mbtiles", stored: stored, hasNewRouting: isNew))
        }
    }

    static func peers(_ console: Console) {
        let peers = ["Anna", "Bert from the Karwendel hut"].enumerated().map { number, name in
            TrustedPeer(id: Sample.peerID(UInt8(number)), name: name, pinnedAt: Sample.date)
        }
        console.emit(PlainReport.machines(Sample.peerID(9), called: name, trusting: peers))
        console.emit(
            PlainReport.senders([Sample.discovered("Cara", 1), Sample.discovered("Dora", 2)])
        )
    }

    // MARK: Errors

    static func errors(_ console: Console) {
        let impostor = "Anna"
        let errors: [any Error] = [
            FindingError.noSender(SenderSearch(timeout: .seconds(10)), others: []),
            FindingError.noSender(
                SenderSearch(query: "Anna", timeout: .seconds(10)),
                others: [Sample.discovered("Cara", 1)]
            ),
            PeerError(
                .discoveryUnavailable,
                "Avahi is not running.",
                remedy: "Start it: sudo systemctl start avahi-daemon"
            ),
            CommandError(
                .notTrusted,
                "This is not the “\(impostor)” that you trust: it has a different key. It is another “Anna”, or someone who "
                    + "pretends to be yours.",
                remedy: ProgramRemedy.impostor(called: impostor)
            ),
            RegionStoreError(.conflict, "maps/coma.gpx already exists, and existing files are never overwritten."),
            CancellationError(),
        ]
        let misspellings = [["lst"], ["receive", "--encrypton", "none"]].compactMap { Misspelling.find(in: $0) }
        for error in errors + misspellings { console.warn(ProblemReport(error)) }
        let warning = CommandError(
            .storage,
            "The routing file of “Coma Pedrosa” is missing; the region is sent without it.",
            remedy: "Import the map again with --routing FILE."
        )
        console.warn(ProblemReport(warning, severity: .warning))
    }
}
