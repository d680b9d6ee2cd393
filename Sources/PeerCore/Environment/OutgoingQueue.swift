import NIOConcurrencyHelpers
import NIOCore

/// The outputs that wait for the event loop of a connection, in order.
///
/// What is added before the event loop gets to them is written with one wake of its thread, and one flush.
final class OutgoingQueue: Sendable {
    /// Outputs that are sent together, and the promise for all of them.
    typealias Write = (outputs: [Outbound], written: EventLoopPromise<Void>)

    private struct State {
        var writes: [Write] = []
        /// Whether the event loop writes them now; a write may lead to another one, which waits for its turn.
        var isWriting = false
    }

    private let box = NIOLockedValueBox(State())

    /// Adds outputs; returns whether the event loop has to be woken for them.
    func add(_ outputs: [Outbound], _ written: EventLoopPromise<Void>) -> Bool {
        box.withLockedValue { state in
            state.writes.append((outputs, written))
            return state.writes.count == 1 && !state.isWriting
        }
    }

    /// Begins to write; returns false inside of a write, which then also takes what was added.
    func begin() -> Bool {
        box.withLockedValue { state in
            defer { state.isWriting = true }
            return !state.isWriting
        }
    }

    /// Takes what waits; nil if nothing does, which ends the writing.
    func takeAll() -> [Write]? {
        box.withLockedValue { state in
            state.isWriting = !state.writes.isEmpty
            guard state.isWriting else { return nil }
            defer { state.writes = [] }
            return state.writes
        }
    }
}
