import Synchronization

/// A limited number of units, such as bytes, to share among holders.
final class Budget: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Takes units for as long as the result exists; returns nil if too few are free.
    func share(_ count: Int) -> Share? {
        let isTaken = free.withLock { free in
            guard free >= count else { return false }
            free -= count
            return true
        }
        return isTaken ? Share(count, of: self) : nil
    }

    /// Units that return to the budget when the share is released.
    final class Share: Sendable {
        private let count: Int
        private let budget: Budget

        fileprivate init(_ count: Int, of budget: Budget) {
            (self.count, self.budget) = (count, budget)
        }

        deinit { budget.free.withLock { $0 += count } }
    }
}
