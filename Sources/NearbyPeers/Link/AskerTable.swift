import FoundationEssentials
import PeerCore

/// The tasks of this side that wait for the answers to their requests.
struct AskerTable: Sendable {
    /// How a request ends.
    enum Outcome: Sendable {
        /// With this answer.
        case answered(Data)
        /// Without an answer.
        case failed(PeerError)
        /// It was not sent: there was no room for it.
        case full
    }

    typealias Continuation = CheckedContinuation<Outcome, Never>

    /// A task that waits.
    private struct Asker {
        var continuation: Continuation
        var deadline: ContinuousClock.Instant
        /// The number of the call, which a cancelled task knows.
        var call: Int
    }

    private var askers: [UInt64: Asker] = [:]
    /// No task has an earlier deadline; nil if none waits.
    private(set) var nextDeadline: ContinuousClock.Instant?

    /// The number of tasks that wait.
    var count: Int { askers.count }

    /// Adds a task that waits for the answer to a request.
    mutating func add(
        _ continuation: Continuation,
        of call: Int,
        for request: UInt64,
        until deadline: ContinuousClock.Instant
    ) {
        askers[request] = Asker(continuation: continuation, deadline: deadline, call: call)
        // It stays when the request ends earlier: finding the next one would take longer than a needless look.
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    /// Removes the task that waits for the answer to a request; nil if none does.
    mutating func remove(_ request: UInt64) -> Continuation? { askers.removeValue(forKey: request)?.continuation }

    /// The request of a call; nil if it does not wait.
    func request(of call: Int) -> UInt64? { askers.first { $0.value.call == call }?.key }

    /// Removes the tasks whose deadline has come.
    mutating func takeDue(at now: ContinuousClock.Instant) -> [(request: UInt64, continuation: Continuation)] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let due = askers.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (request, _) in due { askers[request] = nil }
        self.nextDeadline = askers.values.map(\.deadline).min()
        return due.map { ($0.key, $0.value.continuation) }
    }

    /// Removes all tasks.
    mutating func takeAll() -> [Continuation] {
        defer { self = AskerTable() }
        return askers.values.map(\.continuation)
    }
}
