import NIOCore

/// The notices of a link that the session has not received yet.
///
/// One thread at a time tells them, so that none overtakes an earlier one.
struct NoticeQueue: Sendable {
    private var waiting = CircularBuffer<LinkNotice>(initialCapacity: 0)
    private var isTold = false

    /// Adds notices.
    ///
    /// - Returns: Whether the caller has to tell them; false if there are none, or if another thread does it already.
    mutating func begin(adding notices: [LinkNotice]) -> Bool {
        waiting.append(contentsOf: notices)
        guard !isTold, !waiting.isEmpty else { return false }
        isTold = true
        return true
    }

    /// Takes the next notice; nil if there is none, and then the caller stops.
    mutating func next() -> LinkNotice? {
        let next = waiting.popFirst()
        isTold = next != nil
        return next
    }
}
