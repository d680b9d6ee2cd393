import Synchronization

/// A limited number of places for connections.
///
/// Browsers keep connections open for their next request. If no place is free, an idle connection is closed in favour
/// of the new one: its browser opens another connection when it has a request.
final class Places: Sendable {
    private struct Holder {
        var client: String
        /// When the connection began to wait for a request; nil while it has one.
        var idleSince: Int?
        var close: @Sendable () -> Void
    }

    private struct State {
        var holders: [Int: Holder] = [:]
        /// The number of places of each client that has any.
        var taken: [String: Int] = [:]
        var count = 0

        mutating func next() -> Int {
            count += 1
            return count
        }

        /// Removes an idle connection of a client, or of any client if it is nil.
        ///
        /// The client with the most places loses one, and of its connections the one that has been idle longest.
        mutating func removeIdle(of client: String?) -> Holder? {
            let idle = holders.compactMap { number, holder in
                holder.idleSince.map { (number: number, since: $0, client: holder.client) }
            }
            let found = idle.filter { client == nil || $0.client == client }.max { left, right in
                (taken[left.client, default: 0], right.since) < (taken[right.client, default: 0], left.since)
            }
            return found.flatMap { remove($0.number) }
        }

        mutating func remove(_ number: Int) -> Holder? {
            guard let holder = holders.removeValue(forKey: number) else { return nil }
            let rest = taken[holder.client, default: 1] - 1
            taken[holder.client] = rest > 0 ? rest : nil
            return holder
        }
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let maximumPerClient: Int

    /// Creates places, all of them free.
    ///
    /// - Parameters:
    ///   - maximum: The number of places.
    ///   - maximumPerClient: The number of places that one client can have.
    init(_ maximum: Int, perClient maximumPerClient: Int = .max) {
        self.maximum = maximum
        self.maximumPerClient = maximumPerClient
    }

    /// Takes a place for a connection of a client.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - close: Closes the connection, if it must give its place to another one.
    /// - Returns: The number of the place; nil if none is free and none can be freed.
    func take(for client: String, closing close: @escaping @Sendable () -> Void = {}) -> Int? {
        let (number, removed) = state.withLock { state -> (Int?, Holder?) in
            var removed: Holder?
            if state.taken[client, default: 0] >= maximumPerClient {
                removed = state.removeIdle(of: client)
                guard removed != nil else { return (nil, nil) }
            } else if state.holders.count >= maximum {
                removed = state.removeIdle(of: nil)
                guard removed != nil else { return (nil, nil) }
            }
            let number = state.next()
            state.holders[number] = Holder(client: client, idleSince: number, close: close)
            state.taken[client, default: 0] += 1
            return (number, removed)
        }
        // Outside of the lock: closing a channel may give its place back at once.
        removed?.close()
        return number
    }

    /// Notes whether a connection waits for a request.
    func set(_ number: Int, isIdle: Bool) {
        state.withLock { state in
            guard state.holders[number] != nil else { return }
            let now = state.next()
            state.holders[number]?.idleSince = isIdle ? now : nil
        }
    }

    /// Gives a place back.
    func give(_ number: Int) {
        state.withLock { state in _ = state.remove(number) }
    }
}

/// A limited number of units, such as bytes, which holders take and give back.
final class Budget: Sendable {
    private let free: Mutex<Int>

    /// Creates units, all of them free.
    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Takes units; returns false if too few are free.
    func take(_ count: Int = 1) -> Bool {
        free.withLock { free in
            guard free >= count else { return false }
            free -= count
            return true
        }
    }

    /// Takes units for as long as the result exists; returns nil if too few are free.
    func share(_ count: Int) -> Share? { take(count) ? Share(count, of: self) : nil }

    /// Units that return to the budget when the share is released.
    final class Share: Sendable {
        private let count: Int
        private let budget: Budget

        fileprivate init(_ count: Int, of budget: Budget) {
            (self.count, self.budget) = (count, budget)
        }

        deinit { budget.give(count) }
    }

    /// Gives units back.
    func give(_ count: Int = 1) {
        free.withLock { $0 += count }
    }
}
