import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct NetworkFaultTests {
    private let machines: Machines
    private let written = Locked(0)
    private var network: InMemoryNetwork { machines.network }
    private var clock: ManualClock { network.clock }

    init() throws {
        machines = try Machines()
    }

    private func count() { written.withLock { $0 += 1 } }

    @Test func bytesArriveAfterTheDelay() async throws {
        try await machines.withConnection { anna, ben in
            network.setDelay(.milliseconds(30))
            anna.connection.send([.bytes(100)], written: count)
            try await machines.wait { written.value == 1 }
            await clock.advance(by: .milliseconds(29))
            #expect(ben.frames.isEmpty)
            // Bytes do not overtake others.
            network.setDelay(.zero)
            anna.connection.send([.bytes(200)], written: count)
            try await machines.wait { written.value == 2 }
            #expect(ben.frames.isEmpty)
            try await clock.advance(until: { ben.frames.count == 2 })
            #expect(clock.elapsed == .milliseconds(30))
            #expect(ben.frames == [.bytes(100), .bytes(200)])
            anna.connection.send(.bytes(300))
            try await machines.wait { ben.frames.count == 3 }
        }
    }

    @Test func bytesLeaveAtTheRate() async throws {
        try await machines.withConnection { anna, ben in
            network.setRate(1000, between: "anna", "ben")
            for _ in 0..<3 { anna.connection.send([.bytes(500)], written: count) }
            await clock.advance(by: .milliseconds(499))
            #expect(written.value == 0)
            await clock.advance(by: .milliseconds(1))
            try await machines.wait { written.value == 1 && ben.frames.count == 1 }
            await clock.advance(by: .milliseconds(500))
            #expect(written.value == 2)
            // The other direction is free.
            ben.connection.send(.bytes(500))
            try await clock.advance(until: { anna.frames.count == 1 && ben.frames.count == 3 })
            #expect(clock.elapsed == .milliseconds(1500))
            network.setRate(nil, between: "ben", "anna")
            anna.connection.send(.bytes(50_000))
            try await machines.wait { ben.frames.count == 4 }
        }
    }

    @Test func connectionsShareTheRate() async throws {
        try await machines.withConnection { one, first in
            try await machines.withConnection { two, second in
                network.setRate(1000, between: "anna", "ben")
                for _ in 0..<4 {
                    one.connection.send(.bytes(250))
                    two.connection.send(.bytes(250))
                }
                try await clock.advance(until: { first.frames.count + second.frames.count == 4 })
                #expect(first.frames.count == 2)
                try await clock.advance(until: { first.frames.count + second.frames.count == 8 })
                #expect(clock.elapsed == .seconds(2))
            }
        }
    }

    @Test func finishingAtARateDeliversTheLastWords() async throws {
        try await machines.withConnection { anna, ben in
            network.setRate(1000, between: "anna", "ben")
            for _ in 0..<3 { anna.connection.send(.bytes(500)) }
            anna.connection.finish()
            try await clock.advance(until: { ben.hasEnded && anna.hasEnded })
            #expect(ben.frames.count == 3)
            #expect(clock.elapsed == .milliseconds(1500))
        }
    }

    @Test func whoFinishesWaitsForNothing() async throws {
        try await machines.withConnection { anna, ben in
            network.setRate(100, between: "anna", "ben")
            network.setDelay(.milliseconds(30))
            for _ in 0..<3 { anna.connection.send([.bytes(500)], written: count) }
            await clock.advance(by: .seconds(1))
            anna.connection.finish()
            try await machines.wait { anna.hasEnded && written.value == 3 }
            try await clock.advance(until: { ben.frames.count == 1 })
            #expect(clock.elapsed == .milliseconds(5030))
            try await clock.advance(until: { ben.hasEnded })
            #expect(ben.frames.count == 3 && clock.elapsed == .milliseconds(15_030))
        }
    }

    @Test func abortingAtARateLosesTheRest() async throws {
        try await machines.withConnection { anna, ben in
            network.setRate(1000, between: "anna", "ben")
            for _ in 0..<3 { anna.connection.send([.bytes(500)], written: count) }
            await clock.advance(by: .milliseconds(600))
            anna.connection.abort()
            try await machines.wait { written.value == 3 && ben.hasEnded }
            await clock.advance(by: .seconds(5))
            #expect(ben.frames.count == 1)
            #expect(written.value == 3)
        }
    }

    @Test func aCutEndsBothSidesAndLosesWhatIsUnderWay() async throws {
        try await machines.withConnection { anna, ben in
            network.setDelay(.milliseconds(30))
            anna.connection.send(.bytes(100))
            await clock.advance(by: .milliseconds(10))
            network.cut("ben", "anna")
            try await machines.wait { anna.hasEnded && ben.hasEnded }
            #expect(clock.elapsed == .milliseconds(10))
            await clock.advance(by: .seconds(1))
            #expect(ben.frames.isEmpty)
            network.setDelay(.zero)
            // The machines still reach one another.
            try await machines.withConnection { _, ben in try await machines.wait { !ben.events.isEmpty } }
        }
    }

    @Test func aCutConcernsTwoMachinesOnly() async throws {
        try await machines.withConnection { anna, ben in
            network.cut("anna", "carl")
            network.cut("anna", "anna")
            anna.connection.send(.bytes(100))
            try await machines.wait { ben.frames.count == 1 }
        }
    }

    @Test func afterASilentCutNeitherSideHearsAnything() async throws {
        try await machines.withConnection { anna, ben in
            network.cut("anna", "ben", silently: true)
            for _ in 0..<20 { anna.connection.send([.bytes(32_768)], written: count) }
            await clock.advance(by: .seconds(100))
            #expect(!anna.hasEnded && !ben.hasEnded)
            #expect(ben.frames.isEmpty)
            // The system has taken what it has room for.
            #expect(written.value == 8)
            network.heal()
            anna.connection.abort()
            try await machines.wait { anna.hasEnded && written.value == 20 }
            await clock.advance(by: .seconds(100))
            #expect(!ben.hasEnded)
            ben.connection.abort()
            try await machines.wait { ben.hasEnded }
        }
    }

    @Test func aSilentSideThatFinishesTakesNothingOfTheRate() async throws {
        try await machines.withConnection { anna, ben in
            network.setRate(1000, between: "anna", "ben")
            network.cut("anna", "ben", silently: true)
            for _ in 0..<20 { anna.connection.send([.bytes(500)], written: count) }
            anna.connection.finish()
            try await machines.wait { anna.hasEnded && written.value == 20 }
            try await machines.withConnection { anna, ben in
                anna.connection.send(.bytes(500))
                try await clock.advance(until: { ben.frames.count == 1 })
                // The first frame was leaving when the side finished.
                #expect(clock.elapsed < .seconds(2))
            }
        }
    }

    @Test func aSilentCutHidesAnEndThatIsUnderWay() async throws {
        try await machines.withConnection { anna, ben in
            network.setDelay(.milliseconds(30))
            anna.connection.abort()
            try await machines.wait { anna.hasEnded }
            network.cut("anna", "ben", silently: true)
            await clock.advance(by: .seconds(1))
            #expect(!ben.hasEnded)
        }
    }

    @Test func machinesThatNoGroupNamesStayTogether() async throws {
        try await machines.withConnection { anna, ben in
            network.partition([["carl"]])
            anna.connection.send(.bytes(100))
            try await machines.wait { ben.frames.count == 1 }
        }
    }

    @Test func aPartitionSilencesAndSeparates() async throws {
        try await machines.withConnection { anna, ben in
            network.partition([["anna"], ["ben"]])
            anna.connection.send(.bytes(100))
            await clock.advance(by: .seconds(10))
            #expect(ben.frames.isEmpty && !ben.hasEnded)
            network.heal()
            anna.connection.send(.bytes(100))
            await clock.advance(by: .seconds(10))
            #expect(ben.frames.isEmpty)
            try await machines.withConnection { anna, ben in
                anna.connection.send(.bytes(100))
                try await machines.wait { ben.frames.count == 1 }
                network.partition([["anna", "carl"], ["anna", "ben"], ["carl"]])
                anna.connection.send(.bytes(100))
                try await machines.wait { ben.frames.count == 2 }
            }
        }
    }

    @Test func aBlockLeavesOpenConnections() async throws {
        try await machines.withConnection { anna, ben in
            network.block(from: "anna", to: "ben")
            anna.connection.send(.bytes(100))
            try await machines.wait { ben.frames.count == 1 }
        }
    }
}
