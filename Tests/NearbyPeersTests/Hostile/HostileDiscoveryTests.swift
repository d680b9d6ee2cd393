import FoundationEssentials
import Logging
import NIOCore
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers
@testable import PeerCore

/// Machines on the network that announce what is not there.
@Suite(.timeLimit(.minutes(10))) struct HostileDiscoveryTests {
    /// A network in memory whose announcements a test makes, and whose machines have further addresses.
    private struct Forged: PeerTransport {
        var base: any PeerTransport
        var sightings: AsyncStream<PeerSighting.Event>
        var named: [String] = []

        var clock: any PeerClock { base.clock }
        var discovery: any DiscoveryBackend { Discovery(sightings: sightings) }
        var executor: (any TaskExecutor)? { base.executor }
        var applicationExecutor: (any TaskExecutor)? { base.applicationExecutor }
        var networks: LocalNetworks { base.networks }

        func random() -> UInt64 { base.random() }
        func runBlocking(_ body: @escaping @Sendable () -> Void) { base.runBlocking(body) }
        func ownAddresses(port: Int) -> [String] { named.map { "\($0):\(port)" } + base.ownAddresses(port: port) }

        func withListener(
            local: LocalPeer,
            port: Int,
            configuration: ConnectionConfiguration,
            incarnation: Incarnation,
            admission: Admission,
            accept: @escaping @Sendable (any PeerConnection, Int) async -> Void,
            body: @Sendable (_ port: Int) async throws -> Void
        ) async throws {
            try await base.withListener(
                local: local,
                port: port,
                configuration: configuration,
                incarnation: incarnation,
                admission: admission,
                accept: accept,
                body: body
            )
        }

        func connect(
            local: LocalPeer,
            to addresses: [SocketAddress],
            expecting: ExpectedPeer?,
            configuration: ConnectionConfiguration
        ) async throws(PeerError) -> any PeerConnection {
            try await base.connect(local: local, to: addresses, expecting: expecting, configuration: configuration)
        }

        func carry(
            _ transfer: AttachedTransfer,
            by route: AttachedTransfer.Route
        ) async throws(PeerError) -> TransferReceipt {
            try await base.carry(transfer, by: route)
        }
    }

    private struct Discovery: DiscoveryBackend {
        var sightings: AsyncStream<PeerSighting.Event>

        func withAdvertisement<Result: Sendable>(
            _ advertisement: PeerAdvertisement,
            body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
        ) async throws -> Result {
            try await body(AsyncStream { $0.finish() })
        }

        func withSightings<Result: Sendable>(
            of serviceType: PeerServiceType,
            body: (AsyncStream<PeerSighting.Event>) async throws -> Result
        ) async throws -> Result {
            try await body(sightings)
        }
    }

    private static func sighting(_ number: Int, at address: String) throws -> PeerSighting {
        let id = PeerID(digest: ContentDigest(hashing: Array("no \(number)".utf8)))
        return PeerSighting(
            key: "\(number)",
            instanceName: "no \(number)",
            address: try SocketAddress(ipAddress: address, port: 4711),
            interfaceName: nil,
            info: DiscoveryInfo(
                peerID: id,
                displayName: "no \(number)",
                software: "attack 1",
                encryption: .required,
                custom: [:]
            )
        )
    }

    /// Runs Anna, who invites everyone found, while a test announces services.
    private func withAnna(
        _ world: World,
        named: [String] = [],
        counting attempts: Locked<Int> = Locked(0),
        _ body: @Sendable (PeerSession, AsyncStream<PeerSighting.Event>.Continuation) async throws -> Void
    ) async throws {
        let network = try #require(world.network)
        let (sightings, announce) = AsyncStream.makeStream(of: PeerSighting.Event.self)
        let transport = Forged(base: network.transport(for: "anna"), sightings: sightings, named: named)
        var configuration = try world.configuration("anna")
        configuration.invites = .everyoneFound
        configuration.logger = Logger(label: "anna") { _ in CountingLog(message: "attempt", count: attempts) }
        try await withTaskExecutorPreference(network.executor) { [configuration] in
            await Task.yield()
            try await withPeerSession(configuration, environment: PeerEnvironment(transport)) { anna in
                try await body(anna, announce)
            }
        }
    }

    @Test func fewAreInvitedAtATimeAndInTurn() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let attempts = Locked(0)
        // Nobody answers there, so each attempt takes its 3 s.
        try await world.session("silent") { silent in
            network.block(from: "anna", to: "silent")
            let address = try #require(try network.address(of: "silent", port: 4711).ipAddress)
            try await withAnna(world, counting: attempts) { anna, announce in
                for number in 0..<100 { announce.yield(.seen(try Self.sighting(number, at: address))) }
                for _ in 0..<50 {
                    await network.clock.advance(by: .milliseconds(200))
                    #expect(await anna.hub.inviter.runningCount <= NearbyInviter.maximumCount)
                }
                #expect(await anna.hub.inviter.runningCount == NearbyInviter.maximumCount)
                // Six at a time, and each keeps its place for a while.
                #expect(attempts.value > 6 && attempts.value <= 6 * 11)
                await network.clock.advance(by: .seconds(300))
                #expect(await anna.hub.inviter.candidates.values.allSatisfy { $0.lastLook != nil })
            }
        }
    }

    @Test func addressesElsewhereAreNotDialed() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let attempts = Locked(0)
        try await withAnna(world, counting: attempts) { anna, announce in
            for (number, address) in ["8.8.8.8", "127.0.0.1", "10.1.2.3"].enumerated() {
                announce.yield(.seen(try Self.sighting(number, at: address)))
            }
            try await world.until { attempts.value >= 3 }
            for id in await anna.hub.peers.ids {
                let destination = await anna.hub.destination(of: id)
                let error = await #expect(throws: PeerError.self) { _ = try await anna.hub.dialer.open(destination) }
                #expect(error == .noAddressNearby)
            }
            await network.clock.advance(by: .seconds(1))
            #expect(anna.connectedPeers.isEmpty)
        }
    }

    /// A reader gets the newest list, however many there were meanwhile, and nothing is kept for it.
    @Test func listsAreReplaced() async throws {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let list = PeerBrowsing.PeerList(changed: changed)
        for number in 0..<10_000 {
            let peer = NearbyPeer(
                DiscoveredPeer(
                    id: "\(number)",
                    instanceName: "\(number)",
                    info: try Self.sighting(number % 50, at: "192.0.2.7").info,
                    addresses: [],
                    interfaceNames: []
                )
            )
            list.set(peer, for: "\(number)")
            if number >= 3 { list.set(nil, for: "\(number - 3)") }
        }
        var iterator = PeerBrowsing.Iterator(list: list, changes: changes.makeAsyncIterator())
        #expect(try await iterator.next()?.count == 3)
        list.fail(.linkLost)
        await #expect(throws: PeerError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    /// The zone of a link-local address is the name of an interface of this machine, and belongs into no link.
    @Test func linksHaveNoZones() async throws {
        let world = World(.memory)
        try await withAnna(world, named: ["[fe80::1%lan0]", "[fe80::1%lan1]"]) { anna, _ in
            let link = try await anna.makeShareLink()
            #expect(link.addresses.map(\.host).prefix(2) == ["fe80::1", "192.0.2.1"])
            #expect(try ShareLink(parsing: link.text, for: anna.local.application).addresses == link.addresses)
            #expect(await !anna.hub.ownAddresses.contains { $0.host.contains("%") })
        }
    }
}
