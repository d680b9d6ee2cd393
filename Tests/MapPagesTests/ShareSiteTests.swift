import Foundation
import GRDB
import PeerProtocol
import PeerTestSupport
import RegionStore
import Sentences
import Testing
import WebServer

@testable import MapPages

/// The page for phones shows what a person has agreed to, and nothing else.
@Suite struct ShareSiteTests {
    private static let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("first".utf8))

    private static func put(
        _ photo: Data,
        on waypoint: Waypoint,
        _ example: ExampleSite,
        in directory: TemporaryDirectory
    ) throws {
        let path = directory.path(UUID().uuidString + ".jpg")
        try photo.write(to: URL(fileURLWithPath: path))
        try example.store.importPhoto(at: path, for: waypoint.id, in: example.id, replacing: true)
    }

    /// Later changes of the store, and its end, do not change the page.
    @Test func laterChangesAreNotOnThePage() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            let other = try #require(try example.store.waypoints(of: example.id).last)
            try Self.put(Self.photo, on: waypoint, example, in: directory)
            let page = try example.share(personal: true)
            let data = try page.map("region.json").content
            func tiles() throws -> [WebResponse] { try (0...40).map { try page.map("tiles/15/\(16_500 + $0)/12100") } }
            let before = try tiles()

            try Self.put(Data([0xFF, 0xD8, 0xFF, 0xE0] + Array("PRIVATE".utf8)), on: waypoint, example, in: directory)
            try Self.put(Self.photo, on: other, example, in: directory)
            #expect(try page.map("photos/\(waypoint.id.uuidString)").content == Self.photo)
            #expect(try page.map("photos/\(other.id.uuidString)").status == .notFound)
            try example.store.remove(example.id)
            #expect(try page.map("").status == .ok && page.map("region.json").content == data)
            #expect(try page.map("photos/\(waypoint.id.uuidString)").content == Self.photo)
            let after = try tiles()
            #expect(after.map(\.status) == before.map(\.status) && after.map(\.body) == before.map(\.body))
            page.downloads.prepare()
            let zip = try page.text(.gpx)
            #expect(zip.contains("<trk>"))
            #expect(
                page.downloads.kinds.allSatisfy {
                    if case .ready = page.downloads.state(of: $0) { true } else { false }
                }
            )
        }
    }

    @Test func whatAFileLacksNamesTheFilesWithTheWholeMap() async throws {
        try await TemporaryDirectory.with { directory in
            let downloads = try ExampleSite(in: directory).share(personal: true).downloads
            #expect(downloads.lack(of: .html) == nil && downloads.wholeKinds(insteadOf: .html).isEmpty)
            downloads.leaveOutPhotos(of: .html)
            #expect(downloads.lack(of: .html) == "The photos are too large for this page.")
            #expect(downloads.wholeKinds(insteadOf: .html).isEmpty)
            downloads.note("Only up to zoom 13.", of: .html)
            #expect(downloads.lack(of: .html) == "Only up to zoom 13. The photos are too large for this page.")
            let whole = downloads.wholeKinds(insteadOf: .html)
            #expect(whole.contains(.mbtiles) && Set(whole).isSubset(of: [.mbtiles, .sqlitedb]))
            #expect(downloads.lack(of: .mbtiles) == nil && downloads.wholeKinds(insteadOf: .mbtiles).isEmpty)
        }
    }

    @Test func aMapOfAnotherProgramIsAFileWithTheAppThatOpensIt() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let file = directory.path("Lake chart.kap")
            try Data("a chart".utf8).write(to: URL(filePath: file))
            var example = try ExampleSite(in: directory)
            example.store = store
            example.id = try store.prepareForeignMap(at: file, as: .other).store().region.id
            let page = try example.share(personal: false)
            let data = try #require(
                try JSONSerialization.jsonObject(with: page.get("share.json").content) as? [String: Any]
            )
            let files = try #require(data["files"] as? [[String: Any]])
            #expect(files.map { $0["name"] as? String } == ["Lake chart.kap"])
            #expect(files.first?["title"] as? String == "File of another program")
            #expect(files.first?["purpose"] as? String == "Opens in the program for which it was made")
            #expect(files.first?["url"] as? String == "files/Lake-chart.kap" && data["keepProblem"] == nil)
            #expect(try page.get("files/Lake-chart.kap").content == Data("a chart".utf8))
            let region = try #require(data["region"] as? [String: Any])
            #expect(region["isAreaUnknown"] as? Bool == true && region["foreign"] != nil)
            #expect(try page.map("region.json").status == .ok)
            // There is nothing that a phone opens by itself.
            #expect(!String(decoding: try page.get("").content, as: UTF8.self).contains(#"<div class="keep">"#))
        }
    }

    @Test func severalRegionsAreListedAndEachHasItsPage() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let pages = try (0..<2).map { _ in try example.share(personal: false) }
            let secret = MapSecret(length: MapSecret.shortLength)
            let site = ShareListSite(pages.map(\.site), secret: secret)
            func get(_ path: String) throws -> WebResponse {
                site.respond(to: WebRequest(try #require(WebPath(path))))
            }
            #expect(site.path == "/\(secret.text)/")
            let list = try get(site.path)
            let text = String(decoding: list.body, as: UTF8.self)
            #expect(list.status == .ok && list.contentType.hasPrefix("text/html"))
            for page in pages {
                #expect(text.contains(#"href="\#(page.site.path)""#))
                #expect(try get(page.site.path).status == .ok)
                #expect(try get(page.site.path + "share.json").status == .ok)
            }
            #expect(text.contains("Coma Pedrosa") && !text.contains("<script"))
            #expect(try get("/\(secret.text)").status == .movedPermanently)
            for path in ["/", "/x/", "/\(secret.text)/share.json", "/\(secret.text)x/"] {
                #expect(try get(path).status == .notFound)
            }
            // One region has its page, and no list.
            #expect(ShareListSite([pages[0].site], secret: secret).path == pages[0].site.path)
        }
    }

    private static let personal = """
        <wpt lat="42.58" lon="1.45"><time>2024-05-05T05:05:05Z</time><name>W1</name><cmt>SECRET</cmt><desc>SECRET</desc>
        <link href="http://SECRET"/><sym>Flag</sym><type>hut</type></wpt>
        <wpt lat="42.58" lon="1.46"><name>W2</name></wpt>
        <rte><name>R1</name><cmt>SECRET</cmt><desc>SECRET</desc><link href="http://SECRET"/>
        <rtept lat="42.58" lon="1.45"><ele>100</ele><time>2024-06-06T06:06:06Z</time><name>SECRET</name></rtept>
        <rtept lat="42.59" lon="1.46"><ele>200</ele></rtept></rte>
        <trk><name>R2</name><extensions><osmand:color xmlns:osmand="https://osmand.net">#ff0000</osmand:color></extensions>
        <trkseg><trkpt lat="42.58" lon="1.45"/><trkpt lat="42.59" lon="1.46"/></trkseg>
        <trkseg><trkpt lat="42.60" lon="1.45"/><trkpt lat="42.61" lon="1.46"/></trkseg></trk>
        <trk><name>SECRET</name><desc>SECRET</desc><trkseg>
        <trkpt lat="42.58" lon="1.45"><time>2024-07-07T07:07:07Z</time></trkpt>
        <trkpt lat="42.581" lon="1.45"><time>2024-07-07T08:07:07Z</time></trkpt></trkseg></trk>
        """

    @Test func withoutAYesThereIsNothingOfAPerson() async throws {
        try await TemporaryDirectory.with { directory in
            let gpx = try ExampleSite.gpx(Self.personal, in: directory)
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let page = try example.share(personal: false)
            page.downloads.prepare()
            let data = String(decoding: try page.map("region.json").content, as: UTF8.self)
            let (file, zip, map) = (try page.text(.gpx), try page.text(.zip), try page.text(.html))
            for text in [data, file, zip, map] {
                #expect(!text.contains("SECRET") && !text.contains("2024-0"), "\(text.prefix(3_000))")
            }
            #expect(!file.contains("<time") && !file.contains("hikeshare:") && !file.contains("urn:hikeshare"))
            let ids =
                try example.store.waypoints(of: example.id).map(\.id)
                + example.store.plannedRoutes(of: example.id).map(\.id)
            #expect(ids.count == 4 && ids.allSatisfy { !file.contains($0.uuidString) })
            // What says how they are drawn is no secret.
            for part in [
                "<name>W1</name>", "<sym>Flag</sym>", "<type>hut</type>", "<rte>", "<ele>100</ele>", "#ff0000",
            ] {
                #expect(file.contains(part), "\(part)")
            }
            #expect(file.components(separatedBy: "<trkseg>").count == 3)
        }
    }

    /// The file of the page is another file than that of the region: a store that imports both has the full items.
    @Test func theReducedFileDoesNotStandInTheWayOfTheFullItems() async throws {
        try await TemporaryDirectory.with { directory in
            let gpx = try ExampleSite.gpx(Self.personal, in: directory)
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let page = try example.share(personal: false)
            page.downloads.prepare()
            let path = directory.path("reduced.gpx")
            try page.text(.gpx).write(toFile: path, atomically: true, encoding: .utf8)
            let other = try RegionStore(path: directory.path("other"))
            let id = try other.importMap(at: ExampleSite.example("coma-pedrosa.mbtiles")).region.id
            try other.importGPX(at: path, into: id)
            let waypoints = try example.store.waypoints(of: example.id)
            #expect(try other.waypoints(of: id).allSatisfy { $0.note.isEmpty })
            #expect(try other.waypoints(of: id).count == waypoints.count)
            let fullPath = directory.path("full.gpx")
            try example.store.exportGPX(of: example.id, to: fullPath)
            try other.importGPX(at: fullPath, into: id)
            let notes = Set(try other.waypoints(of: id).map(\.note))
            #expect(waypoints.contains { !$0.note.isEmpty })
            #expect(waypoints.allSatisfy { notes.contains($0.note) })
        }
    }

    @Test func withAYesTheFileIsThatOfTheRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let gpx = try ExampleSite.gpx(Self.personal, in: directory)
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let page = try example.share(personal: true)
            page.downloads.prepare()
            let path = directory.path("export.gpx")
            try example.store.exportGPX(of: example.id, to: path)
            let isSame = try page.text(.gpx) == String(contentsOfFile: path, encoding: .utf8)
            #expect(isSame)
        }
    }

    @Test func whatIsNotOfferedIsNotThere() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let page = try example.share([.plannedroutes], personal: true)
            #expect(page.downloads.kinds == [.gpx, .zip])
            let data = String(decoding: try page.map("region.json").content, as: UTF8.self)
            #expect(data.contains(#""kind":"planned""#) && !data.contains(#""kind":"hike""#))
            #expect(try page.map("tiles/15/16513/12109").body == MapSite.emptyTile.body)
            #expect(
                try page.get("regions.json").status == .notFound
                    && page.get("files/Coma-Pedrosa.mbtiles").status == .notFound
            )
        }
    }

    @Test func pathsOfFilesHaveNoSlashAtTheirEnd() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try ExampleSite(in: directory).share(personal: false)
            #expect(try page.get("files/Coma-Pedrosa.mbtiles").status == .ok)
            #expect(
                try page.get("files/Coma-Pedrosa.mbtiles/").status == .notFound
                    && page.get("share.json/").status == .notFound
            )
        }
    }

    /// A download that is resumed must not become half of one file and half of another.
    @Test func anotherProgramHasAnotherTag() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let downloads = try example.share(personal: false).downloads
            let program = ShareSite.Program(path: directory.path("p.deb"), name: "p.deb")
            let page = SharePage(id: example.id, downloads: downloads, program: program)
            func tag() throws -> String { try #require(try page.get("files/p.deb").file?.entityTag) }
            try Data("one".utf8).write(to: URL(fileURLWithPath: program.path))
            let first = try tag()
            #expect(try tag() == first)
            try Data("two".utf8).write(to: URL(fileURLWithPath: program.path), options: .atomic)
            #expect(try tag() != first)
        }
    }

    @Test func filesAreNamedAfterTheRegionAndItsWaypoints() async throws {
        try await TemporaryDirectory.with { directory in
            let gpx = try ExampleSite.gpx(
                "<wpt lat='42.58' lon='1.45'><name>Hut</name></wpt><wpt lat='42.59' lon='1.45'><name>Hut</name></wpt>",
                in: directory
            )
            let example = try ExampleSite(in: directory, gpx: [gpx])
            for waypoint in try example.store.waypoints(of: example.id) {
                try Self.put(Self.photo, on: waypoint, example, in: directory)
            }
            let page = try example.share(personal: true)
            page.downloads.prepare()
            let path = directory.path("all.zip")
            try page.get("files/Coma-Pedrosa.zip").content.write(to: URL(fileURLWithPath: path))
            let script = "import sys, zipfile; print(sorted(zipfile.ZipFile(sys.argv[1]).namelist()))"
            let listing = try await ChildProcess.with("python3", ["-c", script, path]) { child in
                try await child.waitForOutput { _ in true }
            }
            let names = [
                "Coma-Pedrosa-photos/Hut-2.jpg", "Coma-Pedrosa-photos/Hut.jpg", "Coma-Pedrosa.gpx",
                "Coma-Pedrosa.mbtiles",
            ]
            #expect(listing == "[" + names.map { "'\($0)'" }.joined(separator: ", ") + "]")
        }
    }

    @Test(arguments: [false, true]) func thePageSaysWhatIsPersonalBeforeADownload(isPersonal: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let waypoint = try #require(try example.store.waypoints(of: example.id).first)
            try Self.put(Self.photo, on: waypoint, example, in: directory)
            let page = try example.share(personal: isPersonal)
            let before = String(decoding: try page.get("").content, as: UTF8.self)
            #expect(before.contains("is being made") && before.contains(#"<h1 id="name">Coma Pedrosa</h1>"#))
            #expect(before.contains("<title>Coma Pedrosa</title>") && !before.contains(##"href="#""##))
            page.downloads.prepare()
            let data = try JSONSerialization.jsonObject(with: page.get("share.json").content) as? [String: Any]
            let files = try #require(data?["files"] as? [[String: Any]])
            let words = Dictionary(
                files.map { ($0["kind"] as? String ?? "", $0["personal"] as? String ?? "") },
                uniquingKeysWith: { $1 }
            )
            #expect(files.first?["kind"] as? String == "html" && data?["keepProblem"] == nil)
            let nothing = "nothing personal in it"
            #expect(words["mbtiles"] == nothing && words["sqlitedb"] == nothing)
            let (hike, times) = (
                "personal in it: 1 recorded hike", "names of points, times of routes and waypoints"
            )
            #expect(words["pdf"] == (isPersonal ? hike : nothing))
            #expect(words["gpx"] == (isPersonal ? hike + " with times, comments and \(times)" : nothing))
            for (kind, times) in [("html", ""), ("zip", " and \(times)")] {
                // The photo of this test cannot be examined, so it may have them.
                let all = hike + " with times, comments\(times), 1 photo, perhaps with places and times"
                #expect(words[kind] == (isPersonal ? all : nothing))
            }
            // Without scripts, the page has the same list, in which what phones keep comes first.
            let after = String(decoding: try page.get("").content, as: UTF8.self)
            #expect(after.contains(#"<a href="files/Coma-Pedrosa.html" download="Coma-Pedrosa.html">"#))
            let keep = try #require(
                after.components(separatedBy: #"<div class="keep">"#).last?.components(separatedBy: "</div>")
            )
            #expect(
                keep[0].contains("Coma-Pedrosa.html") && !keep[0].contains(".gpx") && keep[0].contains("Open it later")
            )
            #expect(keep[1].contains("<h2>Take it with you</h2>") && keep[1].contains(".gpx"))
            #expect(after.components(separatedBy: nothing).count - 1 == (isPersonal ? 2 : files.count))
        }
    }

    /// Without scripts, the page says what there is, who can see it, and why it takes no files.
    @Test(arguments: [false, true]) func thePageSaysWithoutScriptsWhatItSaysWithThem(takesFiles: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let downloads = try ExampleSite(in: directory).share(personal: false).downloads
            var page = SharePage(id: UUID(), downloads: downloads, uploads: takesFiles ? UploadQueue() : nil)
            let items = Sentence.items(of: downloads.region)?.english ?? ""
            for isOwnNetwork in [false, true] {
                page.site.isOwnNetwork = isOwnNetwork
                let text = String(decoding: try page.get("").content, as: UTF8.self)
                #expect(!items.isEmpty && text.contains(#"<p id="facts">\#(items)</p>"#))
                #expect(text.contains("not encrypted") != isOwnNetwork)
                #expect(text.contains("own Wi-Fi network can open this page") == isOwnNetwork)
                #expect(text.contains("needs a browser that runs scripts") == takesFiles)
                #expect(!text.contains("<!--"))
            }
        }
    }

    /// Scripts draw vector tiles, but there is no picture of them for a sheet of paper.
    @Test(arguments: [true, false])
    func ofTilesThatCannotBeDrawnThereIsNoFile(isVector: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = directory.path("v.mbtiles")
            if isVector { try MapCopies.makeVector(path) } else { try MapCopies.makeOther(path) }
            example.id = try example.store.importMap(at: path, name: "Other").region.id
            let page = try example.share(personal: false)
            #expect(page.downloads.kinds.contains(.html) == isVector && !page.downloads.kinds.contains(.pdf))
            let data = String(decoding: try page.get("share.json").content, as: UTF8.self)
            #expect(data.contains("This program cannot draw the tiles") != isVector)
            // Also without scripts.
            let text = String(decoding: try page.get("").content, as: UTF8.self)
            #expect(text.contains("This program cannot draw the tiles") != isVector)
            #expect(data.contains("iPhones show only its lists") == isVector)
        }
    }

    /// A map that has one tile for many places is small, and its copy for OsmAnd is not.
    @Test func thereIsNoFileForWhichTheDiskHasNoSpace() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("sea.mbtiles")
            try MapCopies.makeSea(path)
            let store = try RegionStore(path: directory.path("store"))
            let id = try store.importMap(at: path, name: "Coma Pedrosa").region.id
            let downloads = try store.downloads(of: store.source(for: id), fileName: { $0 }, includesPersonal: false)
            let before = try Self.size(of: directory.path("store"))
            downloads.prepare()
            #expect(downloads.state(of: .sqlitedb) == .failed("The laptop has no space on its disk for this file."))
            #expect(try Self.size(of: directory.path("store")) < before + 1_000_000)
        }
    }

    @Test func filesHaveNoNamesAndTheirMakingStops() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let stopped = try example.share(personal: true).downloads
            stopped.stop()
            stopped.prepare()
            #expect(stopped.state(of: .gpx) == .waiting && stopped.state(of: .sqlitedb) == .waiting)
            func names() throws -> [String] {
                let work = directory.path("store/work")
                return try FileManager.default.subpathsOfDirectory(atPath: work).sorted()
            }
            let page = try example.share(personal: true)
            let before = try names()
            page.downloads.prepare()
            #expect(page.downloads.state(of: .sqlitedb) != .waiting)
            #expect(try names() == before)
        }
    }

    private static func size(of folder: String) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
            let size = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int
            return sum + (size ?? 0)
        }
    }
}
