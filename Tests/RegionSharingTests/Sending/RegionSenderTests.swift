import PeerTestSupport
import RegionTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// How a sender ends that nobody receives from.
@Suite struct RegionSenderTests {
    private struct NetworkEnded: Error {}

    /// Stops the sender as soon as it listens, if it is to be stopped.
    private struct Observer: Person {
        let control: TransferControl
        let stops: Bool

        func tell(_ happening: Happening) {
            if stops, case .sending(.listening) = happening { control.cancel(reason: "it was stopped.") }
        }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
    }

    private static func run(stops: Bool, change: (inout RegionSender) -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.path("a.mbtiles")
            try TiledMap([.init(zoom: 12, column: 2_060, row: 2_560, bytes: [1, 2, 3])]).write(to: map)
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: map).region
            let application = PeerServiceType(known: "hikeshare", defaultPort: nil)
            let person = Observer(control: TransferControl(), stops: stops)
            let sent = try SendingWish().offer([region], of: store, for: person)
            var sender = RegionSender(
                try #require(sent.first),
                of: store,
                local: LocalPeer(
                    application: application,
                    identity: try .generate(for: application),
                    displayName: "Anna",
                    software: "test"
                ),
                configuration: ConnectionConfiguration(),
                consent: .knownMachines,
                person: person
            )
            sender.isAdvertised = false
            change(&sender)
            try await sender.run(person.control)
        }
    }

    @Test func aStopIsTheReasonOfItsEnd() async {
        await #expect(throws: SendingError.stopped) { try await Self.run(stops: true) { _ in } }
    }

    /// Without its network, no receiver comes any more.
    @Test func theEndOfItsNetworkEndsIt() async {
        await #expect(throws: NetworkEnded.self) {
            try await Self.run(stops: false) { $0.throwAtItsEnd = { throw NetworkEnded() } }
        }
    }

    @Test func itEndsIfNobodyReadsTheResults() async {
        await #expect(throws: SendingError.unread) { try await Self.run(stops: false) { $0.hasReader = { false } } }
    }
}
