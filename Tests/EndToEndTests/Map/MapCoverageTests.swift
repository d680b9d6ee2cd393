import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Pages of maps that are no rectangle of tiles at each zoom level.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapCoverageTests {
    /// A red image of one pixel.
    private static let red = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    )

    private struct Place: Sendable {
        var zoom: Int
        var columns: [Int]
        /// From the south.
        var rows: ClosedRange<Int>
    }

    /// A map with some zoom levels, of which the highest has a smaller area.
    private static let gaps = [
        Place(zoom: 8, columns: [133], rows: 165...165), Place(zoom: 11, columns: [1065, 1066], rows: 1322...1323),
        Place(zoom: 14, columns: Array(8524...8533), rows: 10581...10588),
    ]

    private static func make(_ path: String, _ places: [Place], bounds: String) throws {
        try MapMaker.database(path) { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES ('name', 'Odd'), ('format', 'png'), ('bounds', ?);
                    """,
                arguments: [bounds]
            )
            for place in places {
                for column in place.columns {
                    for row in place.rows {
                        try database.execute(
                            sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                            arguments: [place.zoom, column, row, red]
                        )
                    }
                }
            }
        }
    }

    /// The zoom level of the tile that is drawn in front at a place, for each zoom level of the page; 0 for none.
    private static func zooms(_ levels: ClosedRange<Int>, _ latitude: Double, _ longitude: Double) -> String {
        """
        [\(levels.map(String.init).joined(separator: ", "))].map((z) => {
            const place = view.map.project([\(latitude), \(longitude)], z).divideBy(256).floor();
            return (view.layer.parts({ x: place.x, y: place.y, z }).at(-1) || { zoom: 0 }).zoom;
        })
        """
    }

    /// What the page says of the detail, and whether the tile in the middle is coarse, at a zoom level: in the middle of the map
    /// (`left`), or at the first place to its right where zoom 11 has the nearest tile to zoom 14.
    private static func detail(_ side: String, of zoom: Int) -> String {
        """
        (() => {
            const middle = view.map.project([46.45, 7.4], 14).divideBy(256).floor();
            const columns = Array.from({ length: 16 }, (_, index) => middle.x + index);
            const right = columns.find((x) => view.layer.parts({ x, y: middle.y, z: 14 }).at(-1).zoom === 11);
            const x = '\(side)' === 'right' ? right : middle.x;
            const place = view.map.unproject([(x + 0.5) * 256, (middle.y + 0.5) * 256], 14);
            view.map.setView(place, \(zoom), { animate: false });
            const at = view.map.project(place, \(zoom)).divideBy(256).floor();
            const tile = view.layer._tiles[`${at.x}:${at.y}:\(zoom)`].el;
            return [view.coarse.textContent, String(tile.lastChild.className === 'coarse' ? 1 : 0)];
        })()
        """
    }

    @Test func theNearestZoomLevelIsDrawn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try Self.make(directory.path("gaps.mbtiles"), Self.gaps, bounds: "7.3,46.4,7.5,46.5")
            try await laptop.must("import", directory.path("gaps.mbtiles"))
            try await laptop.map("Odd") { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        Self.zooms(6...16, 46.45, 7.4), "document.getElementById('panel').textContent",
                        "document.querySelectorAll('.leaflet-tile img').length > 0",
                        "[...document.querySelectorAll('.leaflet-tile img')].every((tile) => tile.naturalWidth === 1)",
                    ],
                    pixels: "[[window.innerWidth / 2 + 150, window.innerHeight / 2]]"
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].array.compactMap(\.int) == [8, 8, 8, 8, 11, 11, 11, 14, 14, 14, 14])
                #expect(report.values[1].string?.contains("zooms 8, 11, 14") == true, "\(report)")
                #expect(report.values[2].bool == true && report.values[3].bool == true)
                #expect(
                    report.colors.first?.contains { $0.hasPrefix("#f") && $0.hasSuffix("0000") } == true,
                    "\(report)"
                )
            }
        }
    }

    @Test func whereFinerTilesEndThePageSaysSo() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try Self.make(directory.path("gaps.mbtiles"), Self.gaps, bounds: "7.3,46.4,7.5,46.5")
            try await laptop.must("import", directory.path("gaps.mbtiles"))
            try await laptop.map("Odd") { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        Self.detail("left", of: 14), Self.detail("right", of: 14), Self.detail("right", of: 12),
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                let notes = report.values.map { $0.array.map(\.string) }
                #expect(notes == [["", "0"], ["This map has less detail here", "1"], ["", "0"]], "\(notes)")
            }
        }
    }

    @Test func aMapAcross180IsInOnePiece() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let places = [
                Place(zoom: 8, columns: [255, 0], rows: 115...116),
                Place(zoom: 9, columns: [510, 511, 0, 1], rows: 230...232),
            ]
            try Self.make(directory.path("taveuni.mbtiles"), places, bounds: "179.0,-17.5,-179.0,-16")
            let gpx = """
                <gpx version="1.1"><trk><name>Across</name><trkseg>
                <trkpt lat="-16.85" lon="179.97"/><trkpt lat="-16.86" lon="-179.99"/></trkseg></trk></gpx>
                """
            try Data(gpx.utf8).write(to: URL(fileURLWithPath: directory.path("across.gpx")))
            try await laptop.must("import", directory.path("taveuni.mbtiles"), directory.path("across.gpx"))
            try await laptop.map("Odd") { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "[view.map.getCenter().lng, view.bounds.getWest(), view.bounds.getEast()].map(Math.round)",
                        "[...view.drawn.values()].map((line) => line.stroke.getBounds())"
                            + ".every((box) => box.getEast() - box.getWest() < 0.1)",
                        Self.zooms(8...10, -16.85, 180.1),
                        "view.map.options.maxBounds.getWest() > 170",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].array.compactMap(\.int) == [180, 179, 181])
                #expect(report.values[1].bool == true && report.values[3].bool == true, "\(report)")
            }
        }
    }
}
