import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Where a sender listens, and what it says of that.
@Suite(.timeLimit(.minutes(10))) struct ListeningTests {
    @Test func aPortThatIsTakenIsReplacedIfThatIsWanted() async throws {
        let pair = try Pair()
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1") { first in
            let second = try await PeerListener.with(
                local: pair.sender,
                host: "127.0.0.1",
                port: first.port,
                orAnyFree: true
            ) { $0.port }
            #expect(second != first.port && second > 0)
        }
    }

    @Test func aPortThatIsFreeIsUsed() async throws {
        let pair = try Pair()
        let port = try await PeerListener.with(local: pair.sender, host: "127.0.0.1") { $0.port }
        let again = try await PeerListener.with(local: pair.sender, host: "127.0.0.1", port: port, orAnyFree: true) {
            $0.port
        }
        #expect(again == port)
    }

    @Test func noLoopbackAddressIsShown() async throws {
        let pair = try Pair()
        try await PeerListener.with(local: pair.sender) { listener in
            #expect(
                !listener.addresses(includingLoopback: false).contains { $0.hasPrefix("127.") || $0.hasPrefix("[::1]") }
            )
            #expect(listener.addresses(includingLoopback: true).contains("127.0.0.1:\(listener.port)"))
            var changes = listener.addressChanges(includingLoopback: true).makeAsyncIterator()
            #expect(await changes.next() == listener.addresses(includingLoopback: true))
        }
    }

    @Test func whoeverStopsWaitingForChangesEndsThem() async throws {
        let pair = try Pair()
        try await PeerListener.with(local: pair.sender) { listener in
            let changes = listener.addressChanges()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in changes {} }
                group.cancelAll()
            }
        }
    }

    @Test func aDefaultPortMustBeAPort() {
        for port in [-1, 0, 65_536] { #expect(PeerServiceType("notes", defaultPort: port) == nil) }
        #expect(PeerServiceType("notes", defaultPort: 61_000)?.defaultPort == 61_000)
        #expect(PeerServiceType("notes")?.defaultPort == nil)
    }
}
