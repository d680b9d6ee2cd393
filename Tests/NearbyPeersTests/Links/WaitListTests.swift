import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite(.timeLimit(.minutes(10))) struct WaitListTests {
    @Test func nothingIsKeptOfCancelledTasks() async {
        let list = Locked(WaitList())
        let wake = await withCheckedContinuation { continuation in
            let removed = list.withLock { list in
                list.add(continuation, 1, for: .stream(7))
                return list.remove(1, for: .stream(7))
            }
            removed?.resume(returning: .cancelled)
        }
        #expect(wake == .cancelled)
        #expect(list.withLock { $0.waits.isEmpty && $0.remove(1, for: .stream(7)) == nil })
    }
}
