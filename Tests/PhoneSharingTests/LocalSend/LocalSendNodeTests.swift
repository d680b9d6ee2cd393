import Foundation
import HostNetwork
import LocalSend
import PeerTestSupport
import RegionSharing
import RegionStore
import SharingTestSupport
import Testing
import WebServer

@testable import PhoneSharing

/// Two nodes on loopback, in a multicast group that no other test has.
@Suite(.timeLimit(.minutes(10))) struct LocalSendNodeTests {
    /// Answers `register` alone.
    private struct Site: WebSite {
        final class Collected: WebContent {
            let bytes = Locked<[UInt8]>([])

            func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.withLock { $0 += bytes } }
        }

        let finder: LocalSendFinder

        func refusal(ofContentFor request: WebRequest) -> WebResponse? { nil }

        func content(for request: WebRequest) -> (any WebContent)? { Collected() }

        func respond(to request: WebRequest) -> WebResponse {
            let body = (request.taken as? Collected)?.bytes.value ?? []
            let answer = finder.registered(body, from: request.client, certificate: request.certificate)
            return answer.map { WebResponse($0, as: "application/json") } ?? WebResponse(.badRequest, "No device.")
        }
    }

    private struct Fixture {
        var node: LocalSendNode
        var person: TestPerson
    }

    private static func fixture(_ alias: String, in group: MulticastGroup, _ path: String) throws -> Fixture {
        let (store, person) = (try RegionStore(path: path), TestPerson())
        var settings = LocalSendNode.Settings()
        (settings.port, settings.isLoopback, settings.group, settings.model) = (0, true, group, alias)
        let node = try LocalSendNode(
            .load(for: store),
            alias: alias,
            settings: settings,
            store: store,
            person: person
        )
        return Fixture(node: node, person: person)
    }

    private static func group() -> MulticastGroup {
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        return MulticastGroup(ofIPv4: "239.\(bytes[0]).\(bytes[1]).\(bytes[2])", port: LocalSendLimits.usualPort)
    }

    /// The first list of phones that is not empty.
    private static func firstPhones(of node: LocalSendNode) async -> [LocalSendPhone] {
        for await phones in node.finder.phoneChanges() where !phones.isEmpty { return phones }
        return []
    }

    @Test func twoNodesFindOneAnotherAndKnowOneAnotherAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let group = Self.group()
            let anna = try Self.fixture("Anna", in: group, directory.path("a"))
            let ben = try Self.fixture("Ben", in: group, directory.path("b"))
            try await anna.node.run(serving: { Site(finder: $0) }) {
                try await ben.node.run(serving: { Site(finder: $0) }) {
                    let seen = await Self.firstPhones(of: anna.node)
                    #expect(seen.map(\.name) == ["Ben"] && seen.map(\.recognition) == [.new])
                    #expect(seen.first?.fingerprint == ben.node.finder.identity.fingerprint.text)
                    #expect(seen.first.flatMap { anna.node.finder.neighbour(of: $0) }?.isProven == true)
                    let other = await Self.firstPhones(of: ben.node)
                    #expect(other.map(\.name) == ["Anna"])
                    try anna.node.finder.remember(try #require(seen.first), as: "Ben's laptop")
                    #expect(anna.node.finder.phones.map(\.recognition) == [.confirmed])
                }
            }
            let again = try Self.fixture("Anna", in: group, directory.path("a"))
            let later = try Self.fixture("Other name", in: group, directory.path("b"))
            try await again.node.run(serving: { Site(finder: $0) }) {
                try await later.node.run(serving: { Site(finder: $0) }) {
                    let seen = await Self.firstPhones(of: again.node)
                    #expect(seen.map(\.name) == ["Ben's laptop"] && seen.map(\.recognition) == [.confirmed])
                }
            }
            guard case .phones(.localSend(.listed("Anna", let port, isUsualPort: false)))? = again.person.told.first
            else {
                Issue.record("not listed: \(again.person.told)")
                return
            }
            #expect(port > 0)
        }
    }

    @Test func withoutAPortItSaysWhyAndTheBodyRuns() async throws {
        try await TemporaryDirectory.with { directory in
            let first = try Self.fixture("Anna", in: Self.group(), directory.path("a"))
            try await first.node.run(serving: { Site(finder: $0) }) {
                var settings = LocalSendNode.Settings()
                (settings.port, settings.isLoopback) = (Int(first.node.finder.own.port), true)
                let (store, person) = (try RegionStore(path: directory.path("b")), TestPerson())
                let second = try LocalSendNode(
                    .load(for: store),
                    alias: "Ben",
                    settings: settings,
                    store: store,
                    person: person
                )
                let hasRun = Locked(false)
                try await second.run(serving: { Site(finder: $0) }) { hasRun.set(true) }
                #expect(hasRun.value)
                guard case .phones(.localSend(.trouble(.port)))? = person.told.first else {
                    Issue.record("no trouble: \(person.told)")
                    return
                }
            }
        }
    }

    @Test func theErrorOfTheBodyEndsIt() async throws {
        struct Failure: Error {}
        try await TemporaryDirectory.with { directory in
            let fixture = try Self.fixture("Anna", in: Self.group(), directory.path("a"))
            await #expect(throws: Failure.self) {
                try await fixture.node.run(serving: { Site(finder: $0) }) { throw Failure() }
            }
        }
    }
}
