import Foundation
import PeerTestSupport
import Testing

@testable import RegionStore

/// Maps whose metadata say little of use about where they are.
@Suite struct BoundsTests {
    @Test(arguments: ["11.4,47.1,11.4,47.1", "11.3,47.1,11.5,47.1", "11.4,47.06,11.4,47.2"])
    func boundsWithoutWidthOrHeightAreReplacedByTheTiledArea(bounds: String) async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("bounds")
            map.metadata += [("bounds", bounds)]
            try map.write(to: directory.path("a.mbtiles"))
            let sender = try RegionStore(path: directory.path("sender"))
            let receiver = try RegionStore(path: directory.path("receiver"))

            let region = try sender.importMap(at: directory.path("a.mbtiles")).region

            #expect(region.boundingBox.east > region.boundingBox.west)
            #expect(region.boundingBox.north > region.boundingBox.south)
            #expect(abs(region.boundingBox.west - 11.25) < 1e-9)
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            #expect(try receiver.region(region.id).boundingBox == region.boundingBox)
        }
    }
}
