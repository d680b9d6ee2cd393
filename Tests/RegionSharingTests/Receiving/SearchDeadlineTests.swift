import PeerCore
import PeerTestSupport
import Testing

@testable import HikeShareCommands
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
                configuration: ConnectionConfiguration(),
                kinds: nil,
                routes: .all,
                acceptsAll: false,
                retries: 0,
                timeout: timeout,
                console: Console(format: .text, isQuiet: true, screen: Screen(canAsk: asks, isLive: false))
            )
            let found = ContinuousClock.now
            let start = found - .seconds(60)
            let deadline = receiving.deadline(searchingSince: start, foundAt: found)
            #expect(deadline == (fromFound ? found : start) + (timeout ?? .seconds(10)))
        }
    }
}
