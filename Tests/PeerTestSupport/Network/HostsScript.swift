/// The program `Scripts/hosts` and the hosts that it made.
struct HostsScript: Sendable {
    private let path: String
    private let prefix: String

    /// Makes hosts, calls `body` and takes them down.
    ///
    /// - Parameters:
    ///   - options: What `up` is told.
    ///   - repository: The folder that holds `Scripts`.
    ///   - body: Uses the hosts.
    /// - Returns: What `body` returns.
    /// - Throws: If the hosts cannot be made, and what `body` throws.
    static func with<Result>(
        _ options: [String],
        repository: String,
        _ body: (HostsScript) async throws -> Result
    ) async throws -> Result {
        var generator = SystemRandomNumberGenerator()
        let letters = (0..<7).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "x" }
        let script = HostsScript(path: repository + "/Scripts/hosts", prefix: String(letters))
        try await script.call("up", options)
        do {
            let result = try await body(script)
            try await script.call("down")
            return result
        } catch {
            try? await script.call("down")
            throw error
        }
    }

    /// Runs a program on a host.
    ///
    /// It gets this process's environment with `environment` on top; its D-Bus is the host's own.
    func run<Result>(
        on host: String,
        _ executable: String,
        _ arguments: [String],
        environment: [String: String?],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let command = command(on: host, executable, arguments)
        return try await ChildProcess.with(
            command[0],
            Array(command.dropFirst()),
            environment: environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": nil]) { given, _ in given },
            body
        )
    }

    /// The command line that runs a program on a host.
    func command(on host: String, _ executable: String, _ arguments: [String]) -> [String] {
        [path, "exec", "-p", prefix, host, executable] + arguments
    }

    /// Performs a command of the script; throws if it fails.
    func call(_ command: String, _ arguments: [String] = []) async throws {
        let arguments = [command, "-p", prefix] + arguments
        // The hosts' daemons use buses of their own, at the usual place.
        let (status, output, errorOutput) = try await ChildProcess.with(
            path,
            arguments,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": nil]
        ) { await $0.complete() }
        guard status == .exited(0) else {
            throw ChildProcess.Failure(
                description:
                    "The hosts do not work: Scripts/hosts \(arguments.joined(separator: " ")) ended with "
                    + "\(status): \((output + errorOutput).joined(separator: "\n"))"
            )
        }
    }
}
