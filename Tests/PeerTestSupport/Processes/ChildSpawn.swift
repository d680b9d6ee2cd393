import Foundation
import Glibc

/// The start of a program with pipes for its standard streams, and no other descriptor open in it.
struct ChildSpawn: Sendable {
    /// A program that runs, and this side's ends of its pipes.
    struct Spawned: Sendable {
        var processID: Int32
        var input: Int32
        var output: Int32
        var errorOutput: Int32
    }

    var path: String
    var arguments: [String]
    var environment: [String]

    /// One start at a time: between its making and its marking a pipe must not slip into another program, where it
    /// would stay open.
    private static let turn = Locked(0)

    func run(_ launcher: String) throws -> Spawned {
        try Self.turn.withLock { _ in try start(launcher) }
    }

    private func start(_ launcher: String) throws -> Spawned {
        let input = try pipe()
        let output = try pipe()
        let errorOutput = try pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errorOutput.write, 2)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let descriptor = Int32(name), descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // Whoever runs the tests may ignore some, as nohup does, and a program that starts with an ignored signal keeps it so.
        for signal in [SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let argv = arguments.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
        }
        var processID: pid_t = 0
        let result = posix_spawn(&processID, launcher, &actions, &attributes, argv, envp)
        for descriptor in [input.read, output.write, errorOutput.write] { close(descriptor) }
        guard result == 0 else {
            for descriptor in [input.write, output.read, errorOutput.read] { close(descriptor) }
            throw ChildProcess.Failure(description: "cannot start \(path): \(String(cString: strerror(result)))")
        }
        return Spawned(processID: processID, input: input.write, output: output.read, errorOutput: errorOutput.read)
    }

    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw ChildProcess.Failure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
