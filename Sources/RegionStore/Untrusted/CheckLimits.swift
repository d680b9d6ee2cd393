/// The limits on the check of an untrusted database.
///
/// A file whose check reaches a limit may still be valid. It is not accepted, but its received data are kept.
struct CheckLimits: Hashable, Sendable {
    /// The maximum processor time, in seconds.
    ///
    /// Waiting for a slow disk does not count.
    var seconds: Double

    /// The maximum memory of SQLite, in bytes.
    var memory: Int64

    /// The limits for a file that a person imports.
    static func importing(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 96 << 20)
    }

    /// The limits for a file from a peer.
    ///
    /// Together with the rest of the program, the memory stays below 64 MB.
    static func receiving(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 12 << 20)
    }

    /// A map of many small tiles has some 40 bytes for each, and a slow laptop needs some 20 µs for each.
    private static func seconds(_ size: UInt64) -> Double {
        20 + Double(size) / 1_000_000
    }
}
