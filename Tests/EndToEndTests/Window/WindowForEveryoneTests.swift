import Foundation
import PeerTestSupport
import Testing

/// The states of the window for everyone: by keyboard alone, for a screen reader, narrow, large, dark, and in high contrast.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WindowForEveryoneTests {
    /// Links, buttons and fields that are smaller than a finger.
    private static let smallTargets = """
        [...document.querySelectorAll('a[href], button, summary, input, select')].filter((each) => {
            const dialog = document.querySelector('dialog[open]');
            if (!each.checkVisibility({ visibilityProperty: true }) || (dialog && !dialog.contains(each))) return false;
            // Credits and names on the map are words in a line.
            if (each.closest('.attribution, .leaflet-control-attribution, .about')) return false;
            const box = (each.closest('label') ?? each).getBoundingClientRect();
            return Math.min(box.width, box.height) < 24 || box.height < 44 && !each.closest('#map, nav');
        }).map((each) => each.outerHTML.slice(0, 120))
        """

    /// What is wider than the page.
    private static let overflow = """
        [...document.querySelectorAll(':root, dialog[open], #panel, #part, #details')]
            .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
            .map((each) => each.outerHTML.slice(0, 120))
        """

    private static let focused = """
        ((at) => at.id || at.getAttribute('aria-label') || at.textContent.trim() || at.type)(document.activeElement)
        """

    /// Expects that a state is usable for everyone, whatever the person has set.
    private static func expectUsable(
        _ page: BrowserPage,
        _ state: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        func expectNone(_ found: [String], _ what: String) {
            #expect(found == [], "\(state): \(what)", sourceLocation: location)
        }
        func list(_ expression: String) async throws -> [String] {
            try await page.evaluate(expression)?.array.compactMap(\.string) ?? ["?"]
        }
        expectNone(try await page.accessibilityProblems(), "axe")
        expectNone(try await list(smallTargets), "small")
        // The last one is a wide window at 200 %.
        for (width, zoom) in [(320.0, 1.0), (360, 1), (1280, 2)] {
            try await page.setSize(width: width, zoom: zoom)
            expectNone(try await list(overflow), "too wide for \(width) at \(zoom)")
        }
        try await page.setSize(width: 360)
        expectNone(try await page.accessibilityProblems(), "axe, narrow")
        expectNone(try await list(smallTargets), "small, narrow")
        try await page.setSize(width: 1000)
        for features in [
            ["prefers-color-scheme": "dark"], ["prefers-color-scheme": "light", "forced-colors": "active"],
        ] {
            try await page.setMedia(features)
            expectNone(try await page.accessibilityProblems(), "axe, \(features)")
        }
        try await page.setMedia(["forced-colors": "none"])
        #expect(
            try await page.evaluate("document.getAnimations().length")?.int == 0,
            "\(state)",
            sourceLocation: location
        )
    }

    /// Presses the Tab key until the focus is on something of this name; it is seen on everything that it passes.
    private static func tab(
        to name: String,
        backwards: Bool = false,
        on page: BrowserPage,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<60 {
            try await page.press(backwards ? "Shift+Tab" : "Tab")
            let outline = """
                document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'
                """
            let now = try await page.evaluate(focused)?.string ?? ""
            #expect(try await page.evaluate(outline)?.bool == true, "\(now)", sourceLocation: location)
            if now.hasPrefix(name) { return }
        }
        Issue.record("The focus does not come to \(name).", sourceLocation: location)
    }

    private static func expectFocus(_ name: String, on page: BrowserPage, by focus: String = focused) async throws {
        let name = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
        // A dialog has the focus before what it asks for is there.
        try await page.wait(until: "(\(focus)) === \(name)")
    }

    @Test func anEmptyWindow() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await laptop.window(in: .chromium) { page in
                try await page.wait(for: "You have no maps yet.")
                try await Self.expectUsable(page, "empty")
                // First things first.
                for name in ["window-quit", "Receive a map", "Add files", "Add a folder", "Other ways"] {
                    try await page.press("Tab")
                    try await Self.expectFocus(name, on: page)
                }
                try await page.press("Enter")
                for name in ["Keep my maps up to date", "Machines you trust", "Something does not work?"] {
                    try await Self.tab(to: name, on: page)
                    try await page.press("Enter")
                }
                try await page.wait(for: "Your own id:")
                try await Self.expectUsable(page, "everything unfolded")
                #expect(try await page.problems() == [])
            }
        }
    }

    @Test func regionsAndDialogs() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let names = [
                "<b onclick=alert(1)>Ari</b>nsal", String(repeating: "W", count: 200), "\u{5D7}\u{5E8}\u{5DE}",
            ]
            for (number, name) in names.enumerated() {
                let path = directory.path("\(number).mbtiles")
                try MapMaker.make(path, name: name, seed: UInt64(number + 1))
                try await laptop.must("import", path)
            }
            try await laptop.window(in: .chromium) { page in
                try await page.wait(until: "document.querySelectorAll('#regions > li').length === 4")
                try await Self.expectUsable(page, "list")
                try await Self.tab(to: "Send \(Example.name)", on: page)
                try await page.press("Enter")
                try await page.click(.button("Which parts of it"))
                try await page.wait(for: "Heart rates")
                try await page.click("#window-several > summary")
                try await Self.expectUsable(page, "sending")
                try await page.click(.button("More about \(Example.name)"))
                try await page.wait(for: "OpenStreetMap")
                try await Self.expectUsable(page, "facts")
                for (words, name) in [("Export", "on"), ("Rename", Example.name), ("Remove", "Cancel")] {
                    let opener = "\(words) \(Example.name)"
                    try await page.evaluate(
                        "[...document.querySelectorAll('button')].find((at) => at.ariaLabel === '\(opener)').focus()"
                    )
                    try await page.press("Enter")
                    try await page.wait(until: "document.querySelector('dialog')?.contains(document.activeElement)")
                    if words != "Export" {
                        let focus = "document.activeElement.value || document.activeElement.textContent"
                        try await Self.expectFocus(name, on: page, by: focus)
                    }
                    try await Self.expectUsable(page, words)
                    try await page.press("Escape")
                    try await page.wait(until: "!document.querySelector('dialog[open]')")
                    try await Self.expectFocus(opener, on: page)
                }
                #expect(try await page.problems() == [])
            }
        }
    }

    @Test func theMapWithItsModes() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.window(in: .chromium) { page in
                try await page.click(.link(Example.name))
                try await page.wait(
                    until: "document.documentElement.dataset.ready === 'yes' && window.view?.waypoints.places.length"
                )
                try await Self.expectUsable(page, "map")
                try await page.click(.button("Add a waypoint"))
                try await Self.expectUsable(page, "marking")
                try await Self.tab(to: "Add in the middle", on: page)
                try await page.press("Enter")
                try await page.wait(until: "!!document.activeElement.closest('dialog')")
                try await Self.expectUsable(page, "a new waypoint")
                try await page.press("Escape")
                try await page.wait(until: "!document.querySelector('dialog[open]')")
                try await Self.expectFocus("Add in the middle", on: page)
                try await page.click(.button("Send a part of the map"))
                try await page.wait(until: "document.querySelector('#part .size').textContent.includes(' tiles')")
                try await Self.expectFocus("part-title", on: page)
                try await Self.expectUsable(page, "a rectangle")
                try await page.click(.role("radio", "A strip"))
                try await Self.expectUsable(page, "a strip")
                #expect(try await page.problems() == [])
            }
        }
    }

    /// A question has the focus once; an answer, and what ends, leave it on the title of what happens.
    @Test func questionsAndProgress() async throws {
        try await TwoHosts.with(.v4, rate: "200mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let anna = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let ben = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try MapMaker.make(directory.path("map"), tiles: 4, tileLength: 500_000)
                try await anna.must("import", directory.path("map"), "--name", "Nordkette")
                try await anna.send("Nordkette") { _ in
                    try await ben.window(in: .chromium) { page in
                        try await Self.tab(to: "Receive a map", on: page)
                        try await page.press("Enter")
                        try await page.wait(until: "!!document.activeElement.closest('#window-question form')")
                        try await Self.expectUsable(page, "the question for a name")
                        try await page.press("B", "e", "n", "Enter")
                        try await page.wait(for: "Take it?")
                        try await page.wait(until: "document.activeElement.id === 'window-question'")
                        // With the focus, a screen reader says what is asked.
                        let described = """
                            document.activeElement.getAttribute('aria-describedby').split(' ')
                                .map((id) => document.getElementById(id).textContent).join(' ')
                            """
                        #expect(try await page.evaluate(described)?.string?.contains("Take it?") == true)
                        try await Self.expectUsable(page, "the question for an offer")
                        try await Self.tab(to: "Yes", on: page)
                        // The question takes the focus only once.
                        try await page.evaluate("appWindow.look()")
                        try await Self.expectFocus("Yes", on: page)
                        try await hosts.shape(rate: "1mbit")
                        try await page.press("Enter")
                        try await page.wait(
                            until: "(document.querySelector('#window-progress progress')?.value ?? 0) > 0"
                        )
                        try await Self.expectFocus("window-title", on: page)
                        // What changes all the time is not said.
                        #expect(try await page.evaluate("appWindow.part('status').textContent")?.string == "")
                        let said =
                            "document.querySelector('#window-progress').closest('[role=log], [role=status]') === null"
                        #expect(try await page.evaluate(said)?.bool == true)
                        try await Self.expectUsable(page, "progress")
                        try await hosts.shape(rate: "200mbit")
                        try await page.wait(for: "Received Nordkette")
                        try await page.wait(until: "!appWindow.isRunning")
                        try await Self.expectFocus("window-title", on: page)
                        try await Self.expectUsable(page, "received")

                        // Without an answer of the program, and with one again.
                        try await Self.tab(to: "Receive a map", backwards: true, on: page)
                        try await page.evaluate(
                            """
                            window.realFetch = window.fetch;
                            window.fetch = async () => { throw new TypeError('nobody is there'); };
                            0
                            """
                        )
                        try await page.wait(until: "appWindow.isLost")
                        try await Self.expectUsable(page, "no answer")
                        try await page.evaluate("window.fetch = window.realFetch; 0")
                        try await page.wait(until: "!appWindow.isLost")
                        try await Self.expectFocus("Receive a map", on: page)
                        #expect(try await page.problems() == [])
                    }
                }
            }
        }
    }
}
