import Foundation
import PeerTestSupport
import Testing

/// Routes that a person plans on the map: by mouse, by touch and by keyboard, with and without a routing database.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PlanningTests {
    /// Arinsal, the Pic de Comapedrosa, the hut below it, and a place above Arinsal.
    private static let arinsal = (42.5721, 1.4841)
    private static let summit = (42.5903, 1.4443)
    private static let hut = (42.5791, 1.4441)
    private static let above = (42.5850, 1.4700)

    /// Shows the example region, with the tool for planning switched on.
    private static func with(
        _ engine: Browser.Engine = .chromium,
        hasRouting: Bool = true,
        width: Int = 1280,
        height: Int = 800,
        _ body: (_ laptop: Laptop, _ page: BrowserPage) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            if hasRouting {
                try await Example.put(on: laptop)
            } else {
                try await laptop.must("import", Example.map, "--name", Example.name)
            }
            try await laptop.map(Example.name) { _, url in
                try await BrowserPage.with(url, in: engine, on: laptop, width: width, height: height) { page in
                    try await page.wait(until: "document.documentElement.dataset.ready === 'yes' && !!window.plan")
                    try await page.evaluate("void view.map.setView([42.581, 1.462], 14, { animate: false })")
                    try await page.click(.button("Plan a route"))
                    try await body(laptop, page)
                    // Firefox warns of what Leaflet reads of pointers.
                    #expect(try await page.problems().filter { !$0.contains("is deprecated") } == [])
                }
            }
        }
    }

    @Test(arguments: Browser.Engine.allCases) func aRouteIsPlannedChangedAndSaved(engine: Browser.Engine) async throws {
        try await Self.with(engine) { laptop, page in
            #expect(try await page.text(of: ".bar").contains("Tap the start, or move the map."))
            try await page.tap(Self.arinsal, count: 1)
            try await page.tap(Self.hut, count: 2)
            try await page.planned()
            let words = try await page.text(of: "#plan")
            #expect(words.contains("up") && words.contains("about") && words.contains("on\u{A0}paths"), "\(words)")
            #expect(words.contains("T2, mountain hiking") || words.contains("T4, alpine hiking"), "\(words)")
            #expect(try await page.evaluate("document.querySelector('#plan .profile svg') !== null")?.bool == true)
            #expect(try await page.accessibilityProblems() == [])

            // The end becomes a place between.
            try await page.tap(Self.summit, count: 3)
            try await page.planned()
            let far = try await page.distance()
            try await page.press("Backspace")
            try await page.wait(until: "plan.plan.places.length === 2")
            try await page.planned()
            #expect(try await page.distance() < far)
            // A place is dragged, and then the line.
            let end = try await page.fraction(of: Self.hut)
            let other = try await page.fraction(of: Self.above)
            try await page.drag(over: "#map", along: BrowserPage.steps(from: end, to: other))
            try await page.wait(until: "plan.plan.places[1].lng > \(Self.hut.1 + 0.005)")
            try await page.planned()
            try await page.press("Control+z")
            try await page.wait(until: "Math.abs(plan.plan.places[1].lat - \(Self.hut.0)) < 0.001")
            try await page.planned()
            try await page.dragLine(to: Self.above)
            try await page.wait(until: "plan.plan.places.length === 3")
            try await page.planned()
            #expect(try await page.evaluate("view.map.dragging.enabled()")?.bool == true)

            try await page.click(.button("Save the route"))
            try await page.type("To the hut <i>", into: .field("Name"))
            #expect(try await page.accessibilityProblems() == [])
            try await page.press("Enter")
            try await page.wait(until: "view.selected?.name === 'To the hut <i>' && view.tools.mode === null")
            #expect(try await page.text(of: "#facts").contains("2 planned routes"))
            let routes = try await laptop.must("show", Example.name).lines("plannedRoute")
            let saved = try #require(routes.first { $0["name"]?.string == "To the hut <i>" }, "\(routes)")
            #expect(saved["distance"]?.double ?? 0 > 1000, "\(saved)")
        }
    }

    /// Another way is chosen by its button and by a tap on its line, and kept when the route goes on.
    @Test func anotherWayIsChosen() async throws {
        try await Self.with { laptop, page in
            try await page.evaluate("void view.map.setView([42.596, 1.44], 13, { animate: false })")
            try await page.tap((42.580286, 1.457991), count: 1)
            try await page.tap((42.612759, 1.421491), count: 2)
            try await page.planned()
            let best = try await page.distance()
            try await page.click(.button("Way 2"))
            try await page.wait(until: "plan.plan.chosen === 1")
            #expect(try await page.distance() > best)
            #expect(try await page.accessibilityProblems() == [])
            // The middle of the line that is thin now.
            let middle = try await page.middle(ofWay: 0)
            try await page.drag(over: "#map", along: [middle, middle])
            try await page.wait(until: "plan.plan.chosen === 0 && plan.plan.places.length === 2")
            try await page.press("Backspace")
            try await page.wait(until: "plan.plan.chosen === 1 && !plan.plan.isAsking")
            let other = try await page.distance()
            try await page.tap((42.605843, 1.459032), count: 4)
            try await page.planned()
            #expect(try await page.distance() > other)
        }
    }

    @Test func aRouteIsPlannedWithTheKeyboardAlone() async throws {
        try await Self.with { laptop, page in
            try await page.evaluate("void view.map.getContainer().focus()")
            for (place, count) in [(Self.arinsal, 1), (Self.hut, 2)] {
                try await page.evaluate("void view.map.setView([\(place.0), \(place.1)], 15, { animate: false })")
                try await page.press("Enter")
                try await page.wait(until: "plan.plan.places.length === \(count)")
            }
            try await page.planned()
            // The places are buttons that the arrow keys move.
            try await page.evaluate("document.querySelector('.plan-handle.end').focus()")
            let name = try await page.evaluate("document.activeElement.ariaLabel")?.string
            #expect(name == "Place 2 of 2. The arrow keys move it, Delete removes it.")
            let before = try await page.evaluate("plan.plan.places[1].lng")?.double ?? 0
            try await page.press("ArrowRight")
            try await page.wait(until: "plan.plan.places[1].lng > \(before)")
            try await page.press("Enter")
            try await page.wait(until: "document.activeElement.textContent === 'Remove the place'")
            try await page.press("Escape")
            try await page.wait(until: "document.activeElement.className.includes('plan-handle')")
            try await page.press("Delete")
            try await page.wait(until: "plan.plan.places.length === 1")
            try await page.press("Control+z")
            try await page.wait(until: "plan.plan.places.length === 2")
            try await page.planned()
            // Escape ends the tool, and the plan is there when it begins again.
            try await page.press("Escape")
            try await page.wait(until: "view.tools.mode === null && document.getElementById('plan').hidden")
            try await page.click(.button("Plan a route"))
            try await page.wait(until: "plan.plan.places.length === 2 && !document.getElementById('plan').hidden")
        }
    }

    @Test func aRouteIsPlannedWithAFinger() async throws {
        try await Self.with(width: 360, height: 740) { laptop, page in
            try await page.evaluate("void view.map.setView([42.577, 1.464], 13, { animate: false })")
            for (place, count) in [(Self.arinsal, 1), (Self.hut, 2)] {
                try await page.touch("#map", along: [try await page.fraction(of: place)])
                try await page.wait(until: "plan.plan.places.length === \(count)")
            }
            try await page.planned()
            try await page.dragLine(to: Self.above, withFinger: true)
            try await page.wait(until: "plan.plan.places.length === 3")
            try await page.planned()
            #expect(try await page.evaluate("document.documentElement.scrollWidth <= innerWidth")?.bool == true)
            let small = try await page.evaluate(
                """
                [...document.querySelectorAll('#plan button, .bar button, .tools button, .plan-handle')]
                    .filter((each) => each.checkVisibility() && each.offsetHeight < 43.9).map((each) => each.outerHTML)
                """
            )
            #expect(small?.array.isEmpty == true, "too small for a finger: \(small ?? .null)")
        }
    }

    @Test func withoutARoutingDatabaseStraightLinesAreDrawn() async throws {
        try await Self.with(hasRouting: false) { laptop, page in
            try await page.tap(Self.arinsal, count: 1)
            try await page.tap(Self.hut, count: 2)
            try await page.planned()
            try await page.wait(for: "No routing data: straight lines between the places.")
            #expect(try await page.text(of: ".bar").contains("3.4 km · straight lines"))
            #expect(try await page.evaluate("document.querySelector('#plan .profile')")?.string == nil)
            #expect(try await page.accessibilityProblems() == [])
            try await page.click(.button("Save the route"))
            try await page.type("As the crow flies", into: .field("Name"))
            try await page.press("Enter")
            try await page.wait(until: "view.selected?.name === 'As the crow flies'")
            let routes = try await laptop.must("show", Example.name).lines("plannedRoute")
            #expect(routes.map { $0["name"]?.string } == ["As the crow flies"])
        }
    }

    @Test func whereTheWaysEndIsSaid() async throws {
        try await Self.with { laptop, page in
            try await page.tap(Self.arinsal, count: 1)
            try await page.evaluate("void view.map.setView([42.66, 1.46], 14, { animate: false })")
            try await page.click(.button("Add the middle"))
            try await page.wait(for: "Place 2 is too far from all ways of the routing data: the nearest is")
            #expect(try await page.accessibilityProblems() == [])
            #expect(try await page.evaluate("document.querySelector('#plan .action').checkVisibility()")?.bool == false)
            try await page.click(.button("Clear"))
            try await page.wait(until: "document.getElementById('plan').hidden && plan.plan.places.length === 0")
            try await page.press("Backspace")
            try await page.wait(until: "plan.plan.places.length === 2")
        }
    }

    /// A page that is a file, or that a phone sees, plans nothing.
    @Test func aFileHasNoPlanning() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let file = directory.path("region.html")
            try await laptop.must("export", Example.name, "--html", file)
            let report = try await Browser.open(
                "file://" + file,
                evaluating: ["document.querySelector('[aria-label=\"Plan a route\"]') === null && !window.plan"]
            )
            #expect(report.ready == "yes" && report.values == [.bool(true)], "\(report)")
        }
    }
}

