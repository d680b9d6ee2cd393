import Foundation
import PeerTestSupport
import Testing

/// Files that a person adds in the window.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct WindowAddTests {
    private static let files: BrowserPage.Target = "input[data-chooses=files]"

    /// Copies an example file under another name.
    private static func copy(_ name: String, to path: String) throws -> String {
        try FileManager.default.copyItem(atPath: Place.example(name), toPath: path)
        return path
    }

    /// From the first click to the map, with questions, refused files and a file of other kind.
    @Test(arguments: Browser.Engine.allCases) func filesBecomeMaps(engine: Browser.Engine) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let other = directory.path("song.mp3")
            try Data("ID3".utf8).write(to: URL(filePath: other))
            try await laptop.window(in: engine, width: 360) { page in
                try await page.wait(for: "Choose “Add files”, or drop them on this page.")
                #expect(try await page.accessibilityProblems() == [])
                try await page.choose(
                    [Example.map, Place.example("coma-pedrosa.waypoints.gpx"), other],
                    in: Self.files
                )
                try await page.wait(for: "Sign the maps that you add")
                #expect(try await page.accessibilityProblems() == [])
                try await page.click(.button("Yes"))
                try await page.wait(for: "What should others call you?")
                try await page.type("Anna", into: .field("What should others call you?"))
                try await page.press("Enter")
                try await page.wait(for: "2 of 3 files are in your maps now.")
                try await page.wait(for: "song.mp3 is not a map")
                #expect(try await page.accessibilityProblems() == [])
                try await page.click(.link("Show the map"))
                try await page.wait(until: "document.documentElement.dataset.ready === 'yes'")
                #expect(try await page.problems() == [])
            }
            let region = try #require(try await laptop.must("list").lines("region").first)
            #expect(region["waypoints"]?.int ?? 0 > 0, "\(region)")
            try Self.expectNothingLeft(of: laptop)
        }
    }

    private static func expectNothingLeft(of laptop: Laptop) throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work").isEmpty)
    }

    @Test(arguments: Browser.Engine.allCases) func filesAreDroppedOnThePage(engine: Browser.Engine) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let track = try Self.copy("pla-de-l-estany.track.gpx", to: directory.path("ü \"<b>.gpx"))
            try await laptop.window(in: engine) { page in
                try await page.wait(until: "document.querySelectorAll('#regions > li').length === 1")
                try await page.drop([track], on: "main")
                try await page.wait(for: "Nothing new in ü \"<b>.gpx")
                #expect(try await page.evaluate("document.getElementById('add-drop').hidden")?.bool == true)
                // What is no file is left to the browser.
                let text = """
                    (() => {
                        const data = new DataTransfer();
                        data.setData('text/plain', 'x');
                        const event = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });
                        document.body.dispatchEvent(event);
                        return event.defaultPrevented;
                    })()
                    """
                #expect(try await page.evaluate(text)?.bool == false)
                #expect(try await page.problems() == [])
            }
        }
    }

    /// A folder of tiles beside its waypoints, as a person drops both.
    @Test func aFolderKeepsItsForm() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let folder = directory.path("Nordkette/10/544")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: directory.path("Nordkette/.hidden"),
                withIntermediateDirectories: true
            )
            let tile = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            for path in ["Nordkette/10/544/359.png", "Nordkette/.hidden/x.png"] {
                try tile.write(to: URL(filePath: directory.path(path)))
            }
            try await laptop.window(in: .chromium) { page in
                try await page.choose([directory.path("Nordkette")], in: "input[data-chooses=folder]")
                try await page.wait(for: "Sign the maps that you add")
                try await page.click(.button("No"))
                try await page.wait(for: "“Nordkette” is here")
            }
            let region = try #require(try await laptop.must("list").lines("region").first)
            #expect(region["name"]?.string == "Nordkette" && region["tiles"]?.int == 1, "\(region)")
        }
    }

    @Test func whatIsStoppedOrDeclinedAddsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let newer = directory.path("newer.mbtiles")
            var map = try Data(contentsOf: URL(filePath: Example.map))
            // The number of a user's own, which nothing reads.
            map[63] ^= 1
            try map.write(to: URL(filePath: newer))
            try await laptop.window(in: .chromium) { page in
                for end in ["Leave it out", "Stop"] {
                    try await page.choose([newer], in: Self.files)
                    if end == "Leave it out" {
                        // Maps are signed by the name of the machine.
                        try await page.type("Ben", into: .field("What should others call you?"))
                        try await page.press("Enter")
                    }
                    try await page.wait(for: "What should be done with it?")
                    #expect(try await page.accessibilityProblems() == [])
                    try await page.click(.button(end))
                    try await page.wait(for: end == "Stop" ? "Interrupted; nothing was added." : "Nothing was added.")
                }
                try await page.choose([newer], in: Self.files)
                try await page.click(.button("Add it as another map"))
                try await page.wait(for: "What should the other map be called?")
                try await page.type("Mine", into: .field("What should the other map be called?"))
                try await page.press("Enter")
                try await page.wait(for: "“Mine” is here")
            }
            #expect(
                try await laptop.must("list").lines("region").compactMap { $0["name"]?.string }.sorted() == [
                    Example.name, "Mine",
                ]
            )
            try Self.expectNothingLeft(of: laptop)
        }
    }

    /// A page of another server, in a browser of the same person, that knows the address.
    @Test func aPageOfAnotherServerAddsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.window { window in
                try await Laptop(store: directory.path("b")).window(in: .chromium) { page in
                    let list = #"{"names":["a.gpx"],"sizes":[5]}"#
                    for (action, content, type) in [
                        ("files", list, "application/json"), ("files", list, "text/plain"),
                        ("add", #"{"paths":["/etc/passwd"]}"#, "text/plain"),
                        ("block/x/0", "hello", "application/octet-stream"),
                    ] {
                        for mode in ["cors", "no-cors"] {
                            let sent = """
                                fetch('\(window.url)window/\(action)', {
                                    method: 'POST', mode: '\(mode)', headers: { 'Content-Type': '\(type)' }, body: '\(content)',
                                }).then((answer) => answer.type, () => 'failed')
                                """
                            let answer = try await page.evaluate(sent)?.string
                            #expect(["failed", "opaque"].contains(answer), "\(action) \(type) \(mode)")
                        }
                    }
                }
                #expect(try await window.state()["job"]?.int == 0)
            }
        }
    }
}
