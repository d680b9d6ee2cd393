import Synchronization

/// What lets phones that have LocalSend find this machine and send to it, while the window is open.
///
/// One thing at a time does that. What is sent to phones does it itself, and takes the place of this meanwhile.
package final class PhoneListening: Sendable {
    /// Does it until its argument ends.
    package typealias Work = @Sendable (_ stops: AsyncStream<Void>) async -> Void

    private struct Change: Sendable {
        var isWanted: Bool
        /// Ends when the change is made.
        var isMade: AsyncStream<Void>.Continuation
    }

    private struct State {
        /// Whether the person wants it.
        var isOn = false
        /// The number of those that have taken the place.
        var takenCount = 0
        /// Whether changes are made; before and after, they are only noted.
        var isRunning = false
        var isClosed = false
    }

    private let changes: AsyncStream<Change>
    private let continuation: AsyncStream<Change>.Continuation
    private let state = Mutex(State())

    package init() { (changes, continuation) = AsyncStream.makeStream(of: Change.self) }

    /// Does the work whenever it is wanted and its place is not taken, until it is closed.
    package func run(_ work: @escaping Work) async {
        state.withLock { $0.isRunning = true }
        _ = change()
        await withTaskGroup(of: Void.self) { group in
            var running: AsyncStream<Void>.Continuation?
            for await change in changes {
                if let former = running {
                    former.finish()
                    await group.next()
                    running = nil
                }
                if change.isWanted {
                    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
                    running = stop
                    group.addTask { await work(stops) }
                }
                change.isMade.finish()
            }
            running?.finish()
            await group.waitForAll()
        }
    }

    /// Begins it, or ends it; or begins it anew if it goes on.
    package func turn(on isOn: Bool) {
        state.withLock { $0.isOn = isOn }
        _ = change()
    }

    /// Ends it for good.
    package func close() {
        state.withLock { $0.isClosed = true }
        _ = change()
        continuation.finish()
    }

    /// Runs something that takes its place meanwhile.
    func givePlace<Result: Sendable>(to body: () async throws -> Result) async throws -> Result {
        state.withLock { $0.takenCount += 1 }
        defer {
            state.withLock { $0.takenCount -= 1 }
            _ = change()
        }
        for await _ in change() {}
        try Task.checkCancellation()
        return try await body()
    }

    /// Changes what is done to what is wanted now; what it returns ends when that is made.
    private func change() -> AsyncStream<Void> {
        let (made, isMade) = AsyncStream.makeStream(of: Void.self)
        // Within the lock: an older wish must not follow a newer one.
        state.withLock { state in
            let isWanted = state.isOn && state.takenCount == 0 && !state.isClosed
            if state.isRunning, case .enqueued = continuation.yield(Change(isWanted: isWanted, isMade: isMade)) {
                return
            }
            isMade.finish()
        }
        return made
    }
}
