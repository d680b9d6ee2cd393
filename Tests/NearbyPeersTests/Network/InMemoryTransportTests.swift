import PeerCore
import PeerTestSupport
import Testing

@testable import PeerTesting

@Suite(.timeLimit(.minutes(10))) struct InMemoryTransportTests {
    private let machines: Machines
    private var clock: ManualClock { machines.network.clock }

    init() throws {
        machines = try Machines()
    }

    private func code(_ body: () async throws -> Void) async -> PeerError.Code? {
        await #expect(throws: PeerError.self) { try await body() }?.code
    }

    @Test func theSameNameIsTheSameKey() throws {
        let again = try machines.network.local("anna", application: .maps)
        #expect(again.id == machines.anna.id)
        #expect(machines.anna.id != machines.ben.id)
    }

    @Test func aPortWithoutListenerRefusesAtOnce() async throws {
        try await machines.listen { port in
            let refused = await code { _ = try await machines.connect(to: port == 1 ? 2 : 1) }
            #expect(refused == .cannotConnect)
            #expect(clock.elapsed == .zero)
        }
    }

    @Test func aListenerThatHasStoppedRefuses() async throws {
        let port = Locked(0)
        try await machines.listen { port.set($0) }
        let refused = await code { _ = try await machines.connect(to: port.value) }
        #expect(refused == .cannotConnect)
        #expect(clock.elapsed == .zero)
    }

    @Test func aPortIsUsedOnce() async throws {
        try await machines.listen { port in
            let refused = await code { try await machines.listen(port: port) { _ in } }
            #expect(refused == .cannotListen)
        }
        let refused = await code { try await machines.listen(port: 65_536) { _ in } }
        #expect(refused == .invalidArgument)
    }

    @Test func anotherPeerThanTheExpectedOneIsNotTrusted() async throws {
        try await machines.listen { port in
            let refused = await code {
                _ = try await machines.connect(to: port, expecting: ExpectedPeer(id: machines.anna.id))
            }
            #expect(refused == .notTrusted)
            let connection = try await machines.connect(to: port, expecting: ExpectedPeer(id: machines.ben.id))
            connection.abort()
        }
    }

    @Test func theRightAddressIsFoundAmongWrongOnes() async throws {
        let network = machines.network
        let program = network.transport(for: "carl")
        let carl = try network.local("carl", application: .notes)
        try await machines.listen { right in
            try await program.withListener(
                local: carl,
                port: 0,
                configuration: machines.configuration,
                incarnation: .random(),
                admission: machines.admission,
                accept: { connection, _ in await Side(connection).run() }
            ) { wrong in
                let connection = try await network.transport(for: "anna").connect(
                    local: machines.anna,
                    to: [
                        try network.address(of: "ben", port: 1),
                        try network.address(of: "carl", port: wrong),
                        try network.address(of: "ben", port: right),
                    ],
                    expecting: ExpectedPeer(id: machines.ben.id),
                    configuration: machines.configuration
                )
                connection.abort()
            }
        }
    }

    @Test func anotherApplicationIsRefused() async throws {
        let other = try machines.network.local("anna", application: .maps)
        try await machines.listen { port in
            let code = await code {
                _ = try await machines.network.transport(for: "anna").connect(
                    local: other,
                    to: [try machines.network.address(of: "ben", port: port)],
                    expecting: nil,
                    configuration: machines.configuration
                )
            }
            #expect(code == .protocolViolation)
        }
    }

    @Test func twoProgramsOfOneMachineListenAndConnect() async throws {
        let network = machines.network
        try await machines.listen { first in
            try await network.transport(for: "ben").withListener(
                local: machines.ben,
                port: 0,
                configuration: machines.configuration,
                incarnation: .random(),
                admission: machines.admission,
                accept: { connection, _ in await Side(connection).run() }
            ) { second in
                #expect(first != second)
                let side = Side(
                    try await network.transport(for: "ben").connect(
                        local: machines.ben,
                        to: [try network.address(of: "ben", port: second)],
                        expecting: ExpectedPeer(id: machines.ben.id),
                        configuration: machines.configuration
                    )
                )
                async let run: Void = side.run()
                try await machines.wait { !side.events.isEmpty }
                side.connection.abort()
                await run
            }
        }
    }

    @Test(arguments: [true, false]) func aListenerThatReturnsClosesItsConnections(areAccepted: Bool) async throws {
        let sides = Locked<[Side]>([])
        let accepted = Locked(0)
        try await machines.listen { connection, _ in
            let side = Side(connection)
            accepted.withLock { $0 += 1 }
            await side.run()
        } body: { port in
            for _ in 0..<3 {
                let side = Side(try await machines.connect(to: port))
                sides.withLock { $0.append(side) }
            }
            if areAccepted { try await machines.wait { accepted.value == 3 } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for side in sides.value { group.addTask { await side.run() } }
            try await group.waitForAll()
        }
        #expect(sides.value.allSatisfy { $0.hasEnded })
    }

    @Test func aListenerThatStopsClosesConnectionsThatNobodyHasTaken() async throws {
        let (connections, arrivals) = AsyncStream.makeStream(of: InMemoryConnection.self)
        let listener = InMemoryListener(local: machines.ben, configuration: machines.configuration, arrivals: arrivals)
        let sides = try (0..<2).map { _ in
            let parties = try [("anna", machines.anna), ("ben", machines.ben)].map { machine, local in
                InMemoryConnection.Party(
                    machine: machine,
                    address: try machines.network.address(of: machine, port: 1),
                    id: local.id,
                    certificate: []
                )
            }
            let configuration = machines.configuration
            return InMemoryConnection.open(
                machines.network,
                .notes,
                from: (parties[0], configuration),
                to: (parties[1], configuration)
            )
        }
        listener.accept(sides[0].accepted)
        listener.stop()
        listener.accept(sides[1].accepted)
        for side in sides { await Side(side.connecting).run() }
        withExtendedLifetime(connections) {}
    }

    @Test func aListenerThrowsTheErrorOfItsBody() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await machines.listen { _ in throw Failure() } }
    }

    @Test func aBlockedMachineTimesOut() async throws {
        try await machines.listen { port in
            machines.network.block(from: "ben", to: "anna")
            try await machines.connect(to: port).abort()
            machines.network.block(from: "anna", to: "ben")
            let attempt = Task { try await machines.connect(to: port) }
            let code = Locked<PeerError.Code?>(nil)
            let wait = Task {
                let error = await #expect(throws: PeerError.self) { _ = try await attempt.value }
                code.set(error?.code)
            }
            try await clock.advance(until: { code.value != nil })
            await wait.value
            #expect(code.value == .cannotConnect)
            #expect(clock.elapsed == machines.configuration.connectTimeout)
            machines.network.heal()
            try await machines.connect(to: port).abort()
        }
    }

    @Test func anAttemptCanBeCancelled() async throws {
        machines.network.partition([["anna"], ["ben"]])
        try await machines.listen { port in
            let attempt = Task { try await machines.connect(to: port) }
            attempt.cancel()
            let error = await #expect(throws: PeerError.self) { _ = try await attempt.value }
            #expect(error?.code == .cancelled)
            #expect(clock.elapsed == .zero)
        }
    }

    @Test func openingAConnectionTakesTwoRoundTrips() async throws {
        machines.network.setDelay(.milliseconds(25))
        let opened = Locked<Duration?>(nil)
        try await machines.listen { port in
            try await withTaskExecutorPreference(machines.network.executor) {
                async let attempt: Void = {
                    try await machines.connect(to: port).abort()
                    opened.set(clock.elapsed)
                }()
                try await clock.advance(until: { opened.value != nil })
                try await attempt
            }
        }
        #expect(opened.value == .milliseconds(100))
    }
}
