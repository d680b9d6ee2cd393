import PeerCore

/// A failure of what is tried again and again; it is told once, however often it comes.
struct LastingFailure {
    private var last: PeerError?

    /// Returns whether an error is to be told: not if it is the same as the last one.
    mutating func isNew(_ error: PeerError) -> Bool {
        defer { last = error }
        return error != last
    }

    /// Notes that what was tried works.
    mutating func end() { last = nil }
}
