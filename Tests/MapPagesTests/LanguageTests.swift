import Foundation
import PeerTestSupport
import RegionStore
import Sentences
import Testing
import WebServer

@testable import MapPages

/// What people with phones see is in their language: pages with and without scripts, files with a map, sheets.
@Suite struct LanguageTests {
    /// What stays as it is: names of programs, of formats, of languages, and the texts of the example.
    private static let names = """
        OsmAnd Locus Map Guru Maps AlpineQuest Organic OruxMaps Coma Pedrosa GPX MBTiles ZIP PDF OpenStreetMap contributors
        elevation NASA SRTM
        """

    private static func english(in text: String, besides names: String = names) -> [String] {
        let own = Language.all.map(\.name).joined(separator: " ") + " " + names
        let known = Set(PseudoLanguage.english(in: own))
        // Names on a map are shortened.
        return PseudoLanguage.english(in: text).filter { word in !known.contains { $0.hasPrefix(word) } }
    }

    private static func get(_ path: String, _ page: SharePage, in language: Language) throws -> WebResponse {
        var request = WebRequest(try #require(WebPath(page.site.path + path)))
        request.language = language
        return page.site.respond(to: request)
    }

    @Test func thePageForPhonesIsTranslatedWhereScriptsDoNotRun() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try ExampleSite(in: directory).share(personal: false)
            let language = try PseudoLanguage.make()
            let answer = try Self.get("", page, in: language)
            let html = try #require(String(validating: answer.body, as: UTF8.self))
            #expect(html.contains(#"<html lang="he" dir="rtl" data-ready="no">"#) && answer.language == language)
            #expect(Self.english(in: PseudoLanguage.text(ofHTML: html)) == [])
            #expect(!html.contains("{{") && !html.contains("}}") && !html.contains("<!--"))
        }
    }

    @Test func thePageForPhonesIsTranslatedWhereScriptsRun() async throws {
        try await TemporaryDirectory.with { directory in
            var page = try ExampleSite(in: directory).share(personal: true)
            page.site.hasPersonal = true
            page.site.turnWords = { _, _ in Sentence("Your download is being sent.") }
            page.downloads.leaveOutPhotos(of: .html)
            let language = try PseudoLanguage.make()
            let json = try JSONSerialization.jsonObject(with: Self.get("share.json", page, in: language).content)
            let data = try #require(json as? [String: Any])
            let files = try #require(data["files"] as? [[String: Any]])
            let fields = ["title", "purpose", "detail", "personal"]
            let texts = files.flatMap { file in fields.compactMap { file[$0] as? String } }
            #expect(texts.count > 3 * files.count)
            #expect(Self.english(in: (texts + [data["turn"] as? String ?? "none"]).joined(separator: " ")) == [])
            #expect(try Self.get("share.json", page, in: .english).language == .english)
        }
    }

    @Test func theMapPageIsTranslated() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            var request = WebRequest(try #require(WebPath("/\(example.secret.text)/\(example.id.uuidString)/")))
            request.language = try PseudoLanguage.make()
            let html = String(decoding: example.site.respond(to: request).body, as: UTF8.self)
            #expect(Self.english(in: PseudoLanguage.text(ofHTML: html)) == [])
            let labels = html.matches(of: /aria-label="([^"]*)"/).map { String($0.output.1) }
            #expect(labels.count > 1 && Self.english(in: labels.joined(separator: " ")) == [])
        }
    }

    @Test func aFileWithAMapIsTranslatedWhereScriptsDoNotRun() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
            let names = try example.store.waypoints(of: example.id).flatMap { [$0.label, $0.note] }
            let lines = try example.json()["lines"] as? [[String: Any]] ?? []
            let own = names + lines.flatMap { [$0["name"], $0["comment"]].compactMap { $0 as? String } } + [Self.names]
            for highest in [13, 15] {
                var bytes: [UInt8] = []
                try file.write(file.selection(upToZoom: highest), in: PseudoLanguage.make()) { bytes += $0 }
                let page = String(decoding: bytes, as: UTF8.self)
                let pattern = /<div class="still" lang="he" dir="rtl">.*?<\/noscript>/.dotMatchesNewlines()
                let still = try #require(page.firstMatch(of: pattern))
                let text = PseudoLanguage.text(ofHTML: String(still.output))
                #expect(Self.english(in: text, besides: own.joined(separator: " ")) == [], "\(highest)")
            }
        }
    }

    @Test func aSheetIsTranslatedAndItsDescriptionHasTheLanguage() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let content = StoredRegionContent(example.id, in: example.store)
            let tiles = try #require(try OfflinePage(of: content).picture(upToZoom: .max))
            let language = try PseudoLanguage.make()
            let sheet = try content.withItems { try SheetContent($0, tiles, in: language) }
            let texts = [sheet.head.facts] + sheet.items.lines.map(\.facts) + sheet.items.markers.map(\.facts)
            #expect(Self.english(in: texts.joined(separator: " ")) == [] && sheet.head.language == "he")
            // Places are numbers for other programs, too.
            #expect(sheet.items.markers.allSatisfy { $0.place.contains(/^\d+\.\d{5}, \d+\.\d{5}$/) })
        }
    }

    @Test func aLanguageCanBeChosenWithoutScripts() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try ExampleSite(in: directory).share(personal: false)
            let html = String(decoding: try Self.get("", page, in: .english).body, as: UTF8.self)
            for language in Language.all.dropFirst() {
                #expect(html.contains(#"<a href="language/\#(language.tag)" lang="\#(language.tag)""#))
                let answer = try Self.get("language/\(language.tag)", page, in: .english)
                #expect(answer.status == .seeOther && answer.chosenLanguage == language)
                #expect(answer.location == page.site.path)
            }
            for path in ["language", "language/tlh", "language/en/", "language/en/x"] {
                #expect(try Self.get(path, page, in: .english).status == .notFound, "\(path)")
            }
        }
    }

    /// A person could give a region a name that looks like a mark of a page.
    @Test func theNamesOfPeopleAreNeverTranslated() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try ExampleSite(in: directory, name: "{{Keep the map}}").share(personal: false)
            let html = String(decoding: try Self.get("", page, in: PseudoLanguage.make()).body, as: UTF8.self)
            #expect(html.contains("<title>{{Keep the map}}</title>"))
        }
    }

    @Test func framesAreFilledInTheLanguage() throws {
        let frame = #"<html lang="en"><p title="{{Close}}">{{Keep"# + "\n  " + #"the map}}</p>{{No such sentence}}"#
        let english = #"<html lang="en"><p title="Close">Keep"# + "\n  the map</p>No such sentence"
        #expect(frame.said(in: .english) == english)
        let said = try frame.said(in: PseudoLanguage.make())
        #expect(said.hasPrefix(#"<html lang="he" dir="rtl"><p title=""#) && said.hasSuffix("</p>No such sentence"))
        #expect(!said.contains("Close") && !said.contains("Keep"))
    }

    @Test func dataOfPagesHaveSentencesWithTheirPlaces() throws {
        func json(_ sentence: Sentence) throws -> String {
            String(decoding: try PageJSON.encode(PageSentence(sentence)), as: UTF8.self)
        }
        #expect(try json("No more.") == #""No more.""#)
        let part = Sentence("Only \(2) of \("<x>").")
        #expect(try json(part) == #"["Only {} of {}.",2,"\u003cx>"]"#)
        let both = Sentence("\(part) Yes, \(Sentence("no")).")
        #expect(try json(both) == #"["{} Yes, {}.",["Only {} of {}.",2,"\u003cx>"],["no"]]"#)
    }
}
