import Logging
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// When the search for a sender is over.
@Suite struct SearchDeadlineTests {
    @Test(
        arguments: [
            // Whether a person is asked; the time limit; whether the time runs from when the sender was found.
            (true, .seconds(5), true), (true, nil, true), (false, .seconds(5), false), (false, nil, true),
        ] as [(Bool, Duration?, Bool)]
    )
    func theTimeInWhichAPersonPicksASenderDoesNotCount(asks: Bool, timeout: Duration?, fromFound: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let receiving = RegionReceiver(
                store: try RegionStore(path: directory.path("store")),
                local: LocalPeer(
                    application: .hikeshare,
                    identity: try .generate(for: .hikeshare),
                    displayName: "Receiver",
                    software: "test 1"
                ),
                consent: asks ? .person : .knownMachines,
                retries: 0,
                timeout: timeout,
                browser: PeerBrowser(serviceType: .hikeshare, backend: InMemoryDiscovery { _ in [] }),
                trust: EmptyTrustStore(),
                logger: Logger(label: "receiver"),
                person: TestPerson()
            )
            let found = ContinuousClock.now
            let start = found - .seconds(60)
            let deadline = receiving.deadline(searchingSince: start, foundAt: found)
            #expect(deadline == (fromFound ? found : start) + (timeout ?? .seconds(10)))
        }
    }
}
