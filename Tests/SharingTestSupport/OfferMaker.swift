package import Foundation
import NIOCore
import PeerTestSupport
import Testing

@testable package import PeerCore
@testable package import RegionStore

/// Offers of a region that is, or is not, in a store.
package enum OfferMaker {
    /// The folder of the example region.
    private static let examples =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/Docs/example/"

    package static let map = examples + "coma-pedrosa.mbtiles"
    package static let routing = examples + "coma-pedrosa.routing.db"

    /// How an offer differs from the region that is in the store.
    package struct Difference {
        package var map: UInt8 = 1
        package var routing: UInt8?
        package var waypoints: UInt8?
        package var isElsewhere = false
        /// The map in the store has version 1.0.0, and no date.
        package var edition = MapEdition(version: "1.1.0")
        package var isPart = false

        package init(
            map: UInt8 = 1,
            routing: UInt8? = nil,
            waypoints: UInt8? = nil,
            isElsewhere: Bool = false,
            edition: MapEdition = MapEdition(version: "1.1.0"),
            isPart: Bool = false
        ) {
            (self.map, self.routing, self.waypoints) = (map, routing, waypoints)
            (self.isElsewhere, self.edition, self.isPart) = (isElsewhere, edition, isPart)
        }
    }

    /// Imports the routing database for a region with the map.
    package static func addRouting(to id: UUID, of store: RegionStore) throws {
        try store.importMap(at: map, routing: routing, updating: id)
    }

    package static func offer(
        _ id: UUID,
        _ difference: Difference = Difference(),
        from peer: RemotePeer
    ) throws -> TransferOffer {
        let elsewhere = try #require(BoundingBox(north: 47.2, south: 47, east: 11.5, west: 11.2))
        let layout = try #require(ChunkLayout(size: 1_000_000))
        let region = Region(
            id: id,
            name: "Coma Pedrosa",
            boundingBox: difference.isElsewhere ? elsewhere : try Sample.box(),
            zoomLevels: 12...15,
            createdAt: Sample.date,
            tileCount: 120,
            fileSizeBytes: 1_000_000,
            hasRoutingData: difference.routing != nil,
            edition: difference.edition,
            cut: difference.isPart ? CutDescription(maximumZoom: 13, wholeTileCount: 500, wholeSize: 9_000_000) : nil
        )
        var entries = [
            ManifestEntry(
                name: ResourceName(kind: .mbtiles, id: id),
                layout: layout,
                digest: Sample.digest(difference.map)
            )
        ]
        if let routing = difference.routing {
            let name = ResourceName(kind: .routing, id: id)
            entries.append(ManifestEntry(name: name, layout: layout, digest: Sample.digest(routing)))
        }
        if let waypoints = difference.waypoints {
            let name = ResourceName(kind: .waypoints, id: id)
            entries.append(ManifestEntry(name: name, layout: layout, digest: Sample.digest(waypoints)))
        }
        return TransferOffer(peer: peer, manifest: try Manifest(id: id, describing: region, entries: entries))
    }

    /// A sender, unknown unless something else is said.
    package static func peer(
        isEncrypted: Bool = true,
        isTrusted: Bool = false,
        byLink: Bool = false,
        id: UInt8 = 1
    ) -> RemotePeer {
        var peer = Sample.remotePeer(isEncrypted: isEncrypted)
        if isEncrypted {
            peer.id = Sample.peerID(id)
            peer.security = .encrypted(peer.id)
        }
        if isTrusted { peer.trust = .trusted(name: "Ana") }
        peer.isAdmittedByShareLink = byLink
        return peer
    }

    /// Moves a region from one store to another, without a connection.
    package static func move(_ id: UUID, from store: RegionStore, to other: RegionStore) throws {
        let source = try store.source(for: id)
        let sink = other.sink()
        let transfer = try sink.begin(source.manifest, accepting: Set(source.manifest.entries.map(\.kind)))
        for entry in source.manifest.entries {
            let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            let bytes =
                switch try source.content(of: entry) {
                case .file(let path): Array(try Data(contentsOf: URL(fileURLWithPath: path)))
                case .bytes(let bytes): Array(bytes)
                }
            for run in missing.ranges {
                let range = entry.layout.byteRange(of: run)
                let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                try transfer.write([ByteBuffer(bytes: part)], at: range.lowerBound, of: entry)
            }
            try transfer.finish(entry)
        }
        _ = try transfer.commit()
    }
}
