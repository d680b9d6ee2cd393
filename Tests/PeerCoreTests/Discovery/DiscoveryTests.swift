import Foundation
import Logging
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// What every way of discovery must do, whether it is memory or a real daemon on loopback.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DiscoveryTests {
    enum Way: CaseIterable, Sendable {
        case memory, avahi
    }

    private static let id = PeerID(digest: ContentDigest(hashing: [1]))
    private static let otherID = PeerID(digest: ContentDigest(hashing: [2]))

    private func with(_ way: Way, _ body: (any DiscoveryBackend) async throws -> Void) async throws {
        switch way {
        case .memory:
            try await body(
                InMemoryDiscovery { advertisement in
                    guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: advertisement.port) else {
                        return []
                    }
                    return [
                        PeerSighting(
                            key: advertisement.instanceName,
                            instanceName: advertisement.instanceName,
                            address: address,
                            interfaceName: "lo",
                            info: advertisement.info
                        )
                    ]
                }
            )
        case .avahi:
            // This process is on the networks of the machine, where nobody must be asked.
            try await PrivateAvahi.withInProcess { _ in
                try await body(AvahiDiscovery(startTimeout: .patience, asksDirectly: false))
            }
        }
    }

    private func info(_ id: PeerID) -> DiscoveryInfo {
        DiscoveryInfo(peerID: id, displayName: "Anna’s 🏔️", encryption: .required, regionName: "Pirineus", size: 7)
    }

    @Test func foundAndLostPeersAreLoggedWithoutTheirRegions() async throws {
        let entries = Locked<[LogEntry]>([])
        try await with(.memory) { backend in
            let browser = PeerBrowser(serviceType: .hikeshare, backend: backend, logger: .recording(in: entries))
            try await browser.withEvents { events in
                var events = events.makeAsyncIterator()
                _ = try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                    instanceName: "Anna",
                    port: 4711,
                    info: info(Self.id)
                ) { _ in
                    try await events.nextPeer()
                }
                _ = try await events.nextLoss()
            }
        }
        let found = entries.value.first { $0.message == "peer found" }
        #expect(found?.details["peer"] == Self.id.short)
        #expect(found?.details["name"] == "Anna’s 🏔️")
        #expect(found?.details["addresses"] == "127.0.0.1:4711")
        #expect(entries.value.first { $0.message == "peer lost" }?.details["peer"] == Self.id.short)
        #expect(!entries.value.contains { $0.text.contains("Pirineus") })
    }

    @Test(arguments: Way.allCases) func aPeerIsFoundWithWhatItSaysAndLostWhenItGoes(way: Way) async throws {
        try await with(way) { backend in
            try await PeerBrowser(serviceType: .hikeshare, backend: backend).withEvents { events in
                var events = events.makeAsyncIterator()
                let found = try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                    instanceName: "Anna",
                    port: 4711,
                    info: info(Self.id)
                ) { _ in
                    try await events.nextPeer()
                }
                #expect(found.peerID == Self.id)
                #expect(found.info == info(Self.id))
                #expect(found.displayName == "Anna’s 🏔️")
                #expect(found.addresses.allSatisfy { $0.port == 4711 })
                #expect(!found.addresses.isEmpty)
                let lost = try await events.nextLoss()
                #expect(lost == found.id)
            }
        }
    }

    @Test(arguments: Way.allCases) func whoLooksLaterFindsThePeerToo(way: Way) async throws {
        try await with(way) { backend in
            try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                instanceName: "Anna",
                port: 4711,
                info: info(Self.id)
            ) { advertised in
                try await advertised.waitUntilVisible()
                try await PeerBrowser(serviceType: .hikeshare, backend: backend).withEvents { events in
                    var events = events.makeAsyncIterator()
                    let peer = try await events.nextPeer()
                    #expect(peer.peerID == Self.id)
                }
            }
        }
    }

    @Test(arguments: Way.allCases) func ourselvesAreNotFound(way: Way) async throws {
        try await with(way) { backend in
            let advertiser = PeerAdvertiser(serviceType: .hikeshare, backend: backend)
            try await PeerBrowser(serviceType: .hikeshare, ownID: Self.id, backend: backend).withEvents { events in
                var events = events.makeAsyncIterator()
                try await advertiser.withAdvertisement(instanceName: "Me", port: 1, info: info(Self.id)) { mine in
                    try await mine.waitUntilVisible()
                    try await advertiser.withAdvertisement(instanceName: "You", port: 2, info: info(Self.otherID)) {
                        _ in
                        let peer = try await events.nextPeer()
                        #expect(peer.peerID == Self.otherID)
                    }
                }
            }
        }
    }

    @Test(arguments: Way.allCases) func aNameThatIsTakenIsChangedAndBothAreFound(way: Way) async throws {
        try await with(way) { backend in
            let advertiser = PeerAdvertiser(serviceType: .hikeshare, backend: backend)
            try await PeerBrowser(serviceType: .hikeshare, backend: backend).withEvents { events in
                var events = events.makeAsyncIterator()
                try await advertiser.withAdvertisement(instanceName: "Anna", port: 1, info: info(Self.id)) { first in
                    let name = try await first.waitUntilVisible()
                    #expect(name == "Anna")
                    try await advertiser.withAdvertisement(instanceName: "Anna", port: 2, info: info(Self.otherID)) {
                        second in
                        let other = try await second.waitUntilVisible()
                        #expect(other == "Anna #2")
                        var ids: Set<PeerID> = []
                        while ids.count < 2 { ids.formUnion([try await events.nextPeer().peerID].compactMap { $0 }) }
                        #expect(ids == [Self.id, Self.otherID])
                    }
                }
            }
        }
    }

    @Test(arguments: Way.allCases) func whatEverybodySaysOfAnotherServiceIsNotHeard(way: Way) async throws {
        try await with(way) { backend in
            let other = try #require(PeerServiceType("other"))
            try await PeerBrowser(serviceType: .hikeshare, backend: backend).withEvents { events in
                var events = events.makeAsyncIterator()
                try await PeerAdvertiser(serviceType: other, backend: backend).withAdvertisement(
                    instanceName: "Other",
                    port: 1,
                    info: info(Self.otherID)
                ) { first in
                    try await first.waitUntilVisible()
                    try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                        instanceName: "Anna",
                        port: 2,
                        info: info(Self.id)
                    ) { _ in
                        let peer = try await events.nextPeer()
                        #expect(peer.peerID == Self.id)
                    }
                }
            }
        }
    }

    @Test func aMissingDaemonIsSaidByBoth() async throws {
        try await PrivateAvahi.withoutBusInProcess {
            let backend = AvahiDiscovery(startTimeout: .milliseconds(200), asksDirectly: false)
            let looked = await outcome {
                try await PeerBrowser(serviceType: .hikeshare, backend: backend).withEvents { _ in }
            }
            #expect(peerError(looked)?.code == .discoveryUnavailable)
            #expect(peerError(looked)?.remedy != nil)
            let failure = try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                instanceName: "Anna",
                port: 1,
                info: info(Self.id)
            ) { events in
                for await case .failed(let error) in events { return error as PeerError? }
                return nil
            }
            #expect(failure?.code == .discoveryUnavailable)
            #expect(failure?.remedy != nil)
        }
    }

    @Test func aDaemonThatStartsLaterAnnouncesThen() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            await avahi.stopDaemon()
            let backend = AvahiDiscovery(startTimeout: .milliseconds(200), asksDirectly: false)
            try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                instanceName: "Anna",
                port: 1,
                info: info(Self.id)
            ) { events in
                var events = events.makeAsyncIterator()
                guard case .failed(let error) = await events.next() else { throw ScriptError("no failure") }
                #expect(error.code == .discoveryUnavailable)
                try await avahi.startDaemon()
                while let event = await events.next() {
                    if case .published(let name) = event { return #expect(name == "Anna") }
                }
                throw ScriptError("never published")
            }
        }
    }

    @Test func aBusThatStartsLaterIsFoundToo() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            await avahi.stopDaemon()
            await avahi.stopBus()
            let backend = AvahiDiscovery(startTimeout: .milliseconds(200), asksDirectly: false)
            try await PeerAdvertiser(serviceType: .hikeshare, backend: backend).withAdvertisement(
                instanceName: "Anna",
                port: 1,
                info: info(Self.id)
            ) { events in
                var events = events.makeAsyncIterator()
                guard case .failed = await events.next() else { throw ScriptError("no failure") }
                try await avahi.startBus()
                try await avahi.startDaemon()
                while let event = await events.next() {
                    if case .published(let name) = event { return #expect(name == "Anna") }
                }
                throw ScriptError("never published")
            }
        }
    }
}

extension AsyncStream<PeerBrowserEvent>.Iterator {
    /// Waits until a peer is found or seen differently.
    fileprivate mutating func nextPeer() async throws -> DiscoveredPeer {
        while let event = await next(isolation: #isolation) {
            switch event {
            case .found(let peer), .changed(let peer): return peer
            case .failed(let error): throw error
            case .lost, .allForNow: continue
            }
        }
        throw ScriptError("no peer")
    }

    /// Waits until a peer is lost.
    fileprivate mutating func nextLoss() async throws -> DiscoveredPeer.ID {
        while let event = await next(isolation: #isolation) {
            if case .lost(let id) = event { return id }
        }
        throw ScriptError("no loss")
    }
}

extension AsyncStream<PeerAdvertiserEvent> {
    /// Waits until others can see the announcement, and returns its name.
    @discardableResult
    fileprivate func waitUntilVisible() async throws -> String {
        var name = ""
        for await event in self {
            switch event {
            case .published(let published): return published
            case .renamed(let renamed):
                name = renamed
                // Memory knows no moment between a name and its being seen.
                if name.hasSuffix("#2") { return name }
            case .failed(let error): throw error
            case .withdrawn: continue
            }
        }
        throw ScriptError("not published: \(name)")
    }
}
