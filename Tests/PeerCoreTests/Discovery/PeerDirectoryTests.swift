import HostNetwork
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite struct PeerDirectoryTests {
    static func id(_ number: UInt8) -> PeerID { PeerID(digest: ContentDigest(hashing: [number])) }

    static func sighting(
        _ key: String,
        id: PeerID? = id(1),
        name: String = "Anna",
        address: String = "192.168.1.7",
        interface: String? = "wlan0"
    ) throws -> PeerSighting {
        PeerSighting(
            key: key,
            instanceName: name,
            address: try SocketAddress(ipAddress: address, port: 4711),
            interfaceName: interface,
            info: DiscoveryInfo(peerID: id, displayName: name)
        )
    }

    @Test func oneMachineOverSeveralInterfacesIsOnePeer() throws {
        var directory = PeerDirectory(ownID: nil)
        let first = directory.seen(try Self.sighting("a"))
        guard case .found(let found) = first.first, first.count == 1 else {
            Issue.record("\(first)")
            return
        }
        #expect(found.displayName == "Anna")
        let second = directory.seen(try Self.sighting("b", name: "Anna #2", address: "10.0.0.2", interface: "eth0"))
        guard case .changed(let changed) = second.first, second.count == 1 else {
            Issue.record("\(second)")
            return
        }
        #expect(changed.id == found.id)
        #expect(changed.addresses.map(\.host) == ["10.0.0.2", "192.168.1.7"])
        #expect(changed.interfaceNames == ["eth0", "wlan0"])
    }

    @Test func equalNamesAloneAreNotOnePeer() throws {
        var directory = PeerDirectory(ownID: nil)
        let events = [
            directory.seen(try Self.sighting("a", id: Self.id(1))),
            directory.seen(try Self.sighting("b", id: Self.id(2))),
        ].flatMap { $0 }
        let ids = events.compactMap { if case .found(let peer) = $0 { peer.peerID } else { nil } }
        #expect(ids == [Self.id(1), Self.id(2)])
    }

    @Test func theSameSightingTwiceIsNoNews() throws {
        var directory = PeerDirectory(ownID: nil)
        _ = directory.seen(try Self.sighting("a"))
        #expect(directory.seen(try Self.sighting("a")).isEmpty)
    }

    @Test func theKeysOfTheApplicationAreKeptAndTheirChangeIsNews() throws {
        var directory = PeerDirectory(ownID: nil)
        var sighting = try Self.sighting("a")
        sighting.info.custom = ["group": "1"]
        let first = directory.seen(sighting)
        guard case .found(let found) = first.first, first.count == 1 else {
            Issue.record("\(first)")
            return
        }
        #expect(found.info.custom == ["group": "1"])
        sighting.info.custom = ["group": "2"]
        let second = directory.seen(sighting)
        guard case .changed(let changed) = second.first, second.count == 1 else {
            Issue.record("\(second)")
            return
        }
        #expect(changed.info.custom == ["group": "2"])
    }

    @Test func ourselvesAreLeftOut() throws {
        var directory = PeerDirectory(ownID: Self.id(1))
        #expect(directory.seen(try Self.sighting("a")).isEmpty)
        #expect(directory.lost("a").isEmpty)
    }

    @Test func aPeerThatTurnsOutToBeOurselvesIsLost() throws {
        var directory = PeerDirectory(ownID: Self.id(1))
        _ = directory.seen(try Self.sighting("a", id: nil))
        let events = directory.seen(try Self.sighting("a"))
        guard case .lost("name:Anna") = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
    }

    @Test func anotherIdIsAnotherPeer() throws {
        var directory = PeerDirectory(ownID: nil)
        _ = directory.seen(try Self.sighting("a", id: Self.id(1)))
        let events = directory.seen(try Self.sighting("a", id: Self.id(2)))
        guard case .lost(Self.id(1).hex) = events.first, case .found(let peer) = events.last, events.count == 2 else {
            Issue.record("\(events)")
            return
        }
        #expect(peer.peerID == Self.id(2))
    }

    @Test func oneInterfaceLessIsAChangeAndTheLastOneALoss() throws {
        var directory = PeerDirectory(ownID: nil)
        _ = directory.seen(try Self.sighting("a"))
        _ = directory.seen(try Self.sighting("b", address: "10.0.0.2", interface: "eth0"))
        let first = directory.lost("b")
        guard case .changed(let changed) = first.first else {
            Issue.record("\(first)")
            return
        }
        #expect(changed.addresses.map(\.host) == ["192.168.1.7"])
        let second = directory.lost("a")
        guard case .lost(Self.id(1).hex) = second.first else {
            Issue.record("\(second)")
            return
        }
        #expect(directory.lost("a").isEmpty)
    }

    @Test func whatIsNotKnownCannotBeLost() {
        var directory = PeerDirectory(ownID: nil)
        #expect(directory.lost("a").isEmpty)
    }

    @Test func announcementsWithoutEndAreNotAllKept() throws {
        var directory = PeerDirectory(ownID: nil)
        for number in 0..<PeerDirectory.maximumSightings {
            #expect(try directory.seen(Self.sighting("\(number)", id: nil, name: "\(number)")).count == 1)
        }
        #expect(try directory.seen(Self.sighting("more", id: nil, name: "more")).isEmpty)
        // What is known may still change and go, and then there is room again.
        #expect(try directory.seen(Self.sighting("0", id: nil, name: "0", address: "10.0.0.9")).count == 1)
        let events = directory.lost("0")
        guard case .lost("name:0") = events.first, case .found(let peer) = events.last, events.count == 2 else {
            Issue.record("\(events)")
            return
        }
        #expect(peer.instanceName == "more", "who came while it was full is seen when there is room")
    }

    @Test func whoWentWhileItWasFullIsNotSeenLater() throws {
        var directory = PeerDirectory(ownID: nil)
        for number in 0..<PeerDirectory.maximumSightings + 2 {
            _ = directory.seen(try Self.sighting("\(number)", id: nil, name: "\(number)"))
        }
        #expect(directory.lost("\(PeerDirectory.maximumSightings)").isEmpty)
        let names = directory.lost("0").compactMap { if case .found(let peer) = $0 { peer.instanceName } else { nil } }
        #expect(names == ["\(PeerDirectory.maximumSightings + 1)"])
        #expect(directory.lost("1").count == 1, "nobody waits any more")
    }

    @Test func containersComeAfterTheCable() throws {
        var directory = PeerDirectory(ownID: nil, rankInterface: { InterfaceRank(of: $0, in: "/nowhere") })
        _ = directory.seen(try Self.sighting("a", address: "172.17.0.1", interface: "docker0"))
        let events = directory.seen(try Self.sighting("b", address: "fe80::1", interface: "lan0"))
        guard case .changed(let peer) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(peer.addresses.map(\.host) == ["fe80::1", "172.17.0.1"])
    }

    /// In the order in which they are to be tried.
    static let ranked: [(address: String, interface: String?)] = [
        ("10.0.0.2", "eth0"),
        ("192.168.1.7", nil),
        ("2001:db8::1", "eth0"),
        ("fd00::1", "eth0"),
        ("fe8::1", "eth0"),
        ("169.254.3.4", "eth0"),
        ("fe80::1", "eth0"),
        ("febf::1", "eth0"),
        ("10.8.0.2", "tun0"),
        ("100.64.0.1", "tailscale0"),
        ("fe80::2", "wg0"),
    ]

    @Test(arguments: [UInt64(1), 2, 3]) func theLocalNetworkIsTriedFirstAndTunnelsLast(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var directory = PeerDirectory(ownID: nil, rankInterface: { InterfaceRank(of: $0, in: "/nowhere") })
        var last: DiscoveredPeer?
        for (address, interface) in Self.ranked.shuffled(using: &generator) {
            let events = directory.seen(try Self.sighting(address, address: address, interface: interface))
            switch events.last {
            case .found(let peer), .changed(let peer): last = peer
            default: break
            }
        }
        #expect(last?.addresses.map(\.host) == Self.ranked.map(\.address))
    }
}
