import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing
import TrackFiles

@testable import RegionStore

/// Tables of points that cannot be read.
@Suite struct DamagedTableTests {
    @Test func aDamagedTableIsRefusedOnArrivalAndKeepsNothingElseHere() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            var hike = try Items.hike()
            hike.supplement.sensors = Data([1, 2, 3])
            let body = Array(try SharedJSON.encode([hike]))
            let sink = try RegionStore(path: directory.path("other")).sink()
            let map = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("a.mbtiles"))))
            let source = try LyingSource(region.region, [.mbtiles: map, .savedroutes: body])
            let error = #expect(throws: RegionStoreError.self) { try Transfers.run(source, to: sink) }
            #expect(error?.message.contains("table of the track's points") == true)
            // One that is here already does not block an export.
            try store.add([hike], to: region.id)
            try store.exportGPX(of: region.id, to: directory.path("out.gpx"))
            #expect(try TrackFileReader().read(contentsOf: directory.path("out.gpx")).savedRoutes.count == 1)
        }
    }
}
