import Foundation
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// That the tiles of archives are those that the archives' own tools read.
@Suite(.timeLimit(.minutes(10))) struct ReferenceArchiveTests {
    /// The largest has leaf directories.
    @Test(arguments: [
        ("mvt", 60_000), ("png", 300), ("jpeg", 300), ("webp", 300), ("avif", 300), ("mlt", 300), ("png", 1),
    ])
    func tilesOfPMTilesAreThoseOfTheReferenceReader(kind: String, count: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.pmtiles")
            _ = try await ReferenceTools.run("make-pmtiles", path, kind, "\(count)")
            let expected = try await ReferenceTools.run("list-pmtiles", path)
            try #require(expected.count == count)

            let archive = try PMTilesFile(OpenFile(path, O_RDONLY), called: path, scratch: Folder(directory.path))
            var found: [String] = []
            let omitted = try archive.forEachTile(progress: { _, _ in }) { found.append(try ReferenceTools.line($0)) }

            #expect(found.sorted() == expected.sorted())
            #expect(omitted.count == 0)
            #expect(archive.metadata["name"] == "Andorra")
            #expect(archive.metadata["attribution"] == "© OpenStreetMap contributors")
            #expect(archive.metadata["bounds"] == "1.4,42.4,1.79,42.65")
            // The writer states the zoom levels that the tiles have.
            #expect(archive.metadata["center"] == (count > 1 ? "1.5,42.5,5" : nil))
        }
    }

    @Test func pixelsOfAGeoPackageAreThoseThatGDALReads() async throws {
        try await TemporaryDirectory.with { directory in
            let (path, map) = (directory.path("map.gpkg"), directory.path("map.mbtiles"))
            _ = try await ReferenceTools.run("make-geopackage", path, "3857")
            let database = try UntrustedDatabase(path, .immutable, within: .thorough(size: 1 << 24))
            let archive = try #require(try DatabaseArchive.open(database, scratch: Folder(directory.path)))
            #expect(archive.metadata["name"] == "Andorra")
            try await Self.expect(archive, at: path, as: map)
        }
    }

    @Test func pixelsOfAFolderAreThoseThatGDALReads() async throws {
        try await TemporaryDirectory.with { directory in
            let (path, map) = (directory.path("map"), directory.path("map.mbtiles"))
            _ = try await ReferenceTools.run("make-geopackage", directory.path("map.gpkg"), "3857")
            _ = try await ReferenceTools.run("make-folder", path, directory.path("map.gpkg"))
            try await Self.expect(try TileFolder(path, called: path), at: path, as: map)
        }
    }

    @Test func theCommandInTheRefusalOfAGeoPackageMakesAMap() async throws {
        try await TemporaryDirectory.with { directory in
            let (path, map) = (directory.path("map.gpkg"), directory.path("map.mbtiles"))
            _ = try await ReferenceTools.run("make-geopackage", path, "4326")
            let database = try UntrustedDatabase(path, .immutable, within: .thorough(size: 1 << 24))
            let error = try #require(throws: RegionStoreError.self) {
                try DatabaseArchive.open(database, scratch: Folder(directory.path))
            }
            #expect(error.remedy?.contains("gdal_translate -of MBTILES FILE.gpkg MAP.mbtiles") == true)
            _ = try await ReferenceTools.run("convert", path, map)
            let made = try MapDescription(
                checking: UntrustedDatabase(map, .immutable, within: .thorough(size: 1 << 24))
            )
            #expect(made.format == .png)
            #expect(
                made.boundingBox.overlaps(try #require(BoundingBox(north: 42.6, south: 42.3, east: 1.75, west: 1.4)))
            )
        }
    }

    /// Makes a map of an archive, and compares the pixels that GDAL reads of both, zoom level by zoom level.
    private static func expect(_ archive: any TileArchive, at path: String, as map: String) async throws {
        let omitted = try archive.writeMBTiles(to: OpenFile(map, O_RDWR | O_CREAT), progress: { _, _ in })
        #expect(omitted.count == 0)
        for (zoom, count) in [("6", 4), ("7", 4), ("8", 9)] {
            let pixels = try await ReferenceTools.run("list-pixels", map, zoom)
            #expect(pixels.count == count)
            #expect(try await pixels == ReferenceTools.run("list-pixels", path, zoom))
        }
    }
}
