import Glibc
import Sentences
import SharingReports

/// The limit on open files and connections of the process.
///
/// If the limit is reached, some libraries end the program. So the program does not start with a limit that is too low, and a
/// listener limits its connections.
enum OpenFileLimit {
    /// The number of descriptors that a listener with all its connections and lanes needs.
    private static let ample: rlim_t = 4096
    /// The number of descriptors that a store, transfers and their lanes need at most.
    private static let base = 128
    /// The minimum number of connections of a listener, including refused ones that are still closing.
    private static let leastConnectionCount = 8

    /// Raises the limit as far as possible and useful.
    static func raise() {
        guard var limit = current(), limit.rlim_cur < ample, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, ample)
        _ = setrlimit(resource, &limit)
    }

    /// Checks that the limit is high enough.
    static func check() throws(CommandError) {
        guard let count = current()?.rlim_cur, count < least else { return }
        throw CommandError(
            .openFiles,
            "The limit for open files is \("\(count)"), but hikeshare needs at least \("\(least)").",
            remedy: "Raise the limit with ulimit -n."
        )
    }

    /// Returns the maximum number of connections of a listener.
    static func connectionCount(atMost count: Int) -> Int {
        guard let limit = current()?.rlim_cur, limit < ample else { return count }
        let room = Int(clamping: limit) - fixed
        return max(leastConnectionCount, min(count, room / placesPerConnection))
    }

    private static var least: rlim_t { rlim_t(fixed + placesPerConnection * leastConnectionCount) }

    /// The number of descriptors without any connection; each event loop has three.
    private static var fixed: Int { base + 3 * max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// For each connection of a listener, up to three more may be closing.
    private static let placesPerConnection = 4
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static func current() -> rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }
}
