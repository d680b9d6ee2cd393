import Dispatch
import PeerTestSupport
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite(.timeLimit(.minutes(10))) struct OutputQueueTests {
    /// A queue whose output cannot be written until the semaphore is signalled.
    private static func queue(_ reader: DispatchSemaphore, _ written: Locked<String>) -> OutputQueue {
        OutputQueue(
            output: { text, _ in
                reader.wait()
                reader.signal()
                written.withLock { $0 += text }
            },
            notice: { "\($0) left out\n" }
        )
    }

    @Test func whoeverHurriesWaitsForNoReader() {
        let (reader, written) = (DispatchSemaphore(value: 0), Locked(""))
        let queue = Self.queue(reader, written)
        let long = String(repeating: "x", count: OutputQueue.maximumByteCount)
        queue.hurry()
        queue.write("first\n", to: 1)
        for _ in 0..<2 { queue.write(long, to: 1) }
        queue.drain(within: .milliseconds(1))
        #expect(written.value.isEmpty)
        reader.signal()
        queue.drain()
        queue.write("last\n", to: 1)
        queue.wait()
        queue.drain()
        #expect(written.value == "first\n2 left out\nlast\n")
    }

    @Test func usuallyWhatWasWrittenIsWritten() {
        let (reader, written) = (DispatchSemaphore(value: 1), Locked(""))
        let queue = Self.queue(reader, written)
        // Longer than what waits for a reader at most.
        let long = String(repeating: "x", count: OutputQueue.maximumByteCount + 1)
        queue.write(long, to: 1)
        #expect(written.value == long)
    }
}
