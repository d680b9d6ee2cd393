import Foundation
import GRDB
import PeerTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// What the pages of `map` and `send --web` take of memory, whatever is in a region and whatever phones send.
@Suite(.takingTurns) struct PageMemoryTests {
    /// The most that the program may take of its own, in KiB.
    ///
    /// Not its code, of which the system maps as much as it likes: 36 to 40 MB of the released program, whatever a region contains.
    private static let bound = 32 << 10

    private static let name = "Nordkette"

    /// The most memory that a running program has had, in KiB, without the pages of files that it maps.
    ///
    /// Those become more and not fewer, so what is subtracted is not less than it was at the peak.
    private static func memory(of child: ChildProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(child.processID)/status", encoding: .utf8)
        let peak = try #require(status.firstMatch(of: /VmHWM:\s*([0-9]+) kB/).flatMap { Int($0.1) })
        let files = try #require(status.firstMatch(of: /RssFile:\s*([0-9]+) kB/).flatMap { Int($0.1) })
        return peak - files
    }

    /// A region with hikes whose points do not compress, one of a million equal points, long notes, and a large photo.
    private static func fill(_ laptop: Laptop, _ directory: TemporaryDirectory) throws {
        try MapMaker.make(directory.path("map.mbtiles"), name: name)
        let store = try RegionStore(path: laptop.store)
        let region = try store.importMap(at: directory.path("map.mbtiles")).region
        let start = Date(timeIntervalSince1970: 1_770_307_200)
        var generator = SeededGenerator(seed: 1)
        func hike(_ name: String, _ points: [TrackPoint]) throws -> SavedRoute {
            SavedRoute(
                id: UUID(),
                name: name,
                start: points[0].coordinate,
                end: points[0].coordinate,
                startTime: start,
                endTime: start + 3600,
                totalDistance: Double(points.count),
                elevationGain: 1,
                elevationLoss: 1,
                walkingTime: 1,
                restingTime: 1,
                trackData: try TrackCodec.encode(points, startTime: start)
            )
        }
        let place = try #require(Coordinate(latitude: 47.3, longitude: 11.4))
        let walk = try (0..<5_000).map { index in
            let latitude = 47.3 + Double.random(in: -0.01...0.01, using: &generator)
            let coordinate = try #require(Coordinate(latitude: latitude, longitude: 11.4 + Double(index) * 1e-6))
            return TrackPoint(
                coordinate: coordinate,
                elevation: .random(in: 0...3000, using: &generator),
                time: start + Double(index)
            )
        }
        let ordinary = try hike("Walk", walk)
        let flat = try hike("Flat", (0..<100_000).map { _ in TrackPoint(coordinate: place, elevation: 1, time: start) })
        try store.database.write { database in
            for (item, count) in [(ordinary, 250), (flat, 3)] {
                for number in 0..<count {
                    var copy = item
                    (copy.id, copy.name) = (UUID(), "\(item.name) \(number)")
                    try RegionItemRecord(regionID: region.id, item: copy).insert(database)
                }
            }
            for number in 0..<300 {
                let note = String(repeating: "x", count: 90_000)
                let waypoint = Waypoint(id: UUID(), coordinate: place, time: start, label: "Hut \(number)", note: note)
                try RegionItemRecord(regionID: region.id, item: waypoint).insert(database)
                guard number == 0 else { continue }
                let photo = Data(MapMaker.png) + Data(count: Photo.maximumSize - MapMaker.png.count)
                try PhotoRecord(regionID: region.id, waypointID: waypoint.id, modifiedAt: start, data: photo).save(
                    database
                )
            }
        }
    }

