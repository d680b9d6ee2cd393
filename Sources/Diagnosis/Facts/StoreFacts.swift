/// The folder in which data are stored, and its disk.
package struct StoreFacts: Hashable, Sendable {
    /// The folder, or the nearest existing folder above it.
    package var path: String
    /// The highest folder on the same disk that is mounted in the same way.
    package var mountPoint: String
    /// The free space for this user in bytes; nil if it is not known.
    package var free: UInt64?
    /// Whether the disk is mounted read-only.
    package var isReadOnly: Bool
    /// Whether this user can write to the folder.
    package var isWritable: Bool

    package init(
        path: String,
        mountPoint: String = "/",
        free: UInt64?,
        isReadOnly: Bool = false,
        isWritable: Bool = true
    ) {
        self.path = path
        self.mountPoint = mountPoint
        self.free = free
        self.isReadOnly = isReadOnly
        self.isWritable = isWritable
    }
}

/// The clock of this machine, and times with which it can be compared offline.
package struct ClockFacts: Hashable, Sendable {
    /// The time of the system, in seconds since 1970.
    package var now: Int64
    /// When the program's file was written.
    package var program: Int64?
    /// When the newest file in the store was written.
    package var store: Int64?
    /// The time of the hardware clock, which is set to local time or to universal time; nil if there is no such clock.
    package var hardware: Int64?

    package init(now: Int64, program: Int64? = nil, store: Int64? = nil, hardware: Int64? = nil) {
        self.now = now
        self.program = program
        self.store = store
        self.hardware = hardware
    }
}
