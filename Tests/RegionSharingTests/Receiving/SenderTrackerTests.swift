import NIOCore
import PeerCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import RegionSharing

/// How long a receiver waits for the next attempt, and where it looks meanwhile.
@Suite(.timeLimit(.minutes(10))) struct SenderTrackerTests {
    /// Longer than any test may take.
    private static let hours: Duration = .seconds(36_000)
    private static let address = SenderLocation.address(PeerAddress(host: "10.0.0.1", port: 1))

    /// A sender that was found at a port.
    private static func peer(_ name: String, _ number: UInt8, port: Int) throws -> DiscoveredPeer {
        var peer = Sample.discovered(name, number)
        peer.socketAddresses = [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
        return peer
    }

    /// Whether somebody waits until a person stops it, and for nothing else.
    private static func waits(_ tracker: SenderTracker, after location: SenderLocation) async -> Bool {
        let control = TransferControl()
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await tracker.nextLocation(after: location, within: Self.hours, control) == nil }
            group.addTask {
                // Long enough for whatever is announced to be seen.
                try? await Task.sleep(for: .milliseconds(700))
                return nil
            }
            let first = await group.next() ?? nil
            control.cancel(reason: "enough")
            let second = await group.next() ?? nil
            return first == nil && second == true
        }
    }

    @Test func theNextAttemptIsAtTheSameAddressWhenTheTimeIsOver() async throws {
        let tracker = SenderTracker(
            browser: PeerBrowser(serviceType: .hikeshare, backend: InMemoryDiscovery.onOneMachine())
        )
        let next = await tracker.nextLocation(
            after: Self.address,
            within: .milliseconds(10),
            TransferControl()
        )
        guard case .address(let address) = next else {
            Issue.record("\(String(describing: next))")
            return
        }
        #expect(address == PeerAddress(host: "10.0.0.1", port: 1))
    }

    @Test func aPersonEndsTheWait() async throws {
        let tracker = SenderTracker(
            browser: PeerBrowser(serviceType: .hikeshare, backend: InMemoryDiscovery.onOneMachine())
        )
        #expect(await Self.waits(tracker, after: Self.address))
    }

    @Test func whoeverElseIsSeenEndsNoWait() async throws {
        let discovery = InMemoryDiscovery.onOneMachine()
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: discovery))
        let ana = try Self.peer("Ana", 1, port: 1)
        let other = try Self.peer("Ben", 2, port: 2)
        let waits = try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
            instanceName: "Ben",
            port: 2,
            info: other.info
        ) { _ in await Self.waits(tracker, after: .peer(ana)) }
        #expect(waits)
    }

    @Test func whoIsSeenWhereItWasEndsNoWait() async throws {
        let discovery = InMemoryDiscovery.onOneMachine()
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: discovery))
        let ana = try Self.peer("Ana", 1, port: 1)
        let waits = try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
            instanceName: "Ana",
            port: 1,
            info: ana.info
        ) { _ in await Self.waits(tracker, after: .peer(ana)) }
        #expect(waits)
    }

    /// Without discovery, attempts must not be used up within a second.
    @Test func withoutDiscoveryTimePassesAllTheSame() async throws {
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: NoDaemon()))
        let ana = try Self.peer("Ana", 1, port: 1)
        #expect(await Self.waits(tracker, after: .peer(ana)))
    }

    /// Whoever only looks has nothing to wait for.
    @Test func withoutDiscoveryASearchIsOver() async throws {
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: NoDaemon()))
        let ana = try Self.peer("Ana", 1, port: 1)
        let next = await tracker.nextLocation(
            after: .peer(ana),
            within: Self.hours,
            isSearch: true,
            TransferControl()
        )
        #expect(next != nil)
    }

    @Test func aSenderThatIsPreferredEndsTheWait() async throws {
        let discovery = InMemoryDiscovery.onOneMachine()
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: discovery))
        let (ana, ben) = (try Self.peer("Ana", 1, port: 1), try Self.peer("Ben", 2, port: 2))
        let next = try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
            instanceName: "Ben",
            port: 2,
            info: ben.info
        ) { _ in
            await tracker.nextLocation(
                after: .peer(ana),
                within: Self.hours,
                or: SenderTracker.Substitutes(isPreferred: true) { _ in true },
                TransferControl()
            )
        }
        guard case .peer(let found) = next else {
            Issue.record("\(String(describing: next))")
            return
        }
        #expect(found.peerID == ben.peerID)
    }

    @Test func connectingToAFoundSenderEndsInTime() throws {
        let now = ContinuousClock.now
        let found = SenderLocation.peer(Sample.discovered("Ana", 1))
        #expect(found.connectingTime(until: now + .seconds(7), at: now) == .seconds(7))
        #expect(found.connectingTime(until: now - .seconds(7), at: now) == SenderLocation.shortestConnectingTime)
        let address = SenderLocation.address(PeerAddress(host: "10.0.0.1", port: 1))
        #expect(address.connectingTime(until: now, at: now) == nil)
    }

    @Test(.timeLimit(.minutes(10))) func whoIsSeenElsewhereIsTriedThereAtOnce() async throws {
        let before = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let now = try SocketAddress(ipAddress: "127.0.0.1", port: 2)
        var peer = Sample.discovered("Ana", 1)
        peer.socketAddresses = [before]
        let discovery = InMemoryDiscovery { advertisement in
            [
                PeerSighting(
                    key: "\(advertisement.port)",
                    instanceName: advertisement.instanceName,
                    address: advertisement.port == 1 ? before : now,
                    interfaceName: "lo",
                    info: advertisement.info
                )
            ]
        }
        let advertiser = PeerAdvertiser(serviceType: .hikeshare, backend: discovery)
        // Whoever waited to the end would wait for hours.
        let tracker = SenderTracker(browser: PeerBrowser(serviceType: .hikeshare, backend: discovery))
        // What it was announced as before is still remembered.
        let next = try await advertiser.withAdvertisement(instanceName: "Ana", port: 1, info: peer.info) { _ in
            try await advertiser.withAdvertisement(instanceName: "Ana", port: 2, info: peer.info) { _ in
                await tracker.nextLocation(after: .peer(peer), within: Self.hours, TransferControl())
            }
        }
        guard case .peer(let found) = next else {
            Issue.record("\(String(describing: next))")
            return
        }
        #expect(found.peerID == peer.peerID)
        #expect(found.socketAddresses.contains(now))
    }

    /// Discovery on a machine without a daemon for it.
    private struct NoDaemon: DiscoveryBackend {
        private static let error = PeerError(.discoveryUnavailable, "There is no daemon.")

        func withAdvertisement<Result: Sendable>(
            _ advertisement: PeerAdvertisement,
            body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
        ) async throws -> Result { throw Self.error }

        func withSightings<Result: Sendable>(
            of serviceType: PeerServiceType,
            body: (AsyncStream<PeerSighting.Event>) async throws -> Result
        ) async throws -> Result { throw Self.error }
    }
}
