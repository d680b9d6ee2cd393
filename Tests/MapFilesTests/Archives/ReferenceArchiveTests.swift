import Foundation
import PeerStorage
import PeerTestSupport
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
}
