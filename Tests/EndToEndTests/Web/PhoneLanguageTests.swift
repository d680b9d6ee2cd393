import Foundation
import PeerTestSupport
import Testing

/// What phones get, in the languages of the people at the trailhead.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PhoneLanguageTests {
    private static let ready = "document.documentElement.dataset.ready === 'yes'"
    private static let language = "document.documentElement.lang"
    /// How far the page is wider than its window.
    private static let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    /// The languages of the program besides English.
    private static func tags() throws -> [String] {
        let folder = Place.repository + "/Sources/CTranslations/Tables"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
            .map { String($0.dropLast(".json".count)) }
    }

    /// One file serves all phones, each in its language.
    @Test func aFileWithAMapIsInTheLanguageOfItsReader() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let file = directory.path("map.html")
            try await laptop.must("export", Example.name, "--html", file)
            let tags = try Self.tags()
            try await BrowserPage.with("file://" + file, width: 360) { page in
                #expect(try await page.text(of: "#panel").contains("Recorded hikes"))
                for tag in tags {
                    try await page.setLanguage("\(tag)-XX,\(tag)")
                    _ = try await page.open("file://" + file)
                    try await page.wait(until: Self.ready + " && \(Self.language) === '\(tag)'")
                    let panel = try await page.text(of: "#panel")
                    #expect(!panel.contains("Recorded hikes") && !panel.contains("on the map"), "\(tag): \(panel)")
                    #expect(try await page.text(of: "#details-save") != "Save as GPX", "\(tag)")
                    #expect(try await page.evaluate(Self.overflow)?.int == 0, "\(tag)")
                    #expect(try await page.accessibilityProblems() == [], "\(tag)")
                }
            }
        }
    }
}
