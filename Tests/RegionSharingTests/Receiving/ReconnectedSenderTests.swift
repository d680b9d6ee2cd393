import Foundation
import Logging
import NIOCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Which machine a receiver takes for its sender, at first and after the connection broke.
@Suite(.timeLimit(.minutes(10))) struct ReconnectedSenderTests {
    /// Enough of the sender's bytes that the offer is accepted, and not the whole map.
    private static let middle = 256 << 10
    /// So many of the sender's bytes hold the offer, and nothing of the map.
    private static let offerOnly = 8 << 10

    private static func peer(_ name: String) throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try .generate(for: .hikeshare),
            displayName: name,
            software: "test 1"
        )
    }

    /// Serves the example region as several machines, each at a port of its own.
    private static func serving<Result: Sendable>(
        as senders: [LocalPeer],
        in directory: TemporaryDirectory,
        _ body: ([Int]) async throws -> Result
    ) async throws -> Result {
        let store = try RegionStore(path: directory.path("sender"))
        let source = try store.source(for: try store.importMap(at: OfferMaker.map).region.id)
        return try await serve(source, as: senders[...], [], body)
    }

    private static func serve<Result: Sendable>(
        _ source: any ResourceSource,
        as senders: ArraySlice<LocalPeer>,
        _ ports: [Int],
        control: TransferControl = TransferControl(),
        _ body: ([Int]) async throws -> Result
    ) async throws -> Result {
        guard let sender = senders.first else { return try await body(ports) }
        return try await PeerListener.with(local: sender, host: "127.0.0.1") { listener in
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await TransferSender(local: sender, source: source).serve(
                        on: listener,
                        control: control,
                        decide: { _ in .accept },
                        finished: { _ in true }
                    )
                }
                let result = try await serve(source, as: senders.dropFirst(), ports + [listener.port], body)
                control.cancel(reason: "The test is over.")
                try await group.waitForAll()
                return result
            }
        }
    }

    /// Passes bytes on in both directions, and cuts the line after so many bytes of the sender, or does something in the middle.
    private static func relay(
        _ receiver: RawConnection,
        toPort port: Int,
        cutAfter count: Int = .max,
        inTheMiddle act: (() -> Void)? = nil
    ) {
        // Only a little of the map is on its way at a time, so that much is missing when the line is cut or the sender stopped.
        guard let sender = try? RawConnection(toPort: port, receiveBuffer: 16 << 10) else { return }
        Thread.detachNewThread {
            while case let bytes = receiver.read(), !bytes.isEmpty, sender.write(bytes) {}
            sender.end()
        }
        var (passed, act) = (0, act)
        while passed < count, case let bytes = sender.read(atMost: 4096), !bytes.isEmpty, receiver.write(bytes) {
            passed += bytes.count
            if passed >= middle {
                act?()
                act = nil
            }
        }
        sender.end()
    }

    /// Receives into a store as `--yes` does; returns the error, nil if a region has arrived.
    private static func receive(
        from location: SenderLocation,
        into store: RegionStore,
        encryption: EncryptionPreference = .required,
        retries: Int = 2,
        browser: PeerBrowser = PeerBrowser(serviceType: .hikeshare, backend: InMemoryDiscovery { _ in [] })
    ) async throws -> (any Error)? {
        var configuration = ConnectionConfiguration()
        configuration.encryption = encryption
        var receiving = RegionReceiver(
            store: store,
            local: try peer("Receiver"),
            configuration: configuration,
            consent: .everything,
            retries: retries,
            timeout: .patience,
            browser: browser,
            trust: store.trustedPeers,
            logger: Logger(label: "receiver"),
            person: TestPerson()
        )
        receiving.retryDelay = .milliseconds(10)
        do {
            try await receiving.receive(from: location, TransferControl(), until: .now + .patience)
            return nil
        } catch {
            return error
        }
    }

    private static func address(_ port: Int) -> SenderLocation {
        .address(PeerAddress(host: "127.0.0.1", port: port))
    }

    private static func found(_ sender: LocalPeer, as name: String? = nil, at port: Int) throws -> DiscoveredPeer {
        let name = name ?? sender.displayName
        return DiscoveredPeer(
            id: sender.id.hex,
            instanceName: name,
            info: DiscoveryInfo(peerID: sender.id, displayName: name),
            addresses: [try SocketAddress(ipAddress: "127.0.0.1", port: port)],
            interfaceNames: ["lo"]
        )
    }

    /// The first connection leads to a sender and breaks; what comes later leads to another machine, or nowhere.
    @Test(arguments: [true, false]) func afterABreakNoOtherMachineIsTakenForTheSender(isThere: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let senders = [try Self.peer("Ana"), try Self.peer("Ben")]
            let isFirst = Locked(true)
            let error = try await Self.serving(as: senders, in: directory) { ports in
                try await RawServer.with { connection in
                    let cuts = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if cuts {
                        Self.relay(connection, toPort: ports[0], cutAfter: Self.middle)
                    } else if isThere {
                        Self.relay(connection, toPort: ports[1])
                    }
                } _: { server in
                    try await Self.receive(from: Self.address(server.port), into: store)
                }
            }
            #expect(try store.regions().isEmpty)
            #expect(try store.incomingFiles().count == 1)
            if !isThere { #expect(RetryTests.code(error) == .connectionLost) }
        }
    }

    @Test(arguments: [EncryptionPreference.required, .optional])
    func whoAnswersForATrustedSenderMustBeIt(encryption: EncryptionPreference) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let (ana, other) = (try Self.peer("Ana"), try Self.peer("Ben"))
            try store.trustedPeers.trust(ana.id, name: "Ana")
            let error = try await Self.serving(as: [other], in: directory) { ports in
                let location = SenderLocation.peer(try Self.found(ana, at: ports[0]))
                return try await Self.receive(from: location, into: store, encryption: encryption, retries: 0)
            }
            #expect(error != nil)
            #expect(try store.regions().isEmpty)
        }
    }

    /// Discovery is not authenticated: the certificate must prove the id that was announced.
    @Test func whoAnswersForADiscoveredSenderMustBeItIfEncryptionIsRequired() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let (ana, other) = (try Self.peer("Ana"), try Self.peer("Ben"))
            let error = try await Self.serving(as: [other], in: directory) { ports in
                let location = SenderLocation.peer(try Self.found(ana, at: ports[0]))
                return try await Self.receive(from: location, into: store, retries: 0)
            }
            #expect(error != nil)
            #expect(try store.regions().isEmpty)
        }
    }

    /// The name that it says later may be another one, with which it is no impostor.
    @Test func whoIsAnnouncedWithTheNameOfATrustedSenderIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let (ana, other) = (try Self.peer("Ana"), try Self.peer("Ben"))
            try store.trustedPeers.trust(ana.id, name: "Ana")
            let error = try await Self.serving(as: [other], in: directory) { ports in
                let location = SenderLocation.peer(try Self.found(other, as: "Ana", at: ports[0]))
                return try await Self.receive(from: location, into: store, retries: 0)
            }
            #expect((error as? ReceivingError) == .impostor(friend: "Ana", peer: "Ana"))
            #expect(try store.regions().isEmpty)
        }
    }

    /// What is kept of other regions says nothing about this one.
    @Test func onlyWhatIsKeptOfTheOfferedRegionIsReported() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let other = try RetryTests.Source()
            try Self.begin(other, into: store)
            let isFirst = Locked(true)
            let error = try await Self.serving(as: [try Self.peer("Ana")], in: directory) { ports in
                try await RawServer.with { connection in
                    let cut = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if cut { Self.relay(connection, toPort: ports[0], cutAfter: Self.offerOnly) }
                } _: { server in
                    try await Self.receive(from: Self.address(server.port), into: store, retries: 0)
                }
            }
            #expect(error != nil)
            #expect(try store.incomingFiles().map(\.regionID) == [other.manifest.id])
            #expect((error as? IncompleteReception)?.kept == nil)
        }
    }

    /// Receives the first chunk of a map, and no more.
    private static func begin(_ source: RetryTests.Source, into store: RegionStore) throws {
        let entry = try #require(source.manifest.entry(of: .mbtiles))
        let transfer = try store.sink().begin(source.manifest, accepting: [.mbtiles])
        _ = try transfer.missingChunks(of: entry, digests: source.digests)
        try transfer.write([ByteBuffer(bytes: source.bytes.prefix(Int(entry.layout.chunkLength)))], at: 0, of: entry)
        transfer.abandon()
    }

    @Test func aSenderThatHasMovedIsFoundWhereItIs() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("receiver"))
            let ana = try Self.peer("Ana")
            let isFirst = Locked(true)
            let error = try await Self.serving(as: [ana], in: directory) { ports in
                let discovery = InMemoryDiscovery { advertisement in
                    let address = try? SocketAddress(ipAddress: "127.0.0.1", port: ports[0])
                    return address.map {
                        [
                            PeerSighting(
                                key: "1",
                                instanceName: advertisement.instanceName,
                                address: $0,
                                interfaceName: "lo",
                                info: advertisement.info
                            )
                        ]
                    } ?? []
                }
                // At its old address nothing answers any more.
                return try await RawServer.with { connection in
                    let cuts = isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                    if cuts { Self.relay(connection, toPort: ports[0], cutAfter: Self.middle) }
                } _: { server in
                    let old = try Self.found(ana, at: server.port)
                    return try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
                        instanceName: "Ana",
                        port: ports[0],
                        info: old.info
                    ) { _ in
                        try await Self.receive(
                            from: .peer(old),
                            into: store,
                            browser: PeerBrowser(serviceType: .hikeshare, backend: discovery)
                        )
                    }
                }
            }
            #expect(error == nil, "\(String(describing: error))")
            #expect(try store.regions().count == 1)
        }
    }

    /// The sender breaks off and is gone, or its person stops it.
    ///
    /// A machine that has received its map goes on, for each of its regions.
    @Test(arguments: [false, true])
    func whoHasReceivedTheMapTakesThePlaceOfASenderThatHasLeft(isStopped: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (first, second) = (
                try RegionStore(path: directory.path("a")), try RegionStore(path: directory.path("b"))
            )
            let (ana, ben) = (try Self.peer("Ana"), try Self.peer("Ben"))
            for isWhole in [true, false] {
                let store = try RegionStore(path: directory.path("receiver \(isWhole)"))
                if isWhole { try store.trustedPeers.trust(ben.id, name: "Ben") }
                let region = try Self.region(isWhole: isWhole, in: first, directory)
                try OfferMaker.move(region.id, from: first, to: second)
                let sources = try [first, second].map { try $0.source(for: region.id) }
                let stop = TransferControl()
                let error = try await Self.serve(sources[0], as: [ana], [], control: stop) { ports in
                    try await Self.serve(sources[1], as: [ben], ports) { ports in
                        try await Self.receiveBreaking(
                            from: ana,
                            ports[0],
                            then: ben,
                            ports[1],
                            sources[1],
                            stopping: isStopped ? stop : nil,
                            into: store
                        )
                    }
                }
                #expect(error == nil, "\(String(describing: error))")
                let received = try store.region(region.id)
                #expect(received.mapDigest == region.mapDigest && received.signature == region.signature)
                #expect(received.signature?.name == "Ana")
                let history = try store.history(limit: 10).filter {
                    $0.regionID == region.id && $0.outcome == .completed
                }
                #expect(history.map(\.partner.id) == [ben.id])
            }
        }
    }

    /// Imports and signs the map of the example, or one with most of its tiles.
    private static func region(
        isWhole: Bool,
        in store: RegionStore,
        _ directory: TemporaryDirectory
    ) throws -> RegionSummary {
        let ana = try PeerIdentity.known(by: "Ana", for: .hikeshare)
        func importing(_ path: String) throws -> RegionSummary {
            try store.prepareMap(at: path).store(signed: { map in
                try MapSignature(of: map, as: "Ana") { try ana.sign($0) }
            }).region
        }
        let whole = try importing(OfferMaker.map)
        guard !isWhole else { return whole }
        let area = BoundingBox(north: 42.7, south: 42.5, east: 1.51, west: 1.4)
        let part = try store.cut(CutRule(area: area), of: whole)
        try store.export(part, to: directory.path("part.mbtiles"))
        return try importing(directory.path("part.mbtiles"))
    }

    /// Receives from a sender that breaks off or is stopped in the middle and is announced no more, while another one is.
    private static func receiveBreaking(
        from first: LocalPeer,
        _ firstPort: Int,
        then second: LocalPeer,
        _ secondPort: Int,
        _ source: RegionSource,
        stopping stop: TransferControl?,
        into store: RegionStore
    ) async throws -> (any Error)? {
        let discovery = InMemoryDiscovery { advertisement in
            let address = try? SocketAddress(ipAddress: "127.0.0.1", port: secondPort)
            return address.map {
                [
                    PeerSighting(
                        key: "1",
                        instanceName: advertisement.instanceName,
                        address: $0,
                        interfaceName: "lo",
                        info: advertisement.info
                    )
                ]
            } ?? []
        }
        var info = try found(second, at: secondPort).info
        info.custom = MapMark.custom(of: [source.manifest])
        let isFirst = Locked(true)
        return try await RawServer.with { connection in
            let isWhole = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard isWhole else { return }
            guard let stop else { return relay(connection, toPort: firstPort, cutAfter: middle) }
            relay(connection, toPort: firstPort) { stop.cancel(reason: "it was interrupted.") }
        } _: { [info] server in
            let gone = try found(first, at: server.port)
            return try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
                instanceName: second.displayName,
                port: secondPort,
                info: info
            ) { _ in
                try await receive(
                    from: .peer(gone),
                    into: store,
                    retries: 1000,
                    browser: PeerBrowser(serviceType: .hikeshare, backend: discovery)
                )
            }
        }
    }
}
