import HostNetwork

/// The daemon, as far as it can be seen without the bus.
package enum AvahiDaemon {
    /// Whether its process runs, whatever it can do.
    package static var isRunning: Bool {
        guard let number = SystemFile.word("/run/avahi-daemon/pid").flatMap({ UInt32($0) }) else { return false }
        return SystemFile.word("/proc/\(number)/comm") == "avahi-daemon"
    }
}
