import Foundation
import Glibc

/// A program run by a test: its output can be read as it comes, its input written, and it dies with its scope.
///
/// It is started, waited for and buried by one thread of its own, and read by two more, so that no pipe fills up and no
/// zombie stays. If the test process itself dies, the kernel kills the program.
public final class ChildProcess: Sendable {
    /// What went wrong in starting or watching a program.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason.
        public let description: String

        /// Creates a failure.
        public init(description: String) {
            self.description = description
        }
    }

    private struct State {
        var input: Int32?
        var status: ExitStatus?
        var waiters: [CheckedContinuation<ExitStatus, Never>] = []
    }

    /// The process id.
    ///
    /// Use ``kill(_:)`` rather than it: after the end of the program it may belong to another.
    public let processID: Int32

    /// The program and its arguments, for messages.
    public let command: String

    private let state: Locked<State>
    private let output: LineBuffer
    private let errorOutput: LineBuffer

    /// All lines of standard output so far.
    public var outputLines: [String] { output.lines }

    /// All lines of standard error so far.
    public var errorLines: [String] { errorOutput.lines }

    private init(_ processID: Int32, _ command: String, input: Int32, output: LineBuffer, errorOutput: LineBuffer) {
        self.processID = processID
        self.command = command
        self.state = Locked(State(input: input))
        self.output = output
        self.errorOutput = errorOutput
    }

    /// Starts a program, calls `body` and kills the program if it still runs then.
    ///
    /// The program gets this process's environment with `environment` on top; nil there removes a variable. The
    /// machine's own D-Bus is out of its reach. An executable without a slash is looked up in `PATH`.
    public static func with<Result>(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        directory: String? = nil,
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let child = try await start(executable, arguments, environment: environment, directory: directory)
        do {
            let result = try await body(child)
            await child.end()
            return result
        } catch {
            await child.end()
            throw error
        }
    }

    /// Starts a program; whoever uses this must call ``end()``.
    ///
    /// Prefer the form with a scope.
    static func start(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        directory: String? = nil
    ) async throws -> ChildProcess {
        // Writing to a program that has ended is an error here, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let path = try find(executable)
        var merged = ProcessBus.childEnvironment
        for (key, value) in environment { merged[key] = value }
        let spawn = ChildSpawn(
            path: path,
            // The signal follows the thread that starts the program: that one waits for it, and lives as long.
            arguments: ["setpriv", "--pdeathsig", "KILL"] + (directory.map { ["env", "-C", $0] } ?? []) + [path]
                + arguments,
            environment: merged.map { "\($0.key)=\($0.value)" }
        )
        let setpriv = try find("setpriv")
        let command = ([executable] + arguments).joined(separator: " ")
        let handover = Handover()
        let spawned = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    continuation.resume(returning: try spawn.run(setpriv))
                } catch {
                    return continuation.resume(throwing: error)
                }
                handover.take().waitAndBury()
            }
        }
        let output = LineBuffer()
        let errorOutput = LineBuffer()
        let child = ChildProcess(
            spawned.processID,
            command,
            input: spawned.input,
            output: output,
            errorOutput: errorOutput
        )
        handover.give(child)
        Thread.detachNewThread { readLines(spawned.output, into: output) }
        Thread.detachNewThread { readLines(spawned.errorOutput, into: errorOutput) }
        return child
    }

    /// Every line of standard output from the first one on; it ends with the output.
    public func outputs() -> AsyncStream<String> { output.follow() }

    /// Every line of standard error from the first one on; it ends with the output.
    public func errorOutputs() -> AsyncStream<String> { errorOutput.follow() }

    /// Returns the first line of standard output that meets a condition; throws if the output ends without one.
    @discardableResult
    public func waitForOutput(where condition: @Sendable (String) -> Bool) async throws -> String {
        try await wait(in: output, where: condition)
    }

    /// Returns the first line of standard error that meets a condition; throws if the output ends without one.
    @discardableResult
    public func waitForErrorOutput(where condition: @Sendable (String) -> Bool) async throws -> String {
        try await wait(in: errorOutput, where: condition)
    }

    /// Writes a text to standard input; throws if the program has ended or closed it.
    public func write(_ text: String) throws {
        try state.withLock { state in
            guard let input = state.input else { throw Failure(description: "\(command): standard input is closed") }
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else {
                    throw Failure(description: "\(command): cannot write: \(String(cString: strerror(errno)))")
                }
                bytes = bytes.dropFirst(max(0, count))
            }
        }
    }

    /// Closes standard input.
    public func closeInput() {
        state.withLock { state in
            if let input = state.input { close(input) }
            state.input = nil
        }
    }

    /// Sends a signal, if the program still runs.
    public func kill(_ signal: Int32) {
        state.withLock { state in
            if state.status == nil { _ = Glibc.kill(processID, signal) }
        }
    }

    /// Waits for the end of the program.
    ///
    /// Its output may still be on its way then; see ``outputs()``.
    public func waitForExit() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.waiters.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Waits for the end of the program and of its output, and returns all lines.
    public func complete() async -> (status: ExitStatus, output: [String], errorOutput: [String]) {
        closeInput()
        let status = await waitForExit()
        for await _ in output.follow() {}
        for await _ in errorOutput.follow() {}
        return (status, output.lines, errorOutput.lines)
    }

    /// Kills the program if it still runs, and waits for its end.
    func end() async {
        kill(SIGKILL)
        _ = await waitForExit()
        closeInput()
    }

    private func wait(in buffer: LineBuffer, where condition: @Sendable (String) -> Bool) async throws -> String {
        for await line in buffer.follow() where condition(line) { return line }
        try Task.checkCancellation()
        throw Failure(
            description: "\(command) ended without the expected output. It wrote:\n"
                + (output.lines + errorOutput.lines).joined(separator: "\n")
        )
    }

    /// Waits for the end first and frees the process id after that, so that ``kill(_:)`` never hits a stranger.
    private func waitAndBury() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (status, waiters) = state.withLock { state in
            var raw: Int32 = 0
            while waitpid(processID, &raw, 0) < 0, errno == EINTR {}
            let status: ExitStatus = raw & 0x7F == 0 ? .exited((raw >> 8) & 0xFF) : .signalled(raw & 0x7F)
            state.status = status
            defer { state.waiters = [] }
            return (status, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }

    private static func readLines(_ descriptor: Int32, into buffer: LineBuffer) {
        defer {
            close(descriptor)
            buffer.finish()
        }
        var pending: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            pending += chunk[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                buffer.append(String(decoding: pending[..<end], as: UTF8.self))
                pending.removeSubrange(...end)
            }
        }
        if !pending.isEmpty { buffer.append(String(decoding: pending, as: UTF8.self)) }
    }

    private static func find(_ executable: String) throws -> String {
        if executable.contains("/") { return executable }
        let path = ProcessBus.childEnvironment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
        for folder in folders where access(folder + "/" + executable, X_OK) == 0 {
            return folder + "/" + executable
        }
        throw Failure(description: "\(executable) is not installed, and the tests need it")
    }
}
