import Glibc

/// How many files and connections the system lets this program have open at once.
///
/// Where they run out, libraries below end the program. So a program that has too few does not begin, and a listener takes
/// no more connections than fit.
enum OpenFileLimit {
    /// What a listener with all its connections and lanes needs on any machine.
    private static let ample: rlim_t = 4096

    /// What a store, transfers and their lanes need at most.
    private static let base = 128

    /// The fewest connections with which a listener works: those that a refused one needs for its last word, too.
    private static let leastConnectionCount = 8

    /// Raises the limit as far as it may be raised and is useful.
    static func raise() {
        guard var limit = current(), limit.rlim_cur < ample, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, ample)
        _ = setrlimit(resource, &limit)
    }

    /// Checks that there are enough.
    ///
    /// - Throws: ``CommandError`` with ``CommandError/Code/openFiles``.
    static func check() throws(CommandError) {
        guard let count = current()?.rlim_cur, count < least else { return }
        throw CommandError(
            .openFiles,
            "The limit for open files is \(count), but hikeshare needs at least \(least).",
            remedy: "Raise the limit with ulimit -n."
        )
    }

    /// Returns how many connections a listener may hold.
    static func connectionCount(atMost count: Int) -> Int {
        guard let limit = current()?.rlim_cur, limit < ample else { return count }
        let room = Int(clamping: limit) - fixed
        return max(leastConnectionCount, min(count, room / placesPerConnection))
    }

    private static var least: rlim_t { rlim_t(fixed + placesPerConnection * leastConnectionCount) }

    /// What is open without any connection: each event loop has three descriptors.
    private static var fixed: Int { base + 3 * max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// For each connection that a listener holds, up to three more may be closing.
    private static let placesPerConnection = 4

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static func current() -> rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }
}
