import Logging
import NIOCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// How a receiver comes to its sender.
@Suite(.timeLimit(.minutes(10))) struct ReceptionPlanTests {
    /// What a plan did, in order.
    private final class Record: Sendable {
        let steps = Locked<[String]>([])

        func note(_ step: String) { steps.withLock { $0.append(step) } }
    }

    private static func link(_ network: ShareLinkNetwork?) throws -> ShareLink {
        try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "192.0.2.1", port: 7)],
            id: Sample.peerID(),
            token: .random(),
            network: network
        )
    }

    private static func sighting(_ port: Int) -> [PeerSighting] {
        guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: port) else { return [] }
        let info = DiscoveryInfo(peerID: Sample.peerID(UInt8(port)), displayName: "Sender \(port)")
        return [
            PeerSighting(key: "\(port)", instanceName: "\(port)", address: address, interfaceName: "lo", info: info)
        ]
    }

    /// Runs a plan; a network is never really joined.
    private static func run(
        from place: ReceptionPlan.Place,
        joins: Bool = false,
        senders: [Int] = [],
        as person: any Person = TestPerson()
    ) async throws -> [String] {
        try await TemporaryDirectory.with { directory in
            let discovery = InMemoryDiscovery { _ in senders.flatMap { Self.sighting($0) } }
            let browser = PeerBrowser(serviceType: .hikeshare, backend: discovery)
            let receiver = RegionReceiver(
                store: try RegionStore(path: directory.path("store")),
                local: LocalPeer(
                    application: .hikeshare,
                    identity: try .generate(for: .hikeshare),
                    displayName: "Receiver",
                    software: "test 1"
                ),
                consent: .person,
                retries: 0,
                browser: browser,
                trust: EmptyTrustStore(),
                logger: Logger(label: "receiver"),
                person: person
            )
            let record = Record()
            var plan = ReceptionPlan(
                receiver,
                from: place,
                joins: joins,
                browser: { _ in browser },
                advise: { _, _ in record.note("advice") }
            )
            plan.searching = { record.note("search") }
            let announced = PeerAdvertisement(
                serviceType: .hikeshare,
                instanceName: "Sender",
                port: 7,
                info: DiscoveryInfo(displayName: "Sender")
            )
            try await discovery.withAdvertisement(announced) { [plan] _ in
                try await plan.run { _ in
                    record.note("network")
                } receiving: { locate in
                    switch try await locate(nil, nil) {
                    case .address(let address): record.note("\(address.port)")
                    case .link(let link, _): record.note("link \(link.network != nil)")
                    case .peer(let peer): record.note(peer.displayName)
                    }
                }
            }
            return record.steps.value
        }
    }

    @Test func anAddressIsNotSearched() async throws {
        let steps = try await Self.run(from: .address(PeerAddress(host: "192.0.2.1", port: 7)))
        #expect(steps == ["7"])
    }

    @Test func aLinkLeadsToItsSender() async throws {
        #expect(try await Self.run(from: .link(Self.link(nil))) == ["link false"])
    }

    /// Nothing is received outside the sender's own network.
    @Test func aLinkToANetworkIsFollowedInIt() async throws {
        #expect(try await Self.run(from: .link(Self.link(.random()))) == ["network"])
        #expect(try await Self.run(from: .nearby(query: nil), joins: true) == ["network"])
    }

    /// The link that a person gives in the place of a sender may name a network.
    @Test(arguments: [false, true]) func aLinkMayTakeThePlaceOfASender(hasNetwork: Bool) async throws {
        let link = try Self.link(hasNetwork ? .random() : nil)
        let person = TestPerson { $0 is SenderQuestion ? SenderAnswer.link(link) : nil }
        let steps = try await Self.run(from: .nearby(query: nil), senders: [1, 2], as: person)
        #expect(steps == ["search", hasNetwork ? "network" : "link false"])
    }
}
