import Synchronization

/// A number of places, of which each connection takes one.
final class Places: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Takes a place; returns false if there is none.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Gives a place back.
    func give() {
        free.withLock { $0 += 1 }
    }
}
