import FoundationEssentials
import Glibc
import SharingReports

/// Starts other programs.
enum OtherProgram {
    /// `POSIX_SPAWN_SETSID` of spawn.h, which Swift does not import.
    private static let setsid: Int32 = 0x80

    /// Starts a program in a session of its own, without a terminal.
    ///
    /// The kernel removes it from the list of processes when this program ends, or when `waitpid` has told how it ended. Of the open
    /// files of this program, it gets its streams alone.
    ///
    /// - Parameters:
    ///   - streams: Open files as its standard input, output and error; `/dev/null` for each that is nil.
    ///   - environment: Its environment, as `NAME=value`; nil for that of this program.
    /// - Returns: The number of the process; nil if the program was not started.
    static func start(
        _ path: String,
        _ arguments: [String],
        streams: [CInt?] = [nil, nil, nil],
        environment: [String]? = nil
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        for (descriptor, file) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], streams) {
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            }
        }
        // The Ctrl-C that ends this program does not reach the other one, and its signals have their usual meaning.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = setsid | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = (environment ?? []).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process = pid_t()
        keepOpenFiles()
        let result =
            environment == nil
            ? posix_spawn(&process, path, &actions, &attributes, words, environ)
            : posix_spawn(&process, path, &actions, &attributes, words, variables)
        return result == 0 ? process : nil
    }

    /// Lets no program that is started have the open files of this one.
    ///
    /// NIO opens sockets without `SOCK_CLOEXEC`. A browser that had them would keep the port of this program, and its connections.
    private static func keepOpenFiles() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ CInt($0) }) where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Waits until a program that was started has ended, and ends it when `check` throws an error.
    static func wait(for process: pid_t, _ check: () throws -> Void) throws -> Bool {
        var status: CInt = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status == 0 }
            if ended < 0, errno != EINTR { return false }
            do {
                try check()
            } catch {
                kill(process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                throw error
            }
            usleep(interval)
        }
    }

    /// The time between two looks at a program, in microseconds.
    private static let interval: useconds_t = 20_000
}
