import Foundation
import PeerTestSupport
import Testing

/// The example region of the project, as its files and in a store.
enum Example {
    static let name = "Coma Pedrosa"

    static let gpxFiles = [
        "coma-pedrosa.waypoints.gpx", "arinsal-pic-de-comapedrosa.route.gpx", "pla-de-l-estany.track.gpx",
    ].map(Place.example)

    static let map = Place.example("coma-pedrosa.mbtiles")
    static let routing = Place.example("coma-pedrosa.routing.db")

    /// How many items of each kind cross, as both sides tell it.
    static let counts = JSONValue.object([
        "mbtiles": .number(1), "routing": .number(1), "savedroutes": .number(1), "plannedroutes": .number(1),
        "waypoints": .number(46),
    ])

    /// Imports all five files; returns the region's id.
    @discardableResult
    static func put(on laptop: Laptop) async throws -> String {
        let ending = try await laptop.start(
            ["import", map, "--routing", routing, "--name", name, "--format", "json"] + gpxFiles
        ) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)")
        return try #require(try ending.lines("importedMap").first?["region"]?["id"]?.string)
    }

    /// Expects that a laptop has exactly what another has, and that its files are the original ones.
    static func expectWhole(
        on receiver: Laptop,
        as sender: Laptop,
        in directory: TemporaryDirectory,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        try expectSame(receiver, sender, location: location)
        let theirs = try await export(from: receiver, in: directory, location: location)
        let ours = try await export(from: sender, in: directory, location: location)
        let manager = FileManager.default
        for (content, original) in [("map", map), ("routing", routing), ("gpx", ours["gpx"] ?? "")] {
            let file = try #require(theirs[content], "no \(content) was exported", sourceLocation: location)
            #expect(
                manager.contentsEqual(atPath: file, andPath: original),
                "\(file) differs from \(original)",
                sourceLocation: location
            )
        }
    }

    /// Exports everything; returns where it is, by what it is.
    private static func export(
        from laptop: Laptop,
        in directory: TemporaryDirectory,
        location: SourceLocation
    ) async throws -> [String: String] {
        let folder = directory.path("export-" + UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lines = try await laptop.must("export", name, "--to", folder, location: location).lines("exported")
        return Dictionary(lines.map { ($0["content"]?.string ?? "", $0["file"]?.string ?? "") }) { first, _ in first }
    }

    /// Expects that two laptops have the same rows and the same files, and nothing unfinished.
    static func expectSame(_ first: Laptop, _ second: Laptop, location: SourceLocation = #_sourceLocation) throws {
        let (first, second) = (try StoreContents(of: first.store), try StoreContents(of: second.store))
        #expect(first.files == second.files, sourceLocation: location)
        let differences = first.differences(from: second)
        #expect(differences.isEmpty, "\(differences.prefix(10))", sourceLocation: location)
        #expect(first.count("region") == 1, sourceLocation: location)
        #expect(first.unfinished.isEmpty, sourceLocation: location)
        #expect(second.unfinished.isEmpty, sourceLocation: location)
    }
}
