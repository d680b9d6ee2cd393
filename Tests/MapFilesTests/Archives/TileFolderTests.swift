import Foundation
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

@Suite(.timeLimit(.minutes(10))) struct TileFolderTests {
    private static func write(_ text: String, _ path: String, _ directory: TemporaryDirectory) throws {
        let url = directory.url.appendingPathComponent("map/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private static func read(_ directory: TemporaryDirectory) throws -> (tiles: [String], omitted: OmittedEntries) {
        var tiles: [String] = []
        let folder = try TileFolder(directory.path("map"), called: "map")
        let omitted = try folder.forEachTile { _, _ in
        } _: { tile in
            tiles.append("\(tile.address.name) \(String(decoding: tile.data.prefix(10), as: UTF8.self))")
        }
        return (tiles, omitted)
    }

    private static let small = ["1/0/0.png", "1/0/1.png", "1/1/1.PNG", "0/0/0.jpeg", "10/512/600.webp"]

    @Test func rowsCountFromTheNorthAndTilesComeInOrder() async throws {
        try await TemporaryDirectory.with { directory in
            for path in Self.small { try Self.write(path, path, directory) }
            try Self.write("<html>", "leaflet.html", directory)
            let (tiles, omitted) = try Self.read(directory)
            #expect(
                tiles == [
                    "0/0/0 0/0/0.jpeg", "1/0/1 1/0/1.png", "1/0/0 1/0/0.png", "1/1/1 1/1/1.PNG",
                    "10/512/600 10/512/600",
                ]
            )
            #expect(omitted == OmittedEntries())
            #expect(TileFolder.isTileFolder(directory.path("map")))
        }
    }

    @Test(arguments: [
        ("metadata.json", #"{"scheme": "tms", "name": "Alps", "bounds": "1,2,3,4"}"#),
        ("tilejson.json", #"{"scheme": "TMS", "bounds": [1, 2, 3, 4], "name": "Alps"}"#),
        ("leaflet.html", "<script>L.tileLayer('{z}/{x}/{y}.png', {tms: true, opacity: 0.7})"),
        ("openlayers.html", "url: './{z}/{x}/{ -y }.png'"),
        ("tilemapresource.xml", #"<TileMap><SRS>EPSG:3857</SRS><TileSets profile="mercator"/></TileMap>"#),
        ("tilemapresource.xml", #"<TileMap><SRS>EPSG:900913</SRS><TileSets profile="global-mercator"/></TileMap>"#),
    ])
    func rowsCountFromTheSouthWhereThatIsSaid(file: String, text: String) async throws {
        try await TemporaryDirectory.with { directory in
            for path in Self.small { try Self.write(path, path, directory) }
            try Self.write(text, file, directory)
            let tiles = try Self.read(directory).tiles
            #expect(
                tiles == [
                    "0/0/0 0/0/0.jpeg", "1/0/1 1/0/0.png", "1/0/0 1/0/1.png", "1/1/0 1/1/1.PNG",
                    "10/512/423 10/512/600",
                ]
            )
            let metadata = try TileFolder(directory.path("map"), called: "map").metadata
            if file.hasSuffix(".json") {
                #expect(metadata["name"] == "Alps")
                #expect(metadata["bounds"].flatMap(BoundingBox.init(metadata:))?.north == 4)
            }
            #expect(metadata["scheme"] == nil)
        }
    }

    @Test func namesOfServersAndOfOtherProgramsAreRead() async throws {
        try await TemporaryDirectory.with { directory in
            for path in ["1/0/0@2x.png", "1/0/1.png.tile", "1/1/0.jpg", "1/1/0@2x.jpg", "1/1/1@3x.png"] {
                try Self.write("a", path, directory)
            }
            let (tiles, omitted) = try Self.read(directory)
            #expect(tiles == ["1/0/1 a", "1/0/0 a", "1/1/0 a"])
            #expect(omitted.count == 2)
            #expect(
                TileFolder.isTileFolder(directory.path("map")) && TileFolder.oddTile(in: directory.path("map")) != nil
            )
        }
    }

    @Test(arguments: [
        ("10/532/360x.png", true), ("10/532/360.tile", true), ("10/532/hut.png", false), ("a/1/1x.png", false),
    ])
    func namesThatAreAlmostThoseOfTilesAreFound(path: String, isOdd: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", path, directory)
            #expect(!TileFolder.isTileFolder(directory.path("map")))
            #expect(TileFolder.oddTile(in: directory.path("map")) == (isOdd ? path : nil))
        }
    }

    @Test func aDescriptionThatIsDamagedIsIgnored() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", "0/0/0.png", directory)
            try Self.write(#"{"scheme": "tms", "#, "metadata.json", directory)
            #expect(try Self.read(directory).tiles == ["0/0/0 a"])
        }
    }

    @Test func tilesInDegreesAreRefused() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", "0/0/0.png", directory)
            try Self.write(
                #"<TileMap><SRS>EPSG:4326</SRS><TileSets profile="geodetic"/></TileMap>"#,
                "tilemapresource.xml",
                directory
            )
            let error = try #require(throws: RegionStoreError.self) { try Self.read(directory) }
            #expect(error.message.contains("map has tiles that are not those of web maps"))
            #expect(error.remedy?.contains("gdal2tiles.py --profile=mercator") == true)
        }
    }

    @Test func whatIsNoTileIsLeftOutAndCounted() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", "1/0/0.png", directory)
            for odd in [
                "1/0/0.webp", "1/0/2.png", "1/0/01.png", "1/0/-1.png", "1/0/1", "1/0/1.html", "1/0/1.png.part",
                "1/0/٣.png",
                "1/0/18446744073709551617.png", "1/2/0.png", "1/x/0.png", "1/0/bild \u{1B}[31m.png", "1/readme",
            ] { try Self.write("b", odd, directory) }
            try Self.write("", "1/1/0.png", directory)
            // Hidden files, and what is beside the zoom levels, say nothing.
            for other in ["1/0/.DS_Store", "readme", "31/0/0.png", "x/0/0.png"] {
                try Self.write("c", other, directory)
            }
            let (tiles, omitted) = try Self.read(directory)
            #expect(tiles == ["1/0/0 a"])
            #expect(omitted.count == 14, "\(omitted)")
        }
    }

    @Test func linksAndPipesAreNotFollowed() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", "1/0/0.png", directory)
            let secret = directory.path("secret")
            try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
            func link(_ path: String, to target: String) throws {
                try FileManager.default.createSymbolicLink(
                    atPath: directory.path("map/" + path),
                    withDestinationPath: target
                )
            }
            try link("1/0/1.png", to: secret)
            try link("1/1", to: "0")
            try link("0", to: "1")
            try link("metadata.json", to: secret)
            try FileManager.default.createDirectory(
                atPath: directory.path("map/2/0"),
                withIntermediateDirectories: true
            )
            try #require(mkfifo(directory.path("map/2/0/0.png"), 0o600) == 0)
            try FileManager.default.createDirectory(
                atPath: directory.path("map/2/0/1.png"),
                withIntermediateDirectories: true
            )
            // The folder names itself.
            try link("2/1", to: "..")
            let (tiles, omitted) = try Self.read(directory)
            #expect(tiles == ["1/0/0 a"])
            #expect(omitted.count == 6, "\(omitted)")
        }
    }

    @Test func aTileThatIsTooLargeIsLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            try Self.write("a", "1/0/0.png", directory)
            try Self.write("b", "1/1/0.png", directory)
            #expect(truncate(directory.path("map/1/1/0.png"), 1 << 40) == 0)
            let (tiles, omitted) = try Self.read(directory)
            #expect(tiles == ["1/0/0 a"])
            #expect(omitted.example == "1/1/0.png has 1099511627776 bytes")
        }
    }

    @Test(arguments: [
        ["2024/07/15.jpg"], ["1/0.png"], ["1/x/0.png"], ["1/0/x.png"], ["1/0/0.gpx"], ["1/0/2.png"], ["1/2/0.png"],
        ["a/1/0/0.png"],
    ])
    func otherFoldersAreNone(files: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            for file in files { try Self.write("a", file, directory) }
            #expect(!TileFolder.isTileFolder(directory.path("map")))
            #expect(!TileFolder.isTileFolder(directory.path("none")))
        }
    }
}
