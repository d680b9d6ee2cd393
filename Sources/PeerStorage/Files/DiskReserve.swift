/// The part of a disk that stays free when something is received, for the database and for other programs.
package enum DiskReserve {
    private static let least: UInt64 = 64 << 20
    // A hundredth of a large disk would be far more than the database and other programs need.
    private static let largestShare: UInt64 = 1 << 30

    /// Computes the size of the reserve in bytes.
    ///
    /// - Parameter total: The size of the disk in bytes.
    package static func size(ofDiskWith total: UInt64) -> UInt64 { least + min(total / 100, largestShare) }
}
