import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

/// Pages of maps with vector tiles.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct VectorMapTests {
    /// Makes a map of one tile at zoom level 12 and most of those below it at 14; 13 is missing.
    private static func make(_ path: String, _ tile: [UInt8]) throws {
        try MapMaker.database(path) { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES ('name', 'Nordkette'), ('format', 'pbf'), ('bounds', '11.34,47.28,11.42,47.32');
                    """
            )
            let places = [(12, 2177, 2660)] + (0..<15).map { (14, 8708 + $0 % 4, 10640 + $0 / 4) }
            for (zoom, column, row) in places {
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                    arguments: [zoom, column, row, Data(tile)]
                )
            }
        }
    }

    /// The kinds of features that are drawn with each schema and theme.
    private static let kinds = """
        (async () => {
            const { gl } = view.layer;
            const found = [];
            for (const schema of [openMapTiles, shortbread, protomaps]) {
                for (const isStrong of [false, true]) {
                    Object.assign(view.layer, { schema, isStrong });
                    const idle = new Promise((done) => gl.once('idle', done));
                    view.layer.restyle();
                    gl.triggerRepaint();
                    await idle;
                    found.push([...new Set(gl.queryRenderedFeatures().map(({ layer }) => layer.id.split('-')[0]))].sort().join(' '));
                }
            }
            return found;
        })()
        """

    /// Moves the map, waits until everything is drawn, and returns how many features there are.
    private static func features(at zoom: Int) -> String {
        """
        (async () => {
            const drawn = new Promise((done) => view.layer.once('load', done));
            view.map.setView([47.3, 11.38], \(zoom), { animate: false });
            view.layer.gl.triggerRepaint();
            await drawn;
            return view.layer.gl.queryRenderedFeatures().length;
        })()
        """
    }

    /// The middle of the lake on the screen.
    private static let placeInTheLake = """
        (() => {
            const lake = view.layer.gl.queryRenderedFeatures().find(({ layer }) => layer.id.startsWith('water-fill'));
            const [west, north] = lake.geometry.coordinates[0][0];
            const [east, south] = lake.geometry.coordinates[0][2];
            const box = document.getElementById('map').getBoundingClientRect();
            const { x, y } = view.map.latLngToContainerPoint([(north + south) / 2, (west + east) / 2]);
            return [[box.left + x, box.top + y]];
        })()
        """

    @Test func vectorTilesOfEverySchemaAreDrawn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try Self.make(directory.path("n.mbtiles"), VectorTile.hike.bytes)
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await laptop.must("waypoint", "add", "Nordkette", "47.3,11.4", "Spring")
            try await laptop.map("Nordkette") { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "view.layer.schema.name", Self.kinds, Self.features(at: 16), Self.features(at: 14),
                        Self.features(at: 13),
                        "performance.getEntriesByType('resource').every(({ name }) => new URL(name).origin === location.origin)",
                        "new Promise((done) => { view.layer.gl.once('idle', () => done(view.layer.themeName())); "
                            + "document.querySelector('.strong-colors').click(); })",
                        "document.getElementById('notice').hidden",
                        // What is printed is what was drawn last.
                        "view.layer.gl.getCanvas().getContext('webgl2').getContextAttributes().preserveDrawingBuffer",
                    ],
                    pixels: Self.placeInTheLake
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].string != nil, "\(report)")
                let kinds = report.values[1].array.compactMap(\.string)
                #expect(kinds.count == 6)
                for found in kinds {
                    for kind in ["contour", "hut", "major", "path", "peak", "track", "village", "water", "wood"] {
                        #expect(found.split(separator: " ").contains { $0 == kind }, "\(kind): \(found)")
                    }
                }
                // Of zoom level 14, and of 12 where 13 is missing.
                #expect(report.values[2].int ?? 0 > 5 && report.values[3].int ?? 0 > 10, "\(report)")
                #expect([5, 7, 8].allSatisfy { report.values[$0].bool == true }, "\(report)")
                #expect(report.values[6].string == "light", "\(report)")
                #expect(report.hues > 20, "\(report)")
                #expect(report.colors.first?.contains("#a8d3ec") == true, "\(report)")
            }
        }
    }

    @Test func aFileWithVectorTilesIsDrawnFromTheDisk() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            var plain = VectorTile()
            plain.add("trails", [.init(.line, [(x: 0, y: 0), (x: 4096, y: 4096)], ["name": .text("<b>x</b>")])])
            try Self.make(directory.path("n.mbtiles"), plain.bytes)
            let queue = try DatabaseQueue(path: directory.path("n.mbtiles"))
            // A tile that is damaged, and one that is something else.
            try await queue.write {
                try $0.execute(
                    sql: """
                        UPDATE tiles SET tile_data = x'1AFFFFFFFF7F00' WHERE tile_column = 8709;
                        UPDATE tiles SET tile_data = x'89504E470D0A1A0A' WHERE tile_column = 8710;
                        """
                )
            }
            try queue.close()
            try await laptop.must("import", directory.path("n.mbtiles"))
            let path = directory.path("map.html")
            let line = try await laptop.must("export", "Nordkette", "--html", path).lines("exported").first
            #expect(line?["hasTiles"] == nil, "\(String(describing: line))")
            let report = try await Browser.open(
                "file://" + path,
                evaluating: [
                    "document.getElementById('notice').textContent", Self.features(at: 15),
                    "view.layer.gl.getStyle().layers.some(({ id }) => id === 'trails-line')",
                ]
            )
            #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
            #expect(report.values[0].string?.contains("Its layers: trails.") == true, "\(report)")
            #expect(report.values[1].int ?? 0 > 0 && report.values[2].bool == true, "\(report)")
        }
    }
}
