/// What the check of a database from elsewhere may cost.
///
/// A file that reaches a limit is not shown to be bad: it is not accepted, but what arrived of it is kept.
struct CheckLimits: Hashable, Sendable {
    /// How much processor time the check may take, in seconds.
    ///
    /// Waiting for a slow disk does not count.
    var seconds: Double

    /// How many bytes of memory SQLite may use for it.
    var memory: Int64

    /// The limits for a file that a person imports.
    static func importing(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 96 << 20)
    }

    /// The limits for a file that a peer sent: what the program itself needs and this stay below 64 MB.
    static func receiving(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 12 << 20)
    }

    /// A map of many small tiles has some 40 bytes for each, and a slow laptop needs some 20 µs for each.
    private static func seconds(_ size: UInt64) -> Double {
        20 + Double(size) / 1_000_000
    }
}