    /// Reads the data and the photo of a page that shows a map, in several ways at once.
    private static func read(_ url: String, in directory: TemporaryDirectory) async throws {
        // To a file: the lines of a program's output are read too slowly for so many bytes, and the server would give up.
        let file = directory.path("region.json")
        let ending = try await Curl.run(["--fail", "--output", file, url + "region.json"])
        try #require(ending.code == 0, "\(ending)")
        let data = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(data["lines"]?.array.count == 253)
        let photo = try #require(data["waypoints"]?.array.compactMap { $0["photo"]?.string }.first)
        try await withThrowingTaskGroup(of: Ending.self) { group in
            for _ in 0..<4 {
                group.addTask { try await Curl.run(["--fail", "--output", "/dev/null", url + photo]) }
                group.addTask {
                    try await Curl.run(["--fail", "--compressed", "--output", "/dev/null", url + "region.json"])
                }
            }
            for try await ending in group { #expect(ending.code == 0, "\(ending)") }
        }
    }

    @Test func theMapOfALargeRegionStaysSmall() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try Self.fill(laptop, directory)
            try await laptop.map(Self.name) { child, url in
                try await Self.read(url, in: directory)
                let memory = try Self.memory(of: child)
                #expect(memory < Self.bound, "\(memory) KiB")
            }
        }
    }

    @Test func thePageOfALargeRegionStaysSmall() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try Self.fill(laptop, directory)
            try await laptop.sendWithPage(Self.name, ["--web-personal"]) { page in
                let idle = try Self.memory(of: page.child)
                try await page.waitForFiles(6)
                let map = try #require(try await page.data()["map"]?.string)
                try await Self.read(page.url + map, in: directory)
                let gpx = try await Curl.run([
                    "--fail", "--output", directory.path("f.gpx"), page.url + "files/Nordkette.gpx",
                ])
                #expect(gpx.code == 0, "\(gpx)")
                let memory = try Self.memory(of: page.child)
                #expect(idle < Self.bound && memory < Self.bound, "\(idle) and \(memory) KiB")
            }
            let size = try FileManager.default.attributesOfItem(atPath: directory.path("f.gpx"))[.size] as? Int
            #expect(size ?? 0 > 60_000_000, "the file is too short for the test to mean anything")
        }
    }

    /// Files of at most 16 MB whose content took most memory.
    private static let uploads: [(name: String, text: @Sendable () -> String)] = [
        (
            "attributes",
            {
                let attributes = (0..<98).map { "a\($0)=\"\"" }.joined(separator: " ")
                return (0..<18_000).map { index in
                    let id = UUID().uuidString
                    return "<wpt lat=\"47.3\" lon=\"11.4\"><name>w\(index)</name><extensions>"
                        + "<hikeshare:waypoint id=\"\(id)\" \(attributes)/></extensions></wpt>"
                }.joined()
            }
        ),
        (
            "names",
            {
                let points = (0..<190_000).map {
                    "<trkpt lat=\"47.3\" lon=\"11.4\"><name>abcdefghijklmnop\($0)</name></trkpt>"
                }
                return "<trk><trkseg>\(points.joined())</trkseg></trk>"
            }
        ),
        (
            "points",
            { "<trk><trkseg>\(String(repeating: "<trkpt lat=\"47\" lon=\"11\"/>", count: 550_000))</trkseg></trk>" }
        ),
        (
            "links",
            {
                let links = String(repeating: "<link href=\"a\"/>", count: 20)
                return String(repeating: "<wpt lat=\"47.3\" lon=\"11.4\">\(links)</wpt>", count: 1_900)
            }
        ),
        (
            "route",
            {
                let points = (0..<95_000).map {
                    "<rtept lat=\"47.3\" lon=\"11.\($0)\"><name>abcdefghijklmnop\($0)</name></rtept>"
                }
                return "<rte>\(points.joined())</rte>"
            }
        ),
    ]

    @Test func uploadsStaySmall() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("map.mbtiles"), name: Self.name)
            try await laptop.must("import", directory.path("map.mbtiles"))
            try "<gpx version='1.1'><wpt lat='47.3' lon='11.4'><name>Hut</name></wpt></gpx>".write(
                toFile: directory.path("hut.gpx"),
                atomically: true,
                encoding: .utf8
            )
            try await laptop.must("import", directory.path("hut.gpx"), "--region", Self.name)
            for upload in Self.uploads {
                let gpx =
                    "<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1' "
                    + "xmlns:hikeshare='urn:hikeshare:gpx:1'>" + upload.text() + "</gpx>"
                #expect(gpx.utf8.count <= 16_000_000)
                try gpx.write(toFile: directory.path(upload.name), atomically: true, encoding: .utf8)
            }
            let command = ["send", Self.name, "--no-discovery", "--web"]
            try await laptop.inTerminal(command, columns: 120, rows: 60) { terminal in
                try await terminal.wait { $0.contains("hikeshare, open:") && $0.contains("Ctrl-C") }
                let page = try #require(
                    terminal.words.firstMatch(of: /http:\/\/[0-9.]+:([0-9]+)(\/[a-z0-9]+\/)/)?.output
                )
                let url = "http://127.0.0.1:\(page.1)\(page.2)"
                let idle = try Self.memory(of: terminal.child)
                let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(count: 15_900_000)
                let photo = PhoneUpload(bytes, as: "Hut.jpg", to: url, from: "127.0.0.99")
                try await photo.send(directory)
                try await terminal.wait { $0.contains("as the photo of “Hut”?") && $0.hasSuffix("[y/N] ") }
                try terminal.type("y\r")
                #expect(try await photo.result()["state"]?.string == "added")
                for (number, upload) in Self.uploads.enumerated() {
                    let file = URL(fileURLWithPath: directory.path(upload.name))
                    let phone = PhoneUpload(
                        try Data(contentsOf: file),
                        as: upload.name,
                        to: url,
                        from: "127.0.0.\(number + 2)"
                    )
                    try await Self.send(phone, directory, terminal)
                }
                let memory = try Self.memory(of: terminal.child)
                #expect(idle < Self.bound && memory < Self.bound, "\(idle) and \(memory) KiB")
            }
        }
    }

    /// Sends a file, and says no if it is asked about.
    private static func send(
        _ phone: PhoneUpload,
        _ directory: TemporaryDirectory,
        _ terminal: TestTerminal
    ) async throws {
        try await phone.send(directory)
        while try await phone.state()["state"]?.string == "waiting" {
            if terminal.text.contains("[y/N]") { try terminal.type("n\r") }
            await Task.yield()
        }
    }
}
