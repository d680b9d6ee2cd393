import NIOCore

/// How soon a short write may follow another one.
///
/// An application that sends short messages one after the other would otherwise have each few of them encrypted and written alone,
/// which takes longer than they take to arrive. A message after a pause is never held up. A pure value.
struct WritePacing: Sendable {
    /// A write of as many bytes is worth its costs.
    static let shortLength = 16 * 1024
    // Far less than any network takes for a message and its answer.
    static let pause: TimeAmount = .microseconds(100)

    /// When the last write ended, and the pause after it.
    private var last: NIODeadline?

    /// A write has ended.
    ///
    /// - Returns: How long the next one waits.
    mutating func pause(afterWriting length: Int, at now: NIODeadline) -> TimeAmount? {
        let isBurst = length < Self.shortLength && last.map { now - $0 < Self.pause } == true
        last = isBurst ? now + Self.pause : now
        return isBurst ? Self.pause : nil
    }
}
