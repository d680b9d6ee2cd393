import Glibc

/// Programs of the desktop, which this program starts and does not wait for.
enum DesktopProgram {
    /// Whether there is a desktop on which a window can open.
    static func hasDesktop(_ environment: [String: String]) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// Finds a program in the folders of `PATH`; nil if it is not installed.
    static func find(_ name: String, _ environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.map { $0 + "/" + name }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// `POSIX_SPAWN_SETSID` of spawn.h, which Swift does not import.
    private static let setsid: Int32 = 0x80

    /// Starts a program in a session of its own, without a terminal.
    ///
    /// It may run longer than this program, so nothing waits for it. The kernel removes it from the list of processes when this
    /// program ends.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: The arguments.
    /// - Returns: Whether the program was started.
    static func start(_ path: String, _ arguments: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return false }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { posix_spawnattr_destroy(&attributes) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The Ctrl-C that ends this program does not reach the other one, and its signals have their usual meaning.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = setsid | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process = pid_t()
        return posix_spawn(&process, path, &actions, &attributes, words, environ) == 0
    }
}
