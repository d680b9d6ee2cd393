import NIOCore
import Testing

@testable import PeerCore

/// What Avahi sees, and what answers directly beside it.
@Suite struct SightingMergeTests {
    private static func sighting(
        _ key: String,
        _ address: String = "192.168.1.7",
        name: String = "Anna",
        interface: String = "wlan0",
        isLocal: Bool = false
    ) throws -> PeerSighting {
        PeerSighting(
            key: key,
            instanceName: name,
            address: try SocketAddress(ipAddress: address, port: 4711),
            interfaceName: interface,
            info: DiscoveryInfo(peerID: PeerDirectoryTests.id(1)),
            isLocal: isLocal
        )
    }

    private func text(_ events: [PeerSighting.Event]) -> [String] {
        events.map { event in
            switch event {
            case .seen(let sighting): "+\(sighting.key)"
            case .lost(let key): "-\(key)"
            case .allForNow: "all"
            case .failed: "failed"
            }
        }
    }

    @Test func whoAnswersIsSeenUntilSeveralQuestionsGotNoAnswer() throws {
        var merge = SightingMerge()
        #expect(merge.isNeeded(over: "wlan0"))
        #expect(merge.ask().isEmpty)
        #expect(text(merge.answered(try Self.sighting("d"))) == ["+d"])
        #expect(merge.answered(try Self.sighting("d")).isEmpty, "no news")
        #expect(text(merge.answered(try Self.sighting("d", "192.168.1.8"))) == ["+d"])
        for _ in 0..<2 {
            for _ in 0..<SightingMerge.maximumMissed {
                #expect(merge.ask().isEmpty)
                #expect(merge.missesAnybody)
            }
            #expect(merge.answered(try Self.sighting("d", "192.168.1.8")).isEmpty)
            #expect(!merge.missesAnybody)
        }
        for _ in 0..<SightingMerge.maximumMissed { #expect(merge.ask().isEmpty) }
        #expect(text(merge.ask()) == ["-d"])
        #expect(!merge.missesAnybody)
    }

    @Test func whatAvahiSeesComesFirstAndGoesWithIt() throws {
        var merge = SightingMerge()
        #expect(text(merge.answered(try Self.sighting("d4"))) == ["+d4"])
        #expect(text(merge.answered(try Self.sighting("d6", "fe80::7"))) == ["+d6"])
        // The peer is never without an address.
        #expect(text(merge.avahi(.seen(try Self.sighting("a4")))) == ["+a4", "-d4"])
        #expect(merge.answered(try Self.sighting("d4")).isEmpty)
        #expect(merge.answered(try Self.sighting("d6", "fe80::7")).isEmpty, "still seen, and no news")
        #expect(merge.isNeeded(over: "wlan0"))
        #expect(text(merge.avahi(.lost("a4"))) == ["-a4", "-d6"], "a farewell counts for both")
        #expect(text(merge.answered(try Self.sighting("d4"))) == ["+d4"], "unless it goes on answering")
    }

    @Test func nobodyIsAskedWhereMulticastArrives() throws {
        var merge = SightingMerge()
        _ = merge.avahi(.seen(try Self.sighting("own", isLocal: true)))
        #expect(merge.isNeeded(over: "wlan0"), "this machine's own service proves nothing")
        _ = merge.avahi(.seen(try Self.sighting("a4")))
        _ = merge.avahi(.seen(try Self.sighting("a6", "fe80::7")))
        #expect(!merge.isNeeded(over: "wlan0"))
        #expect(merge.isNeeded(over: "eth0"))
        _ = merge.answered(try Self.sighting("d4", name: "Bert"))
        #expect(merge.isNeeded(over: "wlan0"), "somebody is seen in no other way")
        for _ in 0...SightingMerge.maximumMissed { _ = merge.ask() }
        #expect(!merge.isNeeded(over: "wlan0"))
        #expect(text(merge.avahi(.lost("a4"))) == ["-a4"])
        #expect(!merge.isNeeded(over: "wlan0"))
        _ = merge.avahi(.lost("a6"))
        #expect(merge.isNeeded(over: "wlan0"))
    }

    @Test func theSameServiceOverAnotherInterfaceIsAnotherSighting() throws {
        var merge = SightingMerge()
        _ = merge.avahi(.seen(try Self.sighting("a", interface: "eth0")))
        #expect(text(merge.answered(try Self.sighting("d"))) == ["+d"])
    }

    @Test func answersWithoutEndAreNotAllKept() throws {
        var merge = SightingMerge()
        for number in 0..<SightingMerge.maximumCount {
            #expect(try merge.answered(Self.sighting("\(number)", name: "\(number)")).count == 1)
        }
        #expect(try merge.answered(Self.sighting("more", name: "more")).isEmpty)
        #expect(try merge.answered(Self.sighting("0", "192.168.1.9", name: "0")).count == 1)
    }

    /// A peer that is found both ways is one peer, and its reader hears nothing of the second way.
    @Test func oneWayMoreIsNoNewsOfThePeer() throws {
        var (merge, directory) = (SightingMerge(), PeerDirectory(ownID: nil))
        func news(_ events: [PeerSighting.Event]) -> Int {
            events.reduce(0) { count, event in
                switch event {
                case .seen(let sighting): count + directory.seen(sighting).count
                case .lost(let key): count + directory.lost(key).count
                case .allForNow, .failed: count
                }
            }
        }
        #expect(news(merge.answered(try Self.sighting("d"))) == 1)
        #expect(news(merge.avahi(.seen(try Self.sighting("a")))) == 0)
        #expect(news(merge.answered(try Self.sighting("d"))) == 0)
        #expect(news(merge.avahi(.lost("a"))) == 1)
    }
}
