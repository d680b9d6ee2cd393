import NIOConcurrencyHelpers
import PeerCore
import PeerStorage

/// How far a resource is, and how it has ended, for those who wait.
final class ResourceWatch: Sendable {
    private struct State {
        var progress: ResourceProgress
        var outcome: Result<TransferReceipt, PeerError>?
        var readers: [Int: AsyncStream<ResourceProgress>.Continuation] = [:]
        var waiters: [Int: CheckedContinuation<Result<TransferReceipt, PeerError>, Never>] = [:]
        var lastNumber = 0
    }

    private let state: NIOLockedValueBox<State>

    init(size: UInt64, step: ResourceProgress.Step = .waiting) {
        state = NIOLockedValueBox(State(progress: ResourceProgress(step: step, bytes: 0, size: size)))
    }

    /// Whether it has ended.
    var hasEnded: Bool { state.withLockedValue { $0.outcome != nil } }

    /// The progress now.
    var progress: ResourceProgress { state.withLockedValue { $0.progress } }

    /// Changes the progress.
    func update(_ change: (inout ResourceProgress) -> Void) {
        let (progress, readers) = state.withLockedValue { state in
            change(&state.progress)
            return (state.progress, Array(state.readers.values))
        }
        for reader in readers { reader.yield(progress) }
    }

    /// It has ended; only the first end counts.
    ///
    /// - Returns: Whether this was the first.
    @discardableResult
    func finish(_ outcome: Result<TransferReceipt, PeerError>) -> Bool {
        let ended = state.withLockedValue { state -> State? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { (state.readers, state.waiters) = ([:], [:]) }
            return state
        }
        guard let ended else { return false }
        for reader in ended.readers.values { reader.finish() }
        for waiter in ended.waiters.values { waiter.resume(returning: outcome) }
        return true
    }

    /// The progress from now on, the latest only.
    func updates() -> AsyncStream<ResourceProgress> {
        let (stream, reader) = AsyncStream.makeStream(of: ResourceProgress.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLockedValue { state -> Int? in
            reader.yield(state.progress)
            guard state.outcome == nil else { return nil }
            state.lastNumber += 1
            state.readers[state.lastNumber] = reader
            return state.lastNumber
        }
        guard let number else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in self?.state.withLockedValue { $0.readers[number] = nil } }
        return stream
    }

    /// Waits for the end, also if the task is cancelled.
    func end() async -> Result<TransferReceipt, PeerError> {
        await withCheckedContinuation { continuation in
            let outcome = state.withLockedValue { state -> Result<TransferReceipt, PeerError>? in
                guard state.outcome == nil else { return state.outcome }
                state.lastNumber += 1
                state.waiters[state.lastNumber] = continuation
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Waits for the end.
    ///
    /// - Returns: The receipt.
    /// - Throws: The error with which it has ended; ``PeerError`` with ``PeerError/Code/cancelled`` if the task is cancelled.
    func finished() async throws(PeerError) -> TransferReceipt {
        let number = state.withLockedValue { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLockedValue { state -> Result<TransferReceipt, PeerError>? in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled { return .failure(.taskCancelled) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: .failure(.taskCancelled))
        }
        return try outcome.get()
    }
}
