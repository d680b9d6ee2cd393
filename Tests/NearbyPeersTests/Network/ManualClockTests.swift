import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualClockTests {
    private let network = InMemoryNetwork()
    private var clock: ManualClock { network.clock }
    private let times = Locked<[Duration]>([])

    private func note() { times.withLock { $0.append(clock.elapsed) } }

    private func schedule(after duration: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        clock.schedule(at: clock.now.advanced(by: duration), body)
    }

    @Test func timeStandsStillUntilItIsMoved() async {
        let before = clock.now
        #expect(clock.now == before)
        await clock.advance(by: .seconds(3))
        #expect(before.duration(to: clock.now) == .seconds(3))
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func timeStopsAtEachTimerOnTheWay() async {
        for seconds in [3, 1, 2, 5] { _ = schedule(after: .seconds(seconds), note) }
        await clock.advance(by: .seconds(4))
        #expect(times.value == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.elapsed == .seconds(4))
        await clock.advance(by: .seconds(1))
        #expect(times.value.last == .seconds(5))
    }

    @Test func timersOfTheSameTimeKeepTheirOrder() async {
        let order = Locked<[Int]>([])
        for number in 0..<20 { _ = schedule(after: .seconds(1)) { order.withLock { $0.append(number) } } }
        await clock.advance(by: .seconds(1))
        #expect(order.value == Array(0..<20))
    }

    @Test func aTimerThatATimerSetsIsNotMissed() async {
        _ = schedule(after: .seconds(1)) { [clock, times] in
            _ = clock.schedule(at: clock.now.advanced(by: .seconds(1))) { times.withLock { $0.append(clock.elapsed) } }
        }
        await clock.advance(by: .seconds(10))
        #expect(times.value == [.seconds(2)])
    }

    @Test func aTimerInThePastIsDueWithoutMovingTime() async throws {
        _ = clock.schedule(at: clock.now.advanced(by: .seconds(-1)), note)
        try await clock.advance(until: { times.value.count == 1 }, limit: .zero)
        #expect(times.value == [.zero])
    }

    @Test func aCancelledTimerIsNotCalled() async {
        let cancel = schedule(after: .seconds(1), note)
        // The first of two timers of the same time can still cancel the second.
        let other = Locked<@Sendable () -> Void>({})
        _ = schedule(after: .seconds(2)) { other.value() }
        other.set(schedule(after: .seconds(2), note))
        cancel()
        await clock.advance(by: .seconds(3))
        #expect(times.value.isEmpty)
    }

    @Test func aTaskSleepsUntilItsTime() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: network.executor) {
                for _ in 0..<3 {
                    try await clock.sleep(for: .seconds(1))
                    note()
                }
            }
            try await clock.advance(until: { times.value.count == 3 })
            try await group.waitForAll()
        }
        #expect(times.value == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func aCancelledSleepThrows() async {
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let isSleeping = Locked(false)
        let second = Task(executorPreference: network.executor) {
            isSleeping.set(true)
            try await clock.sleep(for: .seconds(1))
        }
        try? await clock.advance(until: { isSleeping.value }, limit: .zero)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(clock.elapsed == .zero)
    }

    @Test func timeMovesNoFurtherThanTheConditionNeeds() async throws {
        for seconds in 1...9 { _ = schedule(after: .seconds(seconds), note) }
        try await clock.advance(until: { times.value.count == 4 })
        #expect(clock.elapsed == .seconds(4))
        try await clock.advance(until: { true })
        #expect(clock.elapsed == .seconds(4))
    }

    @Test func aConditionThatIsNotMetIsAnErrorThatSaysWhereAndHowLong() async {
        _ = schedule(after: .seconds(5), note)
        let error = await #expect(throws: ConditionNotMet.self) {
            try await clock.advance(until: { false }, limit: .seconds(7), fileID: "Chat/ChatTests.swift", line: 12)
        }
        let text = "The condition at Chat/ChatTests.swift:12 does not hold after 7.0 seconds of the network’s time."
        #expect(error?.description == text)
        #expect(clock.elapsed == .seconds(7))
        #expect(times.value == [.seconds(5)])
    }

    @Test func waitingForAConditionCanBeCancelled() async {
        let task = Task { try await clock.advance(until: { false }, limit: .seconds(10_000_000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func timeWaitsForTasksOfTheNetwork() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: network.executor) {
                try? await clock.sleep(for: .seconds(1))
                // Far more often than time gives way to tasks that it does not see.
                for _ in 0..<5000 { await Task.yield() }
                note()
            }
            group.addTask(executorPreference: network.executor) {
                try? await clock.sleep(for: .seconds(2))
                note()
            }
            await withTaskExecutorPreference(network.executor) { await Task.yield() }
            await clock.advance(by: .seconds(2))
        }
        #expect(times.value == [.seconds(1), .seconds(2)])
    }

    @Test func aTestOnTheExecutorOfTheNetworkMovesTimeToo() async throws {
        let values = AsyncStream.makeStream(of: Duration.self)
        try await withTaskExecutorPreference(network.executor) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for second in 1...3 {
                        try await clock.sleep(for: .seconds(1))
                        values.continuation.yield(.seconds(second))
                    }
                    values.continuation.finish()
                }
                group.addTask {
                    for await value in values.stream where value == clock.elapsed { note() }
                }
                try await clock.advance(until: { times.value.count == 3 })
                try await group.waitForAll()
            }
        }
        #expect(times.value == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func twoTasksThatMoveTimeSkipNothing() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: network.executor) {
                for _ in 0..<50 {
                    try? await clock.sleep(for: .milliseconds(10))
                    for _ in 0..<10 { await Task.yield() }
                    note()
                }
            }
            await withTaskExecutorPreference(network.executor) { await Task.yield() }
            for _ in 0..<2 { group.addTask { await clock.advance(by: .milliseconds(500)) } }
            await group.waitForAll()
        }
        #expect(times.value == (1...50).map { .milliseconds(10) * $0 })
    }

    @Test func tasksOfTheApplicationCanBeAwaited() async throws {
        let values = AsyncStream.makeStream(of: Int.self)
        let sum = Locked(0)
        let task = Task {
            for await value in values.stream { sum.withLock { $0 += value } }
        }
        for second in 1...3 { _ = schedule(after: .seconds(second)) { values.continuation.yield(second) } }
        try await clock.advance(until: { sum.value == 6 })
        values.continuation.finish()
        await task.value
    }
}
