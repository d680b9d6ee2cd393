import Dispatch
import NIOConcurrencyHelpers

/// Synchronises a file to the disk while it is being written, so that a power cut loses only a limited part of it.
///
/// This happens on a separate thread. If the disk is more than one interval behind, writing waits. So at most two intervals
/// are not on the disk.
package final class GradualSync: Sendable {
    /// The number of bytes after which the file is synchronised.
    package static let interval: UInt64 = 64 << 20

    private let interval: UInt64
    private let queue = DispatchQueue(label: "PeerStorage.sync")
    private let synchronize: @Sendable () throws(SystemError) -> Void
    private let state = NIOLockedValueBox(State())

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

    /// Creates a value for a file whose current content is on the disk.
    package init(every interval: UInt64, _ synchronize: @escaping @Sendable () throws(SystemError) -> Void) {
        self.interval = interval
        self.synchronize = synchronize
    }

    /// Notes a number of written bytes.
    package func wrote(_ count: UInt64) throws(SystemError) {
        switch state.withLockedValue({ $0.add(count, interval) }) {
        case .goOn: break
        case .start: queue.async { self.run() }
        case .wait:
            // The queue is serial, so this returns when the synchronisation that runs has ended.
            queue.sync {}
            // The bytes that were written meanwhile.
            if state.withLockedValue({ $0.add(0, interval) }) == .start { queue.async { self.run() } }
        }
        try throwFailure()
    }

    /// Waits until no synchronisation is running.
    package func finish() throws(SystemError) {
        queue.sync {}
        try throwFailure()
    }

    private func throwFailure() throws(SystemError) {
        if let failure = state.withLockedValue({ $0.failure }) { throw failure }
    }

    private func run() {
        var failure: SystemError?
        do throws(SystemError) {
            try synchronize()
        } catch {
            failure = error
        }
        state.withLockedValue { state in
            state.isRunning = false
            // The system reports an error once, so it is stored here.
            state.failure = state.failure ?? failure
        }
    }
}
