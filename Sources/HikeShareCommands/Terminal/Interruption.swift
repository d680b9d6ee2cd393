import Dispatch
import Glibc
import RegionStore
import Sentences
import SharingReports
import Synchronization
import UnixSignals

/// The request to stop: Ctrl-C, or a signal that asks the program to end.
enum Interruption {
    private final class State: Sendable {
        let isInterrupted = Atomic(false)
        let hasEnded = Atomic(false)
    }

    /// The watches of a task, the innermost last: a request is for that one.
    private final class Watches: Sendable {
        private let state = Mutex(State())

        private struct State {
            var inboxes: [AsyncStream<UnixSignal>.Continuation] = []
            /// The request that came before there was a watch.
            var early: UnixSignal?
        }

        func begin() -> AsyncStream<UnixSignal> {
            let (requests, inbox) = AsyncStream.makeStream(of: UnixSignal.self)
            state.withLock { state in
                state.inboxes.append(inbox)
                if let early = state.early { inbox.yield(early) }
                state.early = nil
            }
            return requests
        }

        func end() { state.withLock { $0.inboxes.popLast() }?.finish() }

        func request(by signal: UnixSignal) {
            let inbox = state.withLock { state in
                if state.inboxes.isEmpty { state.early = signal }
                return state.inboxes.last
            }
            inbox?.yield(signal)
        }
    }

    /// The watches that surround the current task; nil for none.
    @TaskLocal private static var watches: Watches?

    /// The signals that were trapped: their handlers stay after the last watch.
    private static let trapped = Mutex<Set<Int32>>([])

    /// Lets signals end the program again, when there is no watch any more.
    static func restoreSignals() {
        for number in trapped.withLock({ $0 }) { signal(number, SIG_DFL) }
    }

    /// Runs `body` and, on a request, calls `stop` to end it, or cancels its task.
    ///
    /// A watch within `body` takes over until it has ended. A second request ends the program at once. So does the
    /// first one if `body` does not end within a moment, for example because a disk hangs. `body` never waits for a reader of the
    /// output (``OutputQueue``).
    ///
    /// - Parameters:
    ///   - stop: Lets `body` end by itself; returns false if it cannot, so that its task must be cancelled.
    ///   - conclude: Returns the error to report after a request, from the error that `body` has thrown.
    /// - Returns: The result of `body`, if it was complete before the request.
    static func watch<Result: Sendable>(
        stop: @escaping @Sendable () -> Bool = { false },
        isSaying: @escaping @Sendable () -> Bool = { false },
        isAnswer: @escaping @Sendable () -> Bool = { false },
        conclude: @escaping @Sendable (any Error) -> any Error = { _ in CommandError(.interrupted, "Interrupted.") },
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let watches else {
            // A program that was started to ignore a signal, as with nohup, keeps ignoring it.
            let trapped = [UnixSignal.sigint, .sigterm, .sighup].filter { !isIgnored($0.rawValue) }
            let signals = await UnixSignalsSequence(trapping: trapped)
            Self.trapped.withLock { $0.formUnion(trapped.map(\.rawValue)) }
            OutputQueue.standard.hurry()
            defer { OutputQueue.standard.wait() }
            let watches = Watches()
            return try await withThrowingDiscardingTaskGroup { group in
                group.addTask { for await signal in signals { watches.request(by: signal) } }
                defer { group.cancelAll() }
                return try await $watches.withValue(watches) {
                    try await watch(stop: stop, isSaying: isSaying, isAnswer: isAnswer, conclude: conclude, body)
                }
            }
        }
        let requests = watches.begin()
        defer { watches.end() }
        let state = State()
        defer { state.hasEnded.store(true, ordering: .sequentiallyConsistent) }
        do {
            return try await withThrowingTaskGroup(of: Result?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await signal in requests {
                        let isFirst = !state.isInterrupted.load(ordering: .sequentiallyConsistent)
                        if signal == .sigint, isFirst, isAnswer() { continue }
                        guard !state.isInterrupted.exchange(true, ordering: .sequentiallyConsistent) else {
                            removeUnfinishedFiles { _exit(ExitStatus.interrupted.rawValue) }
                            return nil
                        }
                        let endsByItself = stop()
                        endProgram(unless: state, while: isSaying)
                        // The task is cancelled below. If the body ends by itself, a second request still counts.
                        guard endsByItself else { return nil }
                    }
                    return nil
                }
                defer { group.cancelAll() }
                while let ended = try await group.next() {
                    if let result = ended { return result }
                    group.cancelAll()
                }
                throw CancellationError()
            }
        } catch {
            guard state.isInterrupted.load(ordering: .sequentiallyConsistent) else { throw error }
            throw conclude(error)
        }
    }

    /// Runs `body`, which uses a Wi-Fi network that it makes or joins: on a request, the former network comes back first.
    static func watchNetwork(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // The program asks NetworkManager to end the network.
        try await watch(isSaying: { true }, body)
    }

    /// The time that a cancelled task has to end after everything was said.
    private static let cancellationTime: Duration = .milliseconds(450)
    /// The time for telling the peers that the transfer ends, on a slow network and a busy machine.
    private static let farewellTime: Duration = .milliseconds(4550)

    /// Ends the program after a time, even if its threads are blocked.
    private static func endProgram(unless state: State, while isSaying: @escaping @Sendable () -> Bool) {
        let start = ContinuousClock.now
        DispatchQueue(label: "hikeshare.interruption").async {
            while isSaying(), ContinuousClock.now - start < farewellTime { usleep(20_000) }
            usleep(UInt32(cancellationTime / .microseconds(1)))
            guard !state.hasEnded.load(ordering: .sequentiallyConsistent) else { return }
            removeUnfinishedFiles { ProblemOutput.exit(CommandError(.interrupted, "Interrupted.")) }
        }
    }

    /// The time for removing unfinished files; a disk that hangs may keep them.
    private static let removalTime: Duration = .seconds(1)

    /// Removes unfinished files and ends the program, even if the disk does not answer.
    private static func removeUnfinishedFiles(andThen end: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "hikeshare.removal").async { UnfinishedFiles.remove(andThen: end) }
        usleep(UInt32(removalTime / .microseconds(1)))
        end()
    }
}

extension Interruption {
    /// Does work that writes files, and that a request to stop ends at once without leaving unfinished ones.
    ///
    /// The work does not check for the request: a separate thread ends the program, even if the work is blocked.
    static func leavingNothing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let end = removeOnRequest()
        defer { end() }
        return try body()
    }

    /// Does work that asks questions, too, as ``leavingNothing(_:)`` does.
    static func leavingNothingWhileAsking<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let end = removeOnRequest()
        defer { end() }
        return try await body()
    }

    /// Lets requests to stop remove unfinished files and end the program, until the result is called.
    private static func removeOnRequest() -> () -> Void {
        let queue = DispatchQueue(label: "hikeshare.unfinished-files")
        let registered = DispatchSemaphore(value: 0)
        // A program that was started to ignore a signal, as with nohup, keeps ignoring it.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                UnfinishedFiles.remove { ProblemOutput.exit(CommandError(.interrupted, "Interrupted.")) }
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // A signal that comes before a source listens is lost.
        for _ in sources { registered.wait() }
        return {
            for source in sources { source.cancel() }
            for number in numbers { signal(number, SIG_DFL) }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
