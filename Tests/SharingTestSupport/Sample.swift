package import FoundationEssentials
import Testing

@testable package import PeerCore
@testable package import RegionStore

/// Values that the tests have in common.
package enum Sample {
    package static let date = Date(timeIntervalSince1970: 1_750_000_000)

    package static func box() throws -> BoundingBox {
        try #require(BoundingBox(north: 42.6175, south: 42.556, east: 1.5255, west: 1.413))
    }

    package static func elsewhere() throws -> BoundingBox {
        try #require(BoundingBox(north: 47.2, south: 47, east: 11.5, west: 11.2))
    }

    package static func place() throws -> Coordinate {
        try #require(Coordinate(latitude: 42.6, longitude: 1.5))
    }

    package static func digest(_ byte: UInt8) -> ContentDigest {
        ContentDigest(hashing: [byte])
    }

    package static func layout(_ size: UInt64) throws -> ChunkLayout {
        try #require(ChunkLayout(size: size))
    }

    package static func peerID(_ byte: UInt8 = 1) -> PeerID {
        PeerID(digest: digest(byte))
    }

    package static func uuid(_ text: String = "52C93677-A1E3-457E-B4A3-E87F040845A4") throws -> UUID {
        try #require(UUID(uuidString: text))
    }

    /// A hike around the lakes, and a planned route to the peak.
    package static func outlines() throws -> [Outline] {
        [
            try outline(
                .savedroutes,
                [
                    (42.5693, 1.4891), (42.5741, 1.4835), (42.5790, 1.4702), (42.5838, 1.4560), (42.5921, 1.4441),
                    (42.6003, 1.4497), (42.6054, 1.4629), (42.5987, 1.4766), (42.5869, 1.4830), (42.5741, 1.4835),
                ]
            ),
            try outline(
                .plannedroutes,
                [(42.5726, 1.5030), (42.5811, 1.4921), (42.5838, 1.4560), (42.5870, 1.4420), (42.5918, 1.4436)]
            ),
        ]
    }

    package static func outline(_ kind: ResourceKind, _ points: [(Double, Double)]) throws -> Outline {
        let line = try points.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
        return try #require(Outline(of: line, kind: kind, limit: line.count))
    }

    package static func region(
        name: String = "Coma Pedrosa",
        id: UUID? = nil,
        routingSize: UInt64? = 98_304,
        hikes: Int = 1,
        plannedRoutes: Int = 1,
        waypoints: Int = 46,
        photos: Int = 0
    ) throws -> RegionSummary {
        RegionSummary(
            id: try id ?? uuid(),
            name: name,
            boundingBox: try box(),
            zoomLevels: 12...15,
            tileCount: 120,
            plannedTileCount: 120,
            format: .png,
            attribution: "© OpenStreetMap contributors",
            createdAt: date,
            addedAt: date,
            mapSize: 2_613_248,
            mapDigest: digest(1),
            routingSize: routingSize,
            routingDigest: routingSize.map { _ in digest(2) },
            hikeCount: hikes,
            plannedRouteCount: plannedRoutes,
            waypointCount: waypoints,
            photoCount: photos,
            photoSize: UInt64(photos) * 100_000
        )
    }

    package static func remotePeer(
        name: String = "Brave Marmot",
        isEncrypted: Bool = true
    ) -> RemotePeer {
        RemotePeer(
            id: peerID(),
            displayName: name,
            platform: "Linux",
            software: "hikeshare 0.1.0",
            address: "192.168.1.7:4711",
            security: isEncrypted ? .encrypted(peerID()) : .plainText,
            trust: .unknown
        )
    }

    package static func discovered(_ name: String, _ byte: UInt8, region: String? = "Coma Pedrosa") -> DiscoveredPeer {
        let id = peerID(byte)
        return DiscoveredPeer(
            id: id.hex,
            instanceName: name,
            info: DiscoveryInfo(peerID: id, displayName: name, regionName: region, size: 2_775_000),
            addresses: [],
            interfaceNames: ["lo"]
        )
    }

    package static func progress(
        _ bytes: UInt64,
        of size: UInt64 = 2_775_000,
        rate: Double = 1_250_000
    ) -> TransferProgress {
        TransferProgress(
            kind: .mbtiles,
            resourceBytes: bytes,
            resourceSize: size,
            bytes: bytes,
            size: size,
            bytesPerSecond: rate,
            timeLeft: rate > 0 ? .seconds(Double(size - bytes) / rate) : nil
        )
    }
}
