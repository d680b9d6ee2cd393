import Foundation
import PeerTestSupport
import Testing

/// The command `map`, and its pages in a browser.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapTests {
    @Test(arguments: [(1200, false), (390, true)]) func theMapShowsTilesAndLines(width: Int, isDark: Bool) async throws
    {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name) { _, url in
                for (kind, color) in [("hike", "#c2185b"), ("planned", "#1557d6")] {
                    let report = try await Browser.open(
                        url,
                        width: width,
                        isDark: isDark,
                        evaluating: [
                            Browser.tiles, "document.getElementById('name').textContent", "document.title",
                            "getComputedStyle(document.body).backgroundColor",
                            "document.documentElement.scrollWidth <= innerWidth",
                            "document.querySelector('.attribution').textContent",
                            "document.querySelector('.leaflet-control-scale-line').textContent",
                            """
                            performance.getEntriesByType('resource').filter((each) => each.name.endsWith('.json'))
                                .map((each) => each.initiatorType)
                            """,
                        ],
                        pixels: Browser.places(along: kind)
                    )
                    #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                    #expect(report.values[0].int ?? 0 >= 2, "tiles are missing")
                    #expect(report.values[1].string == Example.name && report.values[2].string == Example.name)
                    #expect(report.values[3].string == (isDark ? "rgb(24, 28, 26)" : "rgb(253, 252, 249)"))
                    #expect(report.values[4].bool == true, "the page is wider than the window")
                    #expect(report.values[5].string?.contains("OpenStreetMap") == true)
                    #expect(report.values[6].string?.hasSuffix("m") == true)
                    // The data are loaded once, and do not wait for the scripts.
                    #expect(report.values[7].array.compactMap(\.string) == ["link"])
                    // A map of tiles has thousands of colours, a page without them some dozens.
                    #expect(report.hues > 1_000)
                    let hits = report.colors.count { $0.contains(color) }
                    // Waypoints, and the gaps of a dashed line, cover some places.
                    #expect(report.colors.count >= 10 && hits * 10 >= report.colors.count * 6, "\(kind): \(hits)")
                }
            }
        }
    }

    @Test func theListsWorkWithoutAMouse() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name) { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "[...document.querySelectorAll('#panel h2')].map((title) => title.textContent)",
                        // Buttons and inputs all have names.
                        """
                        [...document.querySelectorAll('button, input')].filter((each) =>
                            !(each.textContent || each.ariaLabel || (each.labels && each.labels.length))).length
                        """,
                        "document.querySelectorAll('#panel li button')[1].click(), document.getElementById('details').hidden",
                        "document.querySelector('.profile svg').focus(), document.activeElement.getAttribute('role')",
                        """
                        ['End', 'ArrowLeft'].map((key) => {
                            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                            return document.activeElement.getAttribute('aria-valuetext');
                        })
                        """,
                        "view.map.hasLayer(view.follower)",
                        """
                        (() => {
                            const box = document.querySelector('.profile svg').getBoundingClientRect();
                            document.querySelector('.profile svg').dispatchEvent(new PointerEvent('pointermove', {
                                clientX: box.left + box.width / 2, clientY: box.top + 10, bubbles: true }));
                            return document.querySelector('.reading').textContent;
                        })()
                        """,
                        """
                        (() => {
                            document.querySelector('#panel details li button').click();
                            return document.querySelector('.leaflet-popup .waypoint h2').textContent;
                        })()
                        """,
                        "document.querySelector('#panel li input').click(), view.map.hasLayer(view.drawn.get(view.data.lines[0]))",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                let values = report.values
                #expect(
                    values[0].array.compactMap(\.string)
                        == ["Recorded hikes (1)", "Planned routes (1)", "Waypoints (46)"]
                )
                #expect(values[1].int == 0)
                #expect(values[2].bool == false)
                #expect(values[3].string == "slider")
                let texts = values[4].array.compactMap(\.string)
                #expect(texts.first?.hasSuffix(" m at 8.0 km") == true && texts.last != texts.first, "\(texts)")
                #expect(values[5].bool == true)
                #expect(values[6].string?.hasSuffix(" at 4.0 km") == true, "\(values[6])")
                #expect(values[7].string?.isEmpty == false)
                #expect(values[8].bool == false)
            }
        }
    }

    @Test func theListOfRegionsLeadsToTheirMaps() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let id = try await Example.put(on: laptop)
            try MapMaker.make(directory.path("n.mbtiles"))
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await laptop.map { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "[...document.querySelectorAll('#regions a')].map((link) => link.href)",
                        "[...document.querySelectorAll('#regions .item-name')].map((name) => name.textContent)",
                        """
                        [...document.querySelectorAll('#regions .item-facts')]
                            .map((facts) => facts.textContent.replaceAll('\\u00a0', ' '))
                        """,
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[1].array.compactMap(\.string) == [Example.name, "Nordkette"])
                let facts = report.values[2].array.compactMap(\.string)
                let items = " · 1 recorded hike · 1 planned route · 46 waypoints"
                #expect(facts.first?.hasSuffix(items) == true, "\(facts)")
                // Nothing is said of what a region does not have.
                #expect(facts.last?.hasSuffix(" kB") == true, "\(facts)")
                let links = report.values[0].array.compactMap(\.string)
                #expect(links.first == "\(url)\(id)/")
                #expect(try await Browser.open(try #require(links.first)).ready == "yes")
            }
        }
    }

    @Test func ofTilesInAnotherFormatASentenceSaysThatTheyAreNotDrawn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let other =
                "UPDATE tiles SET tile_data = x'49492A00'; UPDATE metadata SET value = 'tiff' WHERE value = 'png'"
            try MapMaker.make(directory.path("n.mbtiles"), more: other)
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await laptop.must("waypoint", "add", "Nordkette", "47.3,11.4", "Spring")
            try await laptop.map("Nordkette") { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "document.getElementById('notice').textContent",
                        "document.querySelectorAll('img.leaflet-tile').length",
                        "document.querySelectorAll('#panel li').length",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].string?.contains("a format that this page does not draw") == true)
                #expect(report.values[1].int == 0 && report.values[2].int == 1)
            }
        }
    }

    @Test func theProfileFollowsThePointerOverALine() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map(Example.name) { _, url in
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        // The mark of the profile is on the map, above the line.
                        "view.select(view.data.lines[0], true), view.profile.choose(3), view.map.hasLayer(view.follower)",
                        """
                        (() => {
                            const sample = view.profile.samples[200];
                            const box = view.map.getContainer().getBoundingClientRect();
                            const at = view.map.latLngToContainerPoint([sample[2], sample[3]]);
                            const [clientX, clientY] = [box.left + at.x, box.top + at.y];
                            document.elementFromPoint(clientX, clientY)
                                .dispatchEvent(new MouseEvent('mousemove', { clientX, clientY, bubbles: true }));
                            return view.profile.index !== 3 && document.querySelector('.reading').textContent;
                        })()
                        """,
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].bool == true)
                #expect(report.values[1].string?.contains(" m at ") == true, "\(report.values)")
            }
        }
    }

    @Test func aTrackOfAHundredThousandPointsIsDrawn() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let points = (0..<100_000).map { index in
                let turn = Double(index) / 4000
                // Waves of a metre, as a receiver makes them.
                let wave = 1e-5 * sin(Double(index))
                return "<trkpt lat='\(42.585 + 0.02 * sin(turn) + wave)' lon='\(1.47 + 0.03 * cos(turn * 1.3))'>"
                    + "<ele>\(2000 + 500 * sin(turn / 3))</ele>"
                    + "<time>\(Date(timeIntervalSince1970: 1_750_000_000 + Double(index)).ISO8601Format())</time></trkpt>"
            }
            let gpx =
                "<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'><trk><name>Long</name><trkseg>"
                + points.joined() + "</trkseg></trk></gpx>"
            try gpx.write(toFile: directory.path("long.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("long.gpx"), "--region", Example.name)
            try await laptop.map(Example.name) { _, url in
                let long = "view.data.lines.find((line) => line.name === 'Long')"
                let report = try await Browser.open(
                    url,
                    evaluating: [
                        "\(long).segments[0].length / 2", "\(long).profile.length",
                        // The time in which all lines are drawn again, in milliseconds.
                        """
                        new Promise((done) => {
                            const start = performance.now();
                            view.map.once('moveend', () => requestAnimationFrame(() => done(performance.now() - start)));
                            view.map.panBy([100, 50], { animate: false });
                        })
                        """,
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect((1_000...10_100).contains(report.values[0].int ?? 0), "\(report.values)")
                #expect(report.values[1].int ?? 0 > 300)
                #expect(report.values[2].double ?? 10_000 < 1_500, "\(report.values)")
            }
        }
    }
}
