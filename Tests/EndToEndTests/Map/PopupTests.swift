import Foundation
import PeerTestSupport
import Testing

/// What people choose on the page of a region: popups, photos, and the boxes of the lists.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PopupTests {
    /// A photo of 1600 × 1200 pixels.
    private static let photo = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAABkAAAASwAQAAAACLers6AAABAElEQVR42u3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/BuuXQABlqDd"
            + "SgAAAABJRU5ErkJggg=="
    )

    /// Two waypoints: one with a short name and a photo, one with a note of many lines.
    private static let waypoints = """
        <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="42.58" lon="1.47"><name>Hut</name><type>Food</type></wpt>
        <wpt lat="42.585" lon="1.48"><name>Long</name><desc>\(String(repeating: "All of this is a note. ", count: 200))</desc></wpt>
        </gpx>
        """

    /// Opens the waypoint of that name as its button in the list does.
    private static func open(_ name: String) -> String {
        "[...document.querySelectorAll('#panel details li button')]"
            + ".find((button) => button.querySelector('.item-name').textContent === '\(name)').click()"
    }

    /// Where things are when all is at rest, in pixels: how far the open waypoint is from the middle, the width of its popup, the
    /// distances of popup and map from the edges of what they are in, and the size of the photo.
    private static let place = """
        new Promise((done) => {
            let [last, since, frames] = ['', 0, 0];
            const tell = () => {
                // The popup moves the map, and gets its size from its photo.
                const photo = document.querySelector('.leaflet-popup img.photo');
                const [box, popup] = ['#map', '.leaflet-popup'].map((each) => document.querySelector(each).getBoundingClientRect());
                const open = [...view.waypoints.markers.values()].find((marker) => marker.isPopupOpen());
                const at = view.map.latLngToContainerPoint(open.getLatLng());
                const place = [at.x - box.width / 2, popup.width, popup.top - box.top, box.bottom - popup.bottom, box.top,
                    window.innerHeight - box.bottom, photo?.clientWidth, photo?.clientHeight];
                // At rest is what has not moved for a while: on a busy machine, the next step may be long in coming.
                if (String(place) !== last) [last, since, frames] = [String(place), performance.now(), 0];
                frames += 1;
                const moves = view.map._panAnim?._inProgress || photo && !(photo.complete && photo.clientHeight);
                if (!moves && frames > 10 && performance.now() - since > 500) return done(place);
                requestAnimationFrame(tell);
            };
            requestAnimationFrame(tell);
        })
        """

    /// Counts in `layouts` how often popups get their size and place.
    private static let countLayouts = """
        (() => {
            const update = L.Popup.prototype.update;
            window.layouts = 0;
            L.Popup.prototype.update = function () {
                // Leaflet calls it, too, before the popup is on the map.
                if (this._map) window.layouts += 1;
                return update.call(this);
            };
        })()
        """

    @Test(arguments: [1200, 390]) func whatIsChosenCanBeSeen(width: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try Self.waypoints.write(toFile: directory.path("w.gpx"), atomically: true, encoding: .utf8)
            try await laptop.must("import", directory.path("w.gpx"), "--region", Example.name)
            try #require(Self.photo).write(to: URL(fileURLWithPath: directory.path("hut.png")))
            try await laptop.must("import", directory.path("hut.png"), "--waypoint", "Hut")
            try await laptop.map(Example.name) { _, url in
                let report = try await Browser.open(
                    url,
                    width: width,
                    evaluating: [
                        // The list is below the map of a phone; what is chosen there must come into sight.
                        "document.querySelector('#panel').lastChild.scrollIntoView(), " + Self.countLayouts,
                        Self.open("Hut"), Self.place,
                        "document.querySelector('.photo-button').click(), document.getElementById('large').open",
                        "document.getElementById('large').close(), document.getElementById('large').open",
                        Self.open("Long"), Self.place,
                        "document.querySelector('.leaflet-popup-content').scrollHeight"
                            + " - document.querySelector('.leaflet-popup-content').clientHeight",
                        // The box of a category, and that of a line, say what is on the map.
                        """
                        (() => {
                            const box = view.boxes.get('food');
                            box.click();
                            const hut = view.data.waypoints.find((waypoint) => waypoint.label === 'Hut');
                            const marker = view.waypoints.markers.get(hut);
                            const hidden = view.map.hasLayer(marker);
                            view.waypoints.openWaypoint(hut);
                            return [hidden, view.map.hasLayer(marker), box.checked];
                        })()
                        """,
                        """
                        (() => {
                            const line = view.data.lines[0];
                            view.select(line, true);
                            view.boxes.get(line).click();
                            const details = document.getElementById('details').hidden;
                            view.buttons.get(line).click();
                            return [details, view.boxes.get(line).checked, document.getElementById('announcement').textContent];
                        })()
                        """,
                        """
                        ['Escape', 'Escape'].map((key) => {
                            document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                            return [!!document.querySelector('.leaflet-popup'), document.getElementById('details').hidden];
                        })
                        """,
                        "[...document.querySelectorAll('#panel .check, #panel .on-map')].map((each) => each.offsetHeight)",
                        "window.layouts",
                        // A hike that is chosen takes the place of what was open.
                        """
                        (() => {
                            const hut = view.data.waypoints.find((waypoint) => waypoint.label === 'Hut');
                            view.waypoints.openWaypoint(hut);
                            const open = !!document.querySelector('.leaflet-popup-content');
                            view.select(view.data.lines[0], true);
                            return [open, [...view.waypoints.markers.values()].some((marker) => marker.isPopupOpen())];
                        })()
                        """,
                        // What is folded away has no size.
                        "[...document.querySelectorAll('input[type=checkbox]')].filter((box) => box.offsetParent)"
                            + ".map((box) => Math.min(box.offsetWidth, box.offsetHeight))",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                let values = report.values
                try #require(values.count == 15, "\(values)")
                for place in [values[2], values[6]] {
                    let numbers = place.array.compactMap(\.double)
                    try #require(numbers.count >= 6, "\(place)")
                    #expect(abs(numbers[0]) < 40, "not in the middle: \(place)")
                    #expect(numbers[1] >= 180, "too narrow: \(place)")
                    #expect(numbers[2] >= 0 && numbers[3] >= 0, "not whole on the map: \(place)")
                    #expect(numbers[4] >= -1 && numbers[5] >= -1, "the map is out of sight: \(place)")
                }
                let photo = values[2].array.suffix(2).compactMap(\.int)
                #expect(photo.first ?? 0 >= 200 && photo.last ?? 0 >= 150, "\(photo)")
                #expect(values[3].bool == true && values[4].bool == false)
                #expect(values[7].int ?? 0 > 0, "a long note scrolls: \(values[7])")
                #expect(values[8] == .array([.bool(false), .bool(true), .bool(true)]), "\(values[8])")
                let selected = values[9].array
                #expect(selected[0].bool == true && selected[1].bool == true, "\(values[9])")
                #expect(selected[2].string?.isEmpty == false, "\(values[9])")
                #expect(values[10].array.last?.array.map(\.bool) == [false, true], "\(values[10])")
                let heights = values[11].array
                #expect(!heights.isEmpty && heights.allSatisfy { $0.int ?? 0 >= 44 }, "\(values[11])")
                #expect(values[13] == .array([.bool(true), .bool(false)]), "\(values[13])")
                let boxes = values[14].array
                #expect(!boxes.isEmpty && boxes.allSatisfy { $0.int ?? 0 >= 24 }, "\(values[14])")
                // Each of the three openings, and the photo of two of them when it is there; the last may be closed before that.
                #expect((4...5).contains(values[12].int ?? 0), "popups are laid out again and again: \(values[12])")
            }
        }
    }

    /// On a phone, a hike closes what was open, and the map stays the larger part beside its details.
    @Test func aHikeOnAPhoneLeavesTheMapItsRoom() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.map { _, url in
                let report = try await Browser.open(
                    url,
                    width: 390,
                    evaluating: [
                        "document.querySelector('#panel details li button').click(), document.querySelectorAll('.leaflet-popup').length",
                        "document.querySelector('#panel li button').click(), "
                            + "[...document.querySelectorAll('.leaflet-popup')].filter((each) => each.style.opacity !== '0').length",
                        "[view.map.getSize().y, document.getElementById('details').offsetHeight, window.innerHeight]",
                        "[...document.querySelectorAll('input[type=checkbox]')].map((box) => box.closest('label')"
                            + ".getBoundingClientRect()).filter((box) => box.width && Math.min(box.width, box.height) < 44).length",
                    ]
                )
                #expect(report.ready == "yes" && report.problems.isEmpty, "\(report)")
                #expect(report.values[0].int == 1 && report.values[1].int == 0)
                let heights = report.values[2].array.compactMap(\.int)
                #expect(heights[0] > heights[1] && heights[0] * 100 > heights[2] * 45, "\(heights)")
                #expect(report.values[3].int == 0)
            }
        }
    }
}
