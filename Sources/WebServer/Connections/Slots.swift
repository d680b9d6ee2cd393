import Synchronization

/// A limited number of slots for connections.
///
/// Browsers keep connections open for their next request. If no slot is free, an idle connection is closed in favour of the new
/// one: its browser opens another connection when it has a request.
final class Slots: Sendable {
    private struct State {
        var table: Table
        /// Close the connections that must give their slots to others, by number.
        var closing: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    init(_ maximum: Int, perClient maximumPerClient: Int = .max) {
        state = Mutex(State(table: Table(maximum: maximum, maximumPerClient: maximumPerClient)))
    }

    /// Takes a slot for a connection of a client.
    ///
    /// One that is busy has a request already, so it keeps its slot; `close` is called when it must give it to another one.
    ///
    /// - Returns: The number of the slot; nil if none is free and none can be freed.
    func take(for client: String, isBusy: Bool = false, closing close: @escaping @Sendable () -> Void = {}) -> Int? {
        let (number, closeOther) = state.withLock { state -> (Int?, (@Sendable () -> Void)?) in
            guard let (number, freed) = state.table.take(for: client) else { return (nil, nil) }
            if isBusy { state.table.set(number, isIdle: false) }
            state.closing[number] = close
            return (number, freed.flatMap { state.closing.removeValue(forKey: $0) })
        }
        // Outside of the lock: closing a channel may give its slot back at once.
        closeOther?()
        return number
    }

    /// Notes whether a connection waits for its next request.
    func set(_ number: Int, isIdle: Bool) {
        state.withLock { $0.table.set(number, isIdle: isIdle) }
    }

    func give(_ number: Int) {
        state.withLock { state in
            state.table.give(number)
            state.closing[number] = nil
        }
    }

    /// Who has which slot, and whose slot a new connection gets if none is free.
    struct Table {
        private struct Holder {
            var client: String
            /// The time since when it waits for a request; nil while it has one.
            var idleSince: Int?
            var hasHadAnswer = false
        }

        let maximum: Int
        let maximumPerClient: Int
        private var holders: [Int: Holder] = [:]
        /// The number of slots of each client that has any.
        private var taken: [String: Int] = [:]
        /// The number of events so far, which is the time.
        private var count = 0

        init(maximum: Int, maximumPerClient: Int) {
            (self.maximum, self.maximumPerClient) = (maximum, maximumPerClient)
        }

        /// Takes a slot for a new connection.
        ///
        /// - Returns: The number of the slot, and the number of the connection that must be closed for it, if there is one; nil
        ///   if no slot is free and none can be freed.
        mutating func take(for client: String) -> (number: Int, freed: Int?)? {
            var freed: Int?
            let isAtItsLimit = taken[client, default: 0] >= maximumPerClient
            if isAtItsLimit || holders.count >= maximum {
                freed = leastNeeded(of: isAtItsLimit ? client : nil)
                guard let freed else { return nil }
                give(freed)
            }
            count += 1
            holders[count] = Holder(client: client, idleSince: count)
            taken[client, default: 0] += 1
            return (count, freed)
        }

        /// Notes whether a connection waits for its next request.
        mutating func set(_ number: Int, isIdle: Bool) {
            count += 1
            holders[number]?.idleSince = isIdle ? count : nil
            holders[number]?.hasHadAnswer = true
        }

        mutating func give(_ number: Int) {
            guard let holder = holders.removeValue(forKey: number) else { return }
            let rest = taken[holder.client, default: 1] - 1
            taken[holder.client] = rest > 0 ? rest : nil
        }

        /// Finds a connection without a request, of a client or of any if it is nil.
        ///
        /// A connection whose first request is still to come is spared if another one can be found: its browser would show an
        /// error. The client with the most slots loses one, and of its connections the one that has been idle longest.
        private func leastNeeded(of client: String?) -> Int? {
            let idle = holders.compactMap { number, holder -> (number: Int, rank: (Int, Int, Int))? in
                guard client == nil || holder.client == client, let since = holder.idleSince else { return nil }
                return (number, (holder.hasHadAnswer ? 1 : 0, taken[holder.client, default: 0], -since))
            }
            return idle.max { $0.rank < $1.rank }?.number
        }
    }
}
