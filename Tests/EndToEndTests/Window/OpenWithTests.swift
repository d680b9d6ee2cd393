import Foundation
import PeerTestSupport
import Testing

/// Files that the desktop gives to the window.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OpenWithTests {
    private static let start = ["map", "--window", "--no-browser", "--format", "json"]

    @Test(arguments: Browser.Engine.allCases) func theWindowAsksAndAddsThem(engine: Browser.Engine) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let map = directory.path("Coma & Pedrosa #1.mbtiles")
            try FileManager.default.copyItem(atPath: Place.example("coma-pedrosa.mbtiles"), toPath: map)
            try await laptop.map(nil, ["--window", "--no-browser", map]) { _, url in
                try await BrowserPage.with(url, in: engine) { page in
                    // Reload must not ask again.
                    try await page.wait(until: "location.hash === '' && !location.href.includes('#')")
                    try await page.wait(for: "Coma & Pedrosa #1.mbtiles")
                    #expect(try await laptop.must("list").lines("region").isEmpty)
                    try await page.click(.button("Yes"))
                    try await page.wait(for: "Sign the maps that you add")
                    try await page.click(.button("No"))
                    try await page.wait(until: "document.querySelectorAll('#regions > li').length === 1")
                }
            }
            #expect(try await laptop.must("list").lines("region").count == 1)
        }
    }

    @Test func aSecondStartGivesThemToTheOpenWindow() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let track = Place.example("pla-de-l-estany.track.gpx")
            try await laptop.start(Self.start) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"map""#) }
                let first = try #require(try JSONValue(parsing: line)["url"]?.string)
                try await laptop.start(Self.start + [track]) { second in
                    let ending = await second.ending()
                    let url = try ending.lines("map").first?["url"]?.string
                    #expect(ending.code == 0 && url == "\(first)#add=\(track)", "\(ending)")
                }
                try await BrowserPage.with(first) { page in
                    // As a browser does that shows the address on the page that is open.
                    try await page.evaluate("location.hash = '#add=\(track)'")
                    try await page.wait(for: "pla-de-l-estany.track.gpx")
                    #expect(try await page.evaluate("location.hash")?.string == "")
                }
            }
        }
    }

    @Test func whatCannotBeOpenedIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let missing = try await laptop.run("map", "--window", "--no-browser", directory.path("none.gpx"))
            #expect(missing.code == 3 && missing.words.contains("There is no file"), "\(missing)")
            let script = """
                cd '\(directory.path)' && file="$(printf 'b\\377.gpx')" && : >"$file"
                exec '\(Place.program)' map --window --no-browser --no-localsend --store a "$file"
                """
            let odd = try await ChildProcess.with("/bin/sh", ["-c", script]) { await $0.ending() }
            #expect(odd.code == 2 && odd.words.contains("is not UTF-8"), "\(odd)")
            #expect(!FileManager.default.fileExists(atPath: directory.path("a")))
        }
    }
}
