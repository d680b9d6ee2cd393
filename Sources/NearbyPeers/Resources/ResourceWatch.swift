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
    ///
    /// - Returns: Whether this was the first outcome.
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

    /// Waits for the outcome, even if the task is cancelled.
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

    /// Waits for the outcome.
    ///
    /// - Returns: The receipt.
    /// - Throws: The error of the outcome; ``PeerError`` with ``PeerError/Code/cancelled`` if the task is cancelled.
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

/// The progress of a resource.
///
/// See <doc:SendingFiles> for an example.
public struct ResourceProgress: Hashable, Sendable {
    /// The current step.
    public enum Step: Hashable, Sendable {
        /// This side computes the digests of the resource that it offers.
        case hashing
        /// The other side has not answered the offer yet, or the connection is being made.
        case waiting
        /// Bytes are being transferred.
        case transferring
        /// The receiver makes the complete resource durable.
        case finishing
    }

    /// The current step.
    public var step: Step
    /// The number of bytes that the receiver has; 0 until bytes are transferred.
    public var bytes: UInt64
    /// The size of the resource, in bytes.
    public var size: UInt64
    /// The rate over the last three seconds, in bytes per second; 0 while it is unknown.
    public var bytesPerSecond = 0.0
    /// The estimated remaining time; nil while it is unknown.
    public var timeLeft: Duration?

    /// The fraction of all bytes that the receiver has, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }

    init(step: Step, bytes: UInt64, size: UInt64) {
        self.step = step
        self.bytes = bytes
        self.size = size
    }
}

/// The latest progress of a resource; ends when the transfer of the resource has ended.
///
/// See <doc:SendingFiles> for an example.
public struct ResourceProgressUpdates: AsyncSequence, Sendable {
    /// The progress at one moment.
    public typealias Element = ResourceProgress
    /// Reading does not fail.
    public typealias Failure = Never

    let stream: AsyncStream<ResourceProgress>

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncStream<ResourceProgress>.Iterator { stream.makeAsyncIterator() }
}
