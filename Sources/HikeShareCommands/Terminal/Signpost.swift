import Synchronization

/// Something that has happened or not.
final class Signpost: Sendable {
    private let state = Mutex(false)

    /// Whether it has happened.
    var isRaised: Bool { state.withLock { $0 } }

    /// Says that it happens; false if it had happened already.
    @discardableResult
    func raise() -> Bool {
        state.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
    }
}