extension BrowserPage {
    /// Where a place is on the map, as fractions of its width and height.
    fileprivate func fraction(of place: (Double, Double)) async throws -> (Double, Double) {
        let found = try await evaluate(
            """
            (() => {
                const [place, size] = [view.map.latLngToContainerPoint([\(place.0), \(place.1)]), view.map.getSize()];
                return [place.x / size.x, place.y / size.y];
            })()
            """
        )
        let numbers = found?.array.compactMap(\.double) ?? []
        try #require(numbers.count == 2)
        return (numbers[0], numbers[1])
    }

    /// Clicks a place on the map, and waits until the plan has a number of places.
    fileprivate func tap(_ place: (Double, Double), count: Int) async throws {
        let place = try await fraction(of: place)
        try await drag(over: "#map", along: [place, place])
        try await wait(until: "plan.plan.places.length === \(count)")
    }

    /// Waits until the way is there that belongs to the places.
    fileprivate func planned() async throws {
        try await wait(until: "!!plan.plan.way && !plan.plan.isAsking")
    }

    /// The length of the way, in metres.
    fileprivate func distance() async throws -> Double {
        try #require(try await evaluate("plan.plan.way.distance")?.double)
    }

    /// Where the middle of a way is on the map, far from all others, as fractions of its width and height.
    fileprivate func middle(ofWay way: Int) async throws -> (Double, Double) {
        let middle = try await evaluate(
            """
            (() => {
                const points = plan.plan.points(plan.plan.ways[\(way)]);
                const others = plan.plan.ways.filter((each, index) => index !== \(way)).flatMap((each) => plan.plan.points(each));
                const apart = (point) => Math.min(1, ...others.map((other) => Plan.square(point, other)));
                const box = view.map.getBounds().pad(-0.3);
                const shown = points.slice(1).filter((point) => box.contains(point));
                return shown.reduce((best, point) => (apart(point) > apart(best) ? point : best), shown[Math.floor(shown.length / 2)]);
            })()
            """
        )
        let numbers = middle?.array.compactMap(\.double) ?? []
        try #require(numbers.count == 2)
        return try await fraction(of: (numbers[0], numbers[1]))
    }

    /// Places between two; the last ones are near each other, because a page draws the last but one where the pointer is let go.
    fileprivate static func steps(from start: (Double, Double), to end: (Double, Double)) -> [(Double, Double)] {
        [0, 0.5, 0.9, 0.97, 0.98, 0.99, 1].map {
            (start.0 + $0 * (end.0 - start.0), start.1 + $0 * (end.1 - start.1))
        }
    }

    /// Takes hold of the middle of the line, and lets it go at a place.
    fileprivate func dragLine(to place: (Double, Double), withFinger: Bool = false) async throws {
        let (start, end) = (try await middle(ofWay: 0), try await fraction(of: place))
        let places = Self.steps(from: start, to: end)
        if withFinger { try await touch("#map", along: places) } else { try await drag(over: "#map", along: places) }
    }
}
