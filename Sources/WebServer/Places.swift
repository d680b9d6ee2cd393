import Synchronization

/// A limited number of places for connections.
///
/// Browsers keep connections open for their next request. If no place is free, an idle connection is closed in favour
/// of the new one: its browser opens another connection when it has a request.
final class Places: Sendable {
    private struct State {
        var table: PlaceTable
        /// Close the connections that must give their places to others, by number.
        var closing: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// Creates places, all of them free.
    ///
    /// - Parameters:
    ///   - maximum: The number of places.
    ///   - maximumPerClient: The number of places that one client can have.
    init(_ maximum: Int, perClient maximumPerClient: Int = .max) {
        state = Mutex(State(table: PlaceTable(maximum: maximum, maximumPerClient: maximumPerClient)))
    }

    /// Takes a place for a connection of a client.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - isBusy: Whether the connection has a request already, so that it keeps its place.
    ///   - close: Closes the connection, if it must give its place to another one.
    /// - Returns: The number of the place; nil if none is free and none can be freed.
    func take(
        for client: String,
        isBusy: Bool = false,
        closing close: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        let (number, closeOther) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
            guard let (number, freed) = state.table.take(for: client) else { return (nil, nil) }
            if isBusy { state.table.set(number, isIdle: false) }
            state.closing[number] = close
            return (number, freed.flatMap { state.closing.removeValue(forKey: $0) })
        }
        // Outside of the lock: closing a channel may give its place back at once.
        closeOther?()
        return number
    }

    /// Notes whether a connection waits for its next request.
    func set(_ number: Int, isIdle: Bool) {
        state.withLock { $0.table.set(number, isIdle: isIdle) }
    }

    /// Gives a place back.
    func give(_ number: Int) {
        state.withLock { state in
            state.table.give(number)
            state.closing[number] = nil
        }
    }
}

/// Who has which place, and whose place a new connection gets if none is free.
struct PlaceTable {
    /// What a connection does.
    private enum Phase {
        /// It waits for its first request, since then.
        case new(since: Int)
        /// It has had an answer and waits for its next request, since then.
        case idle(since: Int)
        /// It has a request.
        case busy
    }

    private struct Holder {
        var client: String
        var phase: Phase
    }

    private let maximum: Int
    private let maximumPerClient: Int
    private var holders: [Int: Holder] = [:]
    /// The number of places of each client that has any.
    private var taken: [String: Int] = [:]
    /// The number of events so far, which is the time.
    private var count = 0

    /// Creates a table of free places.
    init(maximum: Int, maximumPerClient: Int) {
        (self.maximum, self.maximumPerClient) = (maximum, maximumPerClient)
    }

    /// Takes a place for a new connection.
    ///
    /// - Returns: The number of the place, and the number of the connection that must be closed for it, if there is one; nil if no
    ///   place is free and none can be freed.
    mutating func take(for client: String) -> (number: Int, freed: Int?)? {
        var freed: Int?
        if taken[client, default: 0] >= maximumPerClient {
            freed = leastNeeded(of: client)
            if freed == nil { return nil }
        } else if holders.count >= maximum {
            freed = leastNeeded(of: nil)
            if freed == nil { return nil }
        }
        if let freed { give(freed) }
        count += 1
        holders[count] = Holder(client: client, phase: .new(since: count))
        taken[client, default: 0] += 1
        return (count, freed)
    }

    /// Notes whether a connection waits for its next request.
    mutating func set(_ number: Int, isIdle: Bool) {
        count += 1
        holders[number]?.phase = isIdle ? .idle(since: count) : .busy
    }

    /// Gives a place back.
    mutating func give(_ number: Int) {
        guard let holder = holders.removeValue(forKey: number) else { return }
        let rest = taken[holder.client, default: 1] - 1
        taken[holder.client] = rest > 0 ? rest : nil
    }

    /// Finds a connection without a request, of a client or of any if it is nil.
    ///
    /// A connection whose first request is still to come is spared if another one can be found: its browser would show an error.
    /// The client with the most places loses one, and of its connections the one that has been idle longest.
    private func leastNeeded(of client: String?) -> Int? {
        let idle = holders.compactMap { number, holder -> (number: Int, rank: (Int, Int, Int))? in
            guard client == nil || holder.client == client else { return nil }
            let places = taken[holder.client, default: 0]
            switch holder.phase {
            case .idle(let since): return (number, (1, places, -since))
            case .new(let since): return (number, (0, places, -since))
            case .busy: return nil
            }
        }
        return idle.max { $0.rank < $1.rank }?.number
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
