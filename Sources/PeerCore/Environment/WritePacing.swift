import NIOCore

/// How soon a short write may follow another one.
///
/// Without a pause, many short messages in a row would be encrypted and written a few at a time, and each write costs more than the
/// messages in it. A message that comes later than the pause never waits. A pure value.
struct WritePacing: Sendable {
    /// A write of at least this many bytes is worth its cost.
    static let shortLength = 16 * 1024
    // Far less than any network takes for a message and its answer.
    static let pause: TimeAmount = .microseconds(100)

    /// When the last write ended, and the pause after it.
    private var last: NIODeadline?

    /// A write has ended; returns how long the next one waits.
    mutating func pause(afterWriting length: Int, at now: NIODeadline) -> TimeAmount? {
        let isBurst = length < Self.shortLength && last.map { now - $0 < Self.pause } == true
        last = isBurst ? now + Self.pause : now
        return isBurst ? Self.pause : nil
    }
}
