import Foundation
import PeerCore
import PeerTestSupport
import RegionStore
import Testing

extension HostileSenderTests {
    static func region() throws -> Region {
        Region(
            id: UUID(),
            name: "Nordkette",
            boundingBox: try #require(BoundingBox(north: 47.16, south: 47.04, east: 11.96, west: 11.25)),
            zoomLevels: 12...12,
            createdAt: Date(timeIntervalSince1970: 1_790_000_000),
            tileCount: 16,
            fileSizeBytes: 0,
            hasRoutingData: false
        )
    }

    static let waypoint = """
        {"id":"0F8FAD5B-D9CB-469F-A165-70867728950E","latitude":47.1,"longitude":11.4,"label":"Hut","note":"",\
        "category":"shelter","timestamp":"2026-02-05T16:00:00Z","hasPhoto":false}
        """

    /// A map and a waypoint, nothing wrong with them.
    static func truth(waypoint: String = waypoint) throws -> [(ResourceKind, [UInt8])] {
        [(.mbtiles, try map()), (.waypoints, Array("[\(waypoint)]".utf8))]
    }

    static func map(more: String? = nil) throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.path + "/hikeshare-test-\(UUID().uuidString).mbtiles"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try MapMaker.make(path, more: more)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
