import HostNetwork
import PeerStorage

/// The clock of this machine, and times with which it can be compared offline.
package struct ClockFacts: Hashable, Sendable {
    /// A time that has certainly passed.
    package enum Reference: Hashable, Sendable {
        /// A file in the store was written.
        case store
        /// The file of the program was written.
        case program
    }

    /// The time of the system, in seconds since 1970.
    package var now: Int64
    /// When the program's file was written.
    package var program: Int64?
    /// When the newest file in the store was written.
    package var store: Int64?
    /// The time of the hardware clock, which is set to local time or to universal time; nil if there is no such clock.
    package var hardware: Int64?
}
