import Foundation
import PeerTestSupport
import Testing

/// The tools of the page of a region: search, clusters, coordinates, distances, the position, the address, files, and paper.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapToolsTests {
    /// Sixty waypoints in one place, and one with accents in its name.
    private static let waypoints =
        "<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'>"
        + (1...60).map { "<wpt lat='42.600\($0 % 3)' lon='1.470\($0 % 5)'><name>Spot \($0)</name></wpt>" }.joined()
        + "<wpt lat='42.61' lon='1.5'><ele>2512</ele><name>Étang d’Ærø</name></wpt></gpx>"

    /// Types into the field of the search; returns the names that are found.
    private static func search(_ text: String) -> String {
        """
        (() => {
            const field = document.getElementById('search');
            field.value = '\(text)';
            field.dispatchEvent(new Event('input'));
            return [...document.querySelectorAll('#results .item-name')].map((name) => name.textContent);
        })()
        """
    }

    private static func press(_ button: String) -> String {
        "document.querySelector('[aria-label=\"\(button)\"]').click()"
    }

    private static let escape =
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))"

    private static let popup = "document.querySelector('.leaflet-popup-content').textContent"

    /// Opens the page, and evaluates named expressions one after the other.
    private func look(
        _ url: String,
        width: Int = 1200,
        _ expressions: [(String, String)]
    ) async throws -> [String: JSONValue] {
        let report = try await Browser.open(url, width: width, evaluating: expressions.map(\.1))
        #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
        try #require(report.values.count == expressions.count, "\(report)")
        return Dictionary(zip(expressions.map(\.0), report.values)) { $1 }
    }

    @Test func peopleFindTheirWay() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try Self.waypoints.write(toFile: directory.path("w.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("w.gpx"), "--region", Example.name)
            try await laptop.map(Example.name) { _, url in
                try await searchAndClusters(url)
                try await placesAndDistances(url)
            }
        }
    }

    private func searchAndClusters(_ url: String) async throws {
        let values = try await look(
            url,
            [
                ("found", Self.search("REFUGI comap")), ("accents", Self.search("etang d’aero")),
                ("nothing", Self.search("estany xyz")), ("many", Self.search("spot")),
                ("lists", "document.getElementById('lists').hidden"),
                (
                    "first",
                    Self.search("arcalis") + ", document.getElementById('search').dispatchEvent("
                        + "new KeyboardEvent('keydown', { key: 'Enter' })), "
                        + "document.querySelector('.leaflet-popup h2').textContent"
                ),
                ("listsAgain", Self.search("") + ", document.getElementById('lists').hidden"),
                // Each of 5,000 places is drawn once; where they are not close together, each is drawn alone.
                (
                    "clusters",
                    """
                    (() => {
                        const places = Array.from({ length: 5000 }, (_, index) =>
                            ({ x: (index * 7919 % 5000) / 5000, y: (index * 104729 % 4999) / 4999 }));
                        const { alone, clusters } = cluster(places, 10);
                        const all = new Set([...alone, ...clusters.flat()]);
                        return [all.size, alone.length + clusters.flat().length,
                            clusters.every((each) => each.length >= 5),
                            clusters.every(([one], index) => clusters.slice(index + 1).every(([other]) =>
                                Math.hypot(one.x - other.x, one.y - other.y) > 44 / 2 ** 10)), cluster(places, 20).clusters.length];
                    })()
                    """
                ),
                (
                    "cluster",
                    """
                    (() => {
                        view.map.closePopup();
                        view.map.setView([42.6, 1.47], 13);
                        const mark = [...document.querySelectorAll('.cluster')]
                            .find((each) => each.ariaLabel.startsWith('60 '));
                        mark.focus();
                        mark.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
                        return [mark.getAttribute('role'), mark.tabIndex, view.map.getZoom()];
                    })()
                    """
                ),
                // At the highest zoom level, those in the same place are a list.
                (
                    "names",
                    """
                    (() => {
                        const [places] = [...view.waypoints.clusters.keys()];
                        view.waypoints.enter(places, view.map.getCenter());
                        document.activeElement.click();
                        return document.querySelector('.leaflet-popup h2').textContent;
                    })()
                    """
                ),
                (
                    "none",
                    """
                    (() => {
                        const all = [...document.querySelectorAll('.head input')].at(-1);
                        all.click();
                        const drawn = [...view.waypoints.markers.values()].filter((each) => view.map.hasLayer(each)).length;
                        view.check('food');
                        return [drawn, document.querySelectorAll('.cluster').length, all.checked, all.indeterminate];
                    })()
                    """
                ),
                (
                    "small",
                    """
                    [...document.querySelectorAll('button, .button, nav a, summary, .leaflet-bar a, label')]
                        .filter((each) => each.checkVisibility() && each.offsetHeight < 43.9).map((each) => each.outerHTML)
                    """
                ),
            ]
        )
        func names(_ key: String) -> [String] { values[key]?.array.compactMap(\.string) ?? [] }
        #expect(names("found") == ["Refugi de la Comapedrosa"] && names("accents") == ["Étang d’Ærø"], "\(values)")
        #expect(names("nothing").isEmpty && names("many").count == 60 && values["lists"]?.bool == true, "\(values)")
        #expect(values["first"]?.string == "Pic d'Arcalís" && values["listsAgain"]?.bool == false, "\(values)")
        #expect(
            values["clusters"] == .array([.number(5000), .number(5000), .bool(true), .bool(true), .number(0)]),
            "\(values)"
        )
        #expect(values["cluster"]?.array.first?.string == "button" && values["cluster"]?.array[1].int == 0, "\(values)")
        #expect(values["cluster"]?.array.last?.int ?? 0 > 13, "\(values)")
        #expect(values["names"]?.string?.hasPrefix("Spot ") == true, "\(values)")
        #expect(values["none"] == .array([.number(0), .number(0), .bool(true), .bool(true)]), "\(values)")
        #expect(values["small"]?.array.isEmpty == true, "too small for a finger: \(values)")
    }

    private func placesAndDistances(_ url: String) async throws {
        let values = try await look(
            url,
            width: 390,
            [
                (
                    "place",
                    """
                    (() => {
                        const sample = view.data.lines[0].profile[20];
                        view.map.fire('contextmenu', { latlng: L.latLng(sample[2], sample[3]) });
                        return [\(Self.popup), `${Math.round(sample[1])} m`, Words.degrees({ lat: sample[2], lng: sample[3] })];
                    })()
                    """
                ),
                ("forms", "[Words.minutes({ lat: -33.9999999, lng: 181.5 }), Words.degrees({ lat: 1, lng: 181.5 })]"),
                (
                    "aim",
                    // From the keyboard, the next button copies.
                    Self.press("Coordinates of a place") + ", document.querySelector('.bar button').click(), "
                        + "[\(Self.popup), document.activeElement.ariaLabel, \(Self.escape), "
                        + "document.activeElement.textContent]"
                ),
                (
                    "measure",
                    Self.press("Measure a distance")
                        + """
                        , [[42.58, 1.45], [42.59, 1.45], [42.6, 1.45]].map((place) => {
                            view.map.fire('click', { latlng: L.latLng(place) });
                            return view.tools.reading.textContent;
                        })
                        """
                ),
                (
                    "undo",
                    "[...document.querySelectorAll('.bar button')].find((each) => each.textContent === 'Undo').click(), "
                        + "view.tools.reading.textContent"
                ),
                ("end", Self.escape + ", [document.querySelector('.bar').hidden, view.tools.mode]"),
                (
                    "address",
                    """
                    (() => {
                        const length = history.length;
                        view.select(view.data.lines[0], true);
                        view.address.write();
                        return [location.hash, view.data.lines[0].key, history.length - length];
                    })()
                    """
                ),
                ("whole", Self.press("Whole region") + ", view.map.getBounds().contains(view.bounds)"),
                (
                    "link",
                    """
                    new Promise((done) => {
                        addEventListener('hashchange', () => done([view.selected?.name, view.map.getZoom(),
                            view.waypoints.open?.label, document.querySelector('.leaflet-popup h2')?.textContent]));
                        const open = view.data.waypoints.find((each) => each.label.startsWith('Pic d'));
                        location.hash = `#14/${open.latitude.toFixed(5)}/${open.longitude.toFixed(5)}/${open.key}`;
                    })
                    """
                ),
                (
                    "file",
                    """
                    (async () => {
                        view.select(view.data.lines[0], true);
                        const link = document.getElementById('details-save');
                        const text = await (await fetch(link.href)).text();
                        return [link.textContent, text.includes('<trkpt'), text.includes('<wpt')];
                    })()
                    """
                ),
                (
                    "position",
                    """
                    (() => {
                        let tell = null;
                        navigator.geolocation.watchPosition = (found) => { tell = found; return 1; };
                        navigator.geolocation.clearWatch = () => { tell = null; };
                        const at = (latitude, longitude) => {
                            tell({ timestamp: 0, coords: { latitude, longitude, accuracy: 40 } });
                            // The map is moved in steps, the mark at once.
                            const [mark, middle] = [view.position.last.lat, view.map.getCenter().lat].map((each) => each.toFixed(3));
                            return [view.position.state, mark, middle, view.position.circle.getRadius()];
                        };
                        const { button } = view.position;
                        button.click();
                        const states = [at(42.59, 1.45), at(42.591, 1.451)];
                        view.map.fire('dragstart');
                        states.push(at(42.595, 1.455));
                        button.click();
                        states.push(at(42.6, 1.46));
                        button.click();
                        return [...states, [view.position.state, tell, view.map.hasLayer(view.position.dot)]];
                    })()
                    """
                ),
                (
                    "paper",
                    """
                    (() => {
                        const open = () => document.querySelectorAll('#lists details[open]').length;
                        const before = open();
                        window.dispatchEvent(new Event('beforeprint'));
                        const during = [view.map.getSize().x > 600, open() > before];
                        window.dispatchEvent(new Event('afterprint'));
                        return [...during, view.map.getSize().x < 400, open() === before];
                    })()
                    """
                ),
            ]
        )
        let place = values["place"]?.array.compactMap(\.string) ?? []
        try #require(place.count == 3)
        #expect(
            place[0].contains(place[1]) && place[0].contains(place[2]) && place[0].contains("′ N, 1° 2"),
            "\(place)"
        )
        let forms = values["forms"]?.array.compactMap(\.string)
        #expect(forms == ["34° 00.000′ S, 178° 30.000′ W", "1.00000, -178.50000"], "\(values)")
        let aim = values["aim"]?.array.map { $0.string ?? "" } ?? []
        #expect(aim.first?.hasPrefix("Place42° ") == true && aim.last == "Show the middle", "\(values)")
        #expect(aim[1].hasPrefix("Copy the coordinates 42."), "\(values)")
        let lengths = values["measure"]?.array.compactMap(\.string)
        #expect(lengths == ["0 m · 1 place", "1.1 km · 2 places", "2.2 km · 3 places"], "\(values)")
        #expect(values["undo"]?.string == "1.1 km · 2 places", "\(values)")
        #expect(values["end"] == .array([.bool(true), .null]), "\(values)")
        let address = values["address"]?.array ?? []
        #expect(address.first?.string?.hasSuffix("/" + (address[1].string ?? "?")) == true, "\(address)")
        #expect(address.last?.int == 0, "Back does not leave the page")
        #expect(values["whole"]?.bool == true, "\(values)")
        let link = values["link"]?.array ?? []
        #expect(link[0] == .null && link[1].int == 14 && link[2].string != nil && link[2] == link[3], "\(link)")
        #expect(values["file"] == .array([.string("Save as GPX"), .bool(true), .bool(false)]), "\(values)")
        let states = values["position"]?.array.map { $0.array } ?? []
        try #require(states.count == 5, "\(values)")
        #expect(states.map { $0[0].string } == ["following", "following", "showing", "following", "off"], "\(states)")
        #expect(states.dropLast().map { $0[1].string } == ["42.590", "42.591", "42.595", "42.600"], "\(states)")
        #expect(states[0][2].string == "42.590" && states[2][2].string != "42.595", "\(states)")
        #expect(states[0][3].int == 40, "\(states)")
        #expect(states[4][1] == .null && states[4][2].bool == false, "\(states)")
        #expect(values["paper"] == .array([.bool(true), .bool(true), .bool(true), .bool(true)]), "\(values)")
    }
}
