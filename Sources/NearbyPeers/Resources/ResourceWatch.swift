import NIOConcurrencyHelpers
import PeerCore
import PeerStorage

/// The progress and the outcome of a resource, for the tasks that wait for them.
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

    /// Whether there is an outcome.
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

    /// Sets the outcome; only the first outcome counts.
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

    /// Returns the progress from now on; a slow reader gets only the latest.
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

    /// Waits for the outcome.
    ///
    /// A cancelled task waits no longer, unless `evenIfCancelled` says that it does.
    func outcome(evenIfCancelled: Bool = false) async -> Result<TransferReceipt, PeerError> {
        let number = state.withLockedValue { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLockedValue { state -> Result<TransferReceipt, PeerError>? in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled, !evenIfCancelled { return .failure(.taskCancelled) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            guard !evenIfCancelled else { return }
            let waiter = state.withLockedValue { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: .failure(.taskCancelled))
        }
    }
}
