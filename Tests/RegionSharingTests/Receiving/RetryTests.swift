import Foundation
import Logging
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// How often a broken transfer is tried again.
@Suite(.timeLimit(.minutes(10))) struct RetryTests {
    /// Offers 16 MB of random bytes as a map.
    struct Source: ResourceSource {
        let manifest: Manifest
        let bytes: [UInt8]
        let digests: [ContentDigest]

        init() throws {
            let (id, size) = (UUID(), UInt64(16 << 20))
            var random = SeededGenerator(seed: 1)
            bytes = random.bytes(Int(size))
            let layout = try #require(ChunkLayout(size: size))
            digests = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
            let digest = ContentDigest(resourceSize: size, chunkDigests: digests)
            let region = Region(
                id: id,
                name: "Coma Pedrosa",
                boundingBox: try Sample.box(),
                zoomLevels: 12...15,
                createdAt: Sample.date,
                tileCount: 120,
                fileSizeBytes: Int64(size),
                hasRoutingData: false
            )
            let entry = ManifestEntry(name: ResourceName(kind: .mbtiles, id: id), layout: layout, digest: digest)
            manifest = try Manifest(id: id, describing: region, entries: [entry])
        }

        func chunkDigests(of entry: ManifestEntry) -> [ContentDigest] { digests }
        func content(of entry: ManifestEntry) -> ResourceContent { .bytes(Data(bytes)) }
    }

    /// So many of the sender's bytes hold the offer, and less than the list of digests.
    private static let offerOnly = 24 << 10

    /// Passes bytes on in both directions, and cuts the line after so many bytes of the sender.
    private static func relay(_ receiver: RawConnection, toPort port: Int, cutAfter count: Int) {
        guard let sender = try? RawConnection(toPort: port) else { return }
        Thread.detachNewThread {
            while case let bytes = receiver.read(), !bytes.isEmpty, sender.write(bytes) {}
            sender.end()
        }
        var passed = 0
        while passed < count, case let bytes = sender.read(atMost: 4096), !bytes.isEmpty, receiver.write(bytes) {
            passed += bytes.count
        }
        sender.end()
    }

    @Test(arguments: [(0, offerOnly), (3, offerOnly), (2, 4 << 20)])
    func aTransferThatBringsNothingNewIsGivenUp(retries: Int, firstCut: Int) async throws {
        let sender = LocalPeer(
            application: .hikeshare,
            identity: try .generate(for: .hikeshare),
            displayName: "Sender",
            software: "test 1"
        )
        let connections = Locked(0)
        try await PeerListener.with(local: sender, host: "127.0.0.1") { listener in
            let control = TransferControl()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let source = try Source()
                group.addTask {
                    try await TransferSender(local: sender, source: source).serve(
                        on: listener,
                        control: control,
                        decide: { _ in .accept },
                        finished: { _ in true }
                    )
                }
                let port = listener.port
                let error = try await RawServer.with { connection in
                    let number = connections.withLock { count in
                        count += 1
                        return count
                    }
                    Self.relay(connection, toPort: port, cutAfter: number == 1 ? firstCut : Self.offerOnly)
                } _: { server in
                    try await Self.receive(from: server.port, retries: retries)
                }
                #expect(Self.code(error) == .connectionLost, "\(String(describing: error))")
                control.cancel(reason: "The test is over.")
                try await group.waitForAll()
            }
        }
        #expect(connections.value == 1 + retries)
    }

    /// Why a reception has ended; nil if it has not failed, or on this side.
    static func code(_ error: (any Error)?) -> PeerError.Code? {
        (((error as? IncompleteReception)?.underlying ?? error) as? PeerError)?.code
    }

    /// Receives until the last attempt has failed; returns the error.
    private static func receive(from port: Int, retries: Int) async throws -> (any Error)? {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            var receiving = RegionReceiver(
                store: store,
                local: LocalPeer(
                    application: .hikeshare,
                    identity: try .generate(for: .hikeshare),
                    displayName: "Receiver",
                    software: "test 2"
                ),
                consent: .everything,
                retries: retries,
                timeout: .patience,
                browser: PeerBrowser(serviceType: .hikeshare, backend: InMemoryDiscovery { _ in [] }),
                trust: store.trustedPeers,
                logger: Logger(label: "receiver"),
                person: TestPerson()
            )
            receiving.retryDelay = .milliseconds(10)
            let address = SenderLocation.address(PeerAddress(host: "127.0.0.1", port: port))
            do {
                try await receiving.receive(from: address, TransferControl(), until: .now + .patience)
                return nil
            } catch {
                return error
            }
        }
    }
}
