import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite(.timeLimit(.minutes(10))) struct ReadyQueueTests {
    @Test func aSecondReaderThatIsCancelledDoesNotEndTheFirst() async throws {
        let queue = ReadyQueue<Int>()
        let isFirst = Locked(false)
        let first = Task {
            isFirst.set(true)
            return await queue.next()
        }
        while !isFirst.value || !queue.hasReader { await Task.yield() }
        let second = Task {
            // It is cancelled already when it asks.
            while !Task.isCancelled { await Task.yield() }
            return await queue.next()
        }
        second.cancel()
        #expect(await second.value == nil)
        #expect(queue.add(7))
        #expect(await first.value == 7)
    }
}
