import Foundation
import PeerTestSupport
import Testing

/// What a person does in the window with regions that are there: names, removal, files for other programs, and waypoints.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HousekeepingTests {
    /// A name that shows whether texts become a part of a page.
    private static let hostileName = "<b onclick=alert(1)>Ari</b>nsal & \"x\""

    /// Runs a test with the example region, and opens the list of regions.
    private static func with(
        _ body: (_ laptop: Laptop, _ page: BrowserPage) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.window(in: .chromium) { page in try await body(laptop, page) }
        }
    }

    /// Runs a program that reads a file, and returns what it writes.
    @discardableResult
    private static func read(_ program: String, _ arguments: String...) async throws -> [String] {
        let (status, output, errors) = try await ChildProcess.with(program, arguments) { await $0.complete() }
        try #require(status == .exited(0), "\(program) \(arguments): \(output) \(errors)")
        return output
    }

    @Test func aRegionIsRenamedAndRemovedAfterACopyWasSaved() async throws {
        try await Self.with { laptop, page in
            try await page.click(.selector("#regions .more summary"))
            try await page.wait(until: "document.querySelector('.region-facts').innerText.includes('OpenStreetMap')")
            try await page.click(.button("Rename \(Example.name)"))
            #expect(try await page.accessibilityProblems() == [])
            try await page.type(Self.hostileName, into: .selector("dialog input"))
            try await page.press("Enter")
            try await page.wait(for: "\(Example.name) is now called \(Self.hostileName)")
            #expect(try await page.text(of: "#regions .item-name") == Self.hostileName)
            #expect(try await page.evaluate("document.querySelector('b')")?.string == nil)
            // Where the person was, the page goes on.
            try await page.wait(until: "document.activeElement.textContent === 'Rename …'")

            let others = try await laptop.must("list").lines("region")
            let id = try #require(others.first?["id"]?.string)
            try await page.click(.selector("#regions .more .answers button:last-child"))
            try await page.wait(for: "Lost with it: 1 recorded hike, 1 planned route and 46 waypoints.")
            #expect(try await page.accessibilityProblems() == [])
            #expect(try await page.evaluate("document.activeElement.textContent")?.string == "Cancel")
            // Another program changes it meanwhile.
            try await laptop.must("rename", id, "Arinsal")
            try await page.click(.button("Remove for good"))
            try await page.wait(for: "changed in the meantime and was not removed.")
            try await page.wait(until: "document.querySelector('#regions .item-name').textContent === 'Arinsal'")
            try await page.click(.button("Save: Hikes, routes and waypoints"))
            try await Self.read("xmllint", "--noout", try await page.download("Arinsal.gpx"))
            try await page.click(.button("Remove for good"))
            try await page.wait(for: "Removed Arinsal")
            try await page.wait(for: "You have no maps yet.")
            #expect(try await laptop.must("list").lines("region").isEmpty)
        }
    }

    @Test func otherProgramsReadTheFiles() async throws {
        try await Self.with { laptop, page in
            try await page.click(.selector("#regions .more summary"))
            try await page.click(.button("Export \(Example.name)"))
            try await page.wait(for: "Without what concerns a person")
            #expect(try await page.accessibilityProblems() == [])
            func save(_ title: String, _ ending: String) async throws -> String {
                try await page.click(.button("Save: \(title)"))
                return try await page.download("*.\(ending)")
            }
            let gpx = try await save("Hikes, routes", "gpx")
            #expect(try await Self.read("xmllint", "--xpath", "count(//*[local-name()='wpt'])", gpx) == ["46"])
            let zip = try await Self.read("python3", "-m", "zipfile", "--list", try await save("Everything", "zip"))
            for ending in [".gpx", ".mbtiles", ".routing.db"] {
                #expect(zip.contains { $0.contains(ending) }, "\(zip)")
            }
            let map = try await save("Map (MBTiles)", "mbtiles")
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: Example.map))
            let tiles = try await Self.read("sqlite3", map, "SELECT count(*) FROM tiles")
            let osmand = try await save("Map for OsmAnd", "sqlitedb")
            #expect(try await Self.read("sqlite3", osmand, "SELECT count(*) FROM tiles") == tiles)
            let paper = try await Self.read("pdftotext", try await save("One sheet", "pdf"), "-")
            #expect(paper.contains { $0.contains(Example.name) })
            let own = try await save("One page", "html")
            let hike = try #require(try await laptop.must("show", Example.name).lines("hike").first?["name"]?.string)
            #expect(try String(contentsOfFile: own, encoding: .utf8).contains(hike))
            try FileManager.default.removeItem(atPath: own)
            try await page.click(.checkbox("Without what concerns a person"))
            let bare = try await save("One page", "html")
            #expect(try !String(contentsOfFile: bare, encoding: .utf8).contains(hike))
            #expect(try await page.problems() == [])
        }
    }

    @Test func waypointsAreAddedByMouseAndByKeyboard() async throws {
        try await Self.with { laptop, page in
            try await page.click(.link(Example.name))
            try await page.wait(
                until: "document.documentElement.dataset.ready === 'yes' && window.view?.waypoints.places.length"
            )
            try await page.click(.button("Add a waypoint"))
            try await page.drag(over: .selector("#map"), along: [(0.5, 0.45), (0.5, 0.45)])
            try await page.wait(until: "document.querySelector('dialog.window-dialog')?.open")
            #expect(try await page.accessibilityProblems() == [])
            try await page.type("Spring <i>", into: .field("Name"))
            try await page.type("Dry in August", into: .field("Note"))
            try await page.click(.selector("dialog .action"))
            let popup = "document.querySelector('.leaflet-popup')?.innerText"
            try await page.wait(until: "\(popup)?.includes('Spring <i>')")
            #expect(try await page.text(of: "#facts").contains("47 waypoints"))

            // By keyboard alone, from the button of the tool.
            try await page.evaluate("document.querySelector('.tools button[aria-label=\"Add a waypoint\"]').focus()")
            try await page.press("Enter")
            repeat {
                try await page.press("Tab")
            } while try await page.evaluate("document.activeElement.textContent")?.string != "Add in the middle"
            try await page.press("Enter")
            try await page.wait(until: "!!document.activeElement.closest('dialog')")
            try await page.press("H", "u", "t", "Enter")
            try await page.wait(until: "\(popup)?.includes('Hut')")
            try await page.click(.button("Rename the waypoint"))
            try await page.type("Refuge", into: .selector("dialog input"))
            try await page.press("Enter")
            try await page.wait(until: "\(popup)?.includes('Refuge')")
            func labels() async throws -> [String] {
                try await laptop.must("show", Example.name).lines("waypoint").compactMap { $0["label"]?.string }
            }
            #expect(try await Set(["Spring <i>", "Refuge"]).isSubset(of: labels()))
            try await page.click(.button("Remove the waypoint"))
            try await page.click(.button("Remove for good"))
            try await page.wait(until: "document.querySelector('#facts').textContent.includes('47 waypoints')")
            #expect(try await !labels().contains("Refuge"))

            try await page.evaluate("void view.map.setView([42.64, 1.47], 14, { animate: false })")
            try await page.click(.button("Add a waypoint"))
            try await page.click(.button("Add in the middle"))
            try await page.type("x", into: .field("Name"))
            try await page.press("Enter")
            try await page.wait(for: "This place is outside the map of “\(Example.name)”, so no waypoint was added.")
            #expect(try await labels().count == 47)
        }
    }
}
