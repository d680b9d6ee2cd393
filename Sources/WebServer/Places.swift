import Synchronization

/// A number of places, of which each connection takes one.
final class Places: Sendable {
    private struct State {
        var free: Int
        /// The number of places that each client has taken, without clients that have none.
        var taken: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let maximumPerClient: Int

    /// Creates free places.
    ///
    /// - Parameters:
    ///   - count: Their number.
    ///   - maximumPerClient: The number of places that one client can have.
    init(_ count: Int, perClient maximumPerClient: Int = .max) {
        state = Mutex(State(free: count))
        self.maximumPerClient = maximumPerClient
    }

    /// Takes a place for a client; returns false if there is none, or if the client has its share.
    func take(for client: String = "") -> Bool {
        state.withLock { state in
            let taken = state.taken[client, default: 0]
            guard state.free > 0, taken < maximumPerClient else { return false }
            state.free -= 1
            state.taken[client] = taken + 1
            return true
        }
    }

    /// Gives a client's place back.
    func give(for client: String = "") {
        state.withLock { state in
            state.free += 1
            let rest = state.taken[client, default: 1] - 1
            state.taken[client] = rest > 0 ? rest : nil
        }
    }
}
