import RegionSharing
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsyncLockTests {
    @Test func givesTurnsInOrder() async throws {
        let turns = AsyncLock()
        let order = Recorder()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await turns.take {
                    order.add(0)
                    for await _ in gate { break }
                }
            }
            while order.values.isEmpty { await Task.yield() }
            for number in 1...3 {
                group.addTask { try await turns.take { order.add(number) } }
                while turns.waitingCount < number { await Task.yield() }
            }
            opener.finish()
            try await group.waitForAll()
        }
        #expect(order.values == [0, 1, 2, 3])
    }

    @Test func givesUpATurnWhenCancelled() async throws {
        let turns = AsyncLock()
        let taken = Recorder()
        try await turns.take {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await turns.take { taken.add(1) }
                    } catch {
                        taken.add(-1)
                    }
                }
                while turns.waitingCount < 1 { await Task.yield() }
                group.cancelAll()
            }
        }
        #expect(taken.values == [-1])
        // The turn is free again.
        #expect(try await turns.take { 7 } == 7)
    }
}

/// Remembers numbers in the order in which they come.
private final class Recorder: Sendable {
    private let state = Mutex<[Int]>([])

    var values: [Int] { state.withLock { $0 } }

    func add(_ value: Int) {
        state.withLock { $0.append(value) }
    }
}
