import PeerTestSupport
import RegionTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// How a sender begins and ends that nobody receives from.
@Suite(.timeLimit(.minutes(10))) struct RegionSenderTests {
    private struct NoPage: Error {}

    /// Runs a sender until it ends, or until it is stopped when it listens, in a network if `inNetwork` makes one.
    private static func run(
        stops: Bool,
        in inNetwork: (@Sendable (_ body: (OwnHotspot?) async throws -> Void) async throws -> Void)? = nil,
        _ control: TransferControl = TransferControl(),
        change: (inout RegionSender) -> Void = { _ in }
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.path("a.mbtiles")
            try TiledMap([.init(zoom: 12, column: 2_060, row: 2_560, bytes: [1, 2, 3])]).write(to: map)
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: map).region
            let application = PeerServiceType(known: "hikeshare", defaultPort: nil)
            let person = Observer { happening in
                guard case .sending(.listening) = happening else { return }
                if stops { control.cancel(reason: "it was stopped.") }
            }
            let sent = try SendingWish().offer([region], of: store, for: person)
            var sender = try RegionSender(
                sent,
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
            sender.announcement = nil
            change(&sender)
            guard let inNetwork else { return try await sender.run(control) }
            try await sender.run(control, inNetwork: inNetwork)
        }
    }

    private struct Observer: Person {
        let told: @Sendable (Happening) -> Void

        func tell(_ happening: Happening) { told(happening) }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
    }

    /// A network that lasts until the task is cancelled, or that has ended already.
    private static func network(hasEnded: Bool = false) -> OwnHotspot {
        OwnHotspot(
            name: "hikeshare-7K3M",
            credentials: ShareLinkNetwork.random(),
            interface: "wlan7",
            hosts: { ["10.42.0.1"] },
            waitForEnd: { if !hasEnded { await forever() } }
        )
    }

    /// Waits until the task is cancelled.
    private static func forever() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
    }

    @Test func aStopIsTheReasonOfItsEnd() async {
        await #expect(throws: SendingError.stopped) { try await Self.run(stops: true) }
    }

    /// Without its network, no receiver comes any more.
    @Test func theEndOfItsNetworkEndsIt() async {
        await #expect(throws: NetworkError.ended(name: "hikeshare-7K3M")) {
            try await Self.run(stops: false, in: { try await $0(Self.network(hasEnded: true)) })
        }
    }

    /// The other side hears of the stop, so the sender is not cancelled, and its network goes after it.
    @Test func aStopWhileItSendsTakesTheNetworkAwayAtTheEnd() async {
        let wasCancelled = Locked<Bool?>(nil)
        await #expect(throws: SendingError.stopped) {
            try await Self.run(
                stops: true,
                in: { body in
                    defer { wasCancelled.withLock { $0 = Task.isCancelled } }
                    try await body(Self.network())
                }
            )
        }
        #expect(wasCancelled.value == false)
    }

    /// Nobody is served yet, so whatever makes the network is cancelled, and takes it away.
    @Test func aStopWhileTheNetworkIsMadeCancelsThat() async {
        let (control, isAway) = (TransferControl(), Locked(false))
        await #expect(throws: CancellationError.self) {
            try await Self.run(
                stops: false,
                in: { _ in
                    control.cancel(reason: "it was interrupted.")
                    await Self.forever()
                    isAway.withLock { $0 = true }
                    try Task.checkCancellation()
                },
                control
            )
        }
        #expect(isAway.value)
    }

    @Test func itEndsIfNobodyReadsTheResults() async {
        await #expect(throws: SendingError.unread) {
            try await Self.run(stops: false, change: { $0.hasReader = { false } })
        }
    }

    // MARK: What is served besides

    /// Notes what happens to it.
    private struct Companion: SenderCompanion {
        let turns = SendingTurns()
        let steps = Locked<[String]>([])
        var prepares: @Sendable () async throws -> Void = {}

        mutating func prepare(in network: OwnHotspot?) async throws {
            steps.withLock { $0.append("prepare in \(network?.name ?? "none")") }
            try await prepares()
        }

        func serve(during body: @escaping @Sendable () async throws -> Void) async throws {
            steps.withLock { $0.append("serve") }
            defer { steps.withLock { $0.append("end") } }
            try await body()
        }
    }

    @Test func itIsPreparedInTheNetworkAndServedUntilTheEnd() async {
        let companion = Companion()
        await #expect(throws: SendingError.stopped) {
            try await Self.run(stops: true, in: { try await $0(Self.network()) }, change: { $0.companion = companion })
        }
        #expect(companion.steps.value == ["prepare in hikeshare-7K3M", "serve", "end"])
    }

    @Test func withoutItNothingIsSent() async {
        let companion = Companion(prepares: { throw NoPage() })
        await #expect(throws: NoPage.self) {
            try await Self.run(stops: true, change: { $0.companion = companion })
        }
        #expect(companion.steps.value == ["prepare in none"])
    }

    /// A question of it is withdrawn.
    @Test func aStopWhileItPreparesCancelsThat() async {
        let control = TransferControl()
        let companion = Companion(prepares: {
            control.cancel(reason: "it was interrupted.")
            await Self.forever()
            try Task.checkCancellation()
        })
        await #expect(throws: CancellationError.self) {
            try await Self.run(stops: false, control, change: { $0.companion = companion })
        }
        #expect(companion.steps.value == ["prepare in none"])
    }
}
