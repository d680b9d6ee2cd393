import Foundation
import NIOCore
import NearbyPeers
import PeerCore
import PeerTestSupport
import Testing

/// Transfers and a session on one port, over loopback with TLS.
@Suite(.timeLimit(.minutes(10))) struct FrontDeskSessionTests {
    @Test func aSessionAndATransferShareAPort() async throws {
        let world = World(.loopback)
        let configuration = try world.configuration("anna")
        let service = TransferService(
            TransferSender(local: configuration.local, source: try OneByte()),
            decide: { _ in .decline(Refusal(.declined, "Not today.")) },
            finished: { _ in true }
        )
        var transport = NetworkTransport(serving: service)
        transport.host = "127.0.0.1"
        try await withPeerSession(configuration, environment: PeerEnvironment(transport)) { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let port = await anna.port
                let error = await #expect(throws: PeerError.self) {
                    _ = try await TransferReceiver(local: ben.local).receive(
                        from: [try .init(ipAddress: "127.0.0.1", port: port)],
                        into: Nowhere(),
                        decide: { _ in .accept([]) }
                    )
                }
                #expect(error?.message.contains("Not today.") == true)
                try await ben.send(Line(text: "still here"))
                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "still here")
            }
        }
    }
}

/// A source with one byte.
private struct OneByte: ResourceSource {
    private struct Description: Codable {
        var id: UUID
        var name: String
    }

    let manifest: Manifest
    private let digests: [ContentDigest]

    init() throws {
        let id = UUID()
        let layout = try #require(ChunkLayout(size: 1))
        digests = [7 as UInt8].withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
        let entry = ManifestEntry(
            name: ResourceName(kind: .savedroutes, id: id),
            layout: layout,
            digest: ContentDigest(resourceSize: 1, chunkDigests: digests)
        )
        manifest = try Manifest(id: id, describing: Description(id: id, name: "One byte"), entries: [entry])
    }

    func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }

    func content(of entry: ManifestEntry) -> ResourceContent { .bytes([7]) }
}

/// A sink that takes nothing.
private struct Nowhere: ResourceSink {
    struct Refused: Error {}

    func examine(_ manifest: Manifest) throws {}

    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer {
        throw Refused()
    }
}
