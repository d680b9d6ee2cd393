import Dispatch
import Synchronization

/// Puts a file on the disk bit by bit while more of it is written, so that a power cut costs a bounded part of it.
///
/// It does so on a thread of its own: writing waits only if the disk falls behind by another such part. So what is not on
/// the disk is never more than two of them.
final class GradualSync: Sendable {
    /// How many bytes are written before they are put on the disk.
    static let interval: UInt64 = 64 << 20

    private let interval: UInt64
    private let queue = DispatchQueue(label: "RegionStore.sync")
    private let synchronize: @Sendable () throws(SystemError) -> Void
    private let state = Mutex(State())

    private struct State {
        var waiting: UInt64 = 0
        var isRunning = false
        var failure: SystemError?

        mutating func add(_ count: UInt64, _ interval: UInt64) -> Step {
            waiting += count
            if waiting < interval { return .goOn }
            if isRunning { return .wait }
            waiting = 0
            isRunning = true
            return .start
        }
    }

    private enum Step {
        case goOn
        case start
        case wait
    }

    /// Begins with a file that is on the disk as it is.
    init(every interval: UInt64, _ synchronize: @escaping @Sendable () throws(SystemError) -> Void) {
        self.interval = interval
        self.synchronize = synchronize
    }

    /// Is told that so many bytes were written.
    ///
    /// - Throws: What went wrong when earlier ones were put on the disk.
    func wrote(_ count: UInt64) throws(SystemError) {
        switch state.withLock({ $0.add(count, interval) }) {
        case .goOn: break
        case .start: queue.async { self.run() }
        case .wait:
            queue.sync {}
            // What has come together meanwhile.
            if state.withLock({ $0.add(0, interval) }) == .start { queue.async { self.run() } }
        }
        try throwFailure()
    }

    /// Returns when nothing is under way any more.
    ///
    /// - Throws: What went wrong.
    func finish() throws(SystemError) {
        queue.sync {}
        try throwFailure()
    }

    private func throwFailure() throws(SystemError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func run() {
        var failure: SystemError?
        do throws(SystemError) {
            try synchronize()
        } catch {
            failure = error
        }
        state.withLock { state in
            state.isRunning = false
            // It is said once by the system, and has to be remembered here.
            state.failure = state.failure ?? failure
        }
    }
}
