/// The limits on the check of an untrusted database.
///
/// A file whose check reaches a limit may still be valid. It is not accepted, but its received data are kept.
package struct CheckLimits: Hashable, Sendable {
    /// The maximum processor time, in seconds.
    ///
    /// Waiting for a slow disk does not count.
    package var seconds: Double

    /// The maximum memory of SQLite, in bytes; a negative limit is passed from the beginning.
    ///
    /// SQLite counts the memory of the process, so checks that run at the same time share the sum of their limits.
    package var memory: Int64

    /// Creates limits.
    package init(seconds: Double, memory: Int64) {
        self.seconds = seconds
        self.memory = memory
    }

    /// The limits for a file from a peer, and for the use of a file of the store.
    ///
    /// Together with the rest of the program, the memory stays below 64 MB.
    package static func receiving(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: 1.4 * seconds(size), memory: 12 << 20)
    }

    /// The limits for the same check of a file that a person imports.
    ///
    /// They are stricter than those for a file from a peer, so that a somewhat slower receiver accepts what this machine accepts.
    package static func importing(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 10 << 20)
    }

    /// The limits for what is checked of a file that a person imports, and not of one from a peer: every page and row.
    package static func thorough(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 96 << 20)
    }

    /// The limits for finding a tile.
    ///
    /// A map without an index needs a look at all of its tiles for each one.
    package static let oneTile = CheckLimits(seconds: 2, memory: 12 << 20)

    /// The limits for finding a tile of a file that a person imports; stricter for the same reason.
    package static let oneImportedTile = CheckLimits(seconds: 0.5, memory: 10 << 20)

    /// A map of many small tiles has some 40 bytes for each, and a slow laptop needs some 20 µs for each.
    private static func seconds(_ size: UInt64) -> Double { 20 + Double(size) / 1_000_000 }
}
