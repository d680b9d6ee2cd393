import Foundation

/// A value behind a lock that the thread sanitizer can see.
///
/// `Mutex` is not used here: its slow path is hidden from the sanitizer, which then reports races that are none.
public final class Locked<Value>: @unchecked Sendable {
    // Touched in withLock(_:) only, while the lock is held.
    private var value: Value
    private let lock = NSLock()

    /// Creates a lock around a value.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Calls `body` with the value while nobody else can touch it.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Locked where Value: Sendable {
    /// The value as it is now.
    public var value: Value { withLock { $0 } }

    /// Replaces the value.
    public func set(_ value: Value) {
        withLock { $0 = value }
    }
}
