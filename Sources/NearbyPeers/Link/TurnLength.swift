/// How many bytes the next turn of a link may have: more where the link takes them so fast that a message hardly waits for them.
///
/// A turn costs a wake of its thread, a change of the link and a write, however long it is. Short turns cost most where bytes
/// go fastest. A pure value.
struct TurnLength: Sendable {
    /// The length on a link of unknown speed, in bytes.
    static let shortest = 64 * 1024
    /// The length on a fast link, in bytes.
    static let longest = 256 * 1024
    // Faster than gigabit Ethernet: a turn of 256 KiB takes at most 2 ms.
    /// How long the system takes, on a fast link, to accept each ``shortest`` bytes.
    static let fastTime = Duration.microseconds(500)
    // The system accepts some bytes at once on any link, but not 1 MiB.
    /// How many turns in a row have to be fast.
    static let fastCount = 16

    private var count = 0

    /// The maximum length of the next turn, in bytes.
    var next: Int { count == Self.fastCount ? Self.longest : Self.shortest }

    /// The system has accepted a turn.
    ///
    /// - Parameters:
    ///   - length: Its length in bytes.
    ///   - time: The time that this took. One turn that was slow, or too short to tell, makes the next ones short.
    mutating func accepted(_ length: Int, in time: Duration) {
        let isFast = length >= Self.shortest / 2 && time * Self.shortest <= Self.fastTime * length
        count = isFast ? min(count + 1, Self.fastCount) : 0
    }
}
