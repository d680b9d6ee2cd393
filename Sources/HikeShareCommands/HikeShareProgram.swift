import ArgumentParser
import CMalloc
import Glibc
import Logging
import PeerCore
import RegionStore

/// The program, from its arguments to its exit code.
public enum HikeShareProgram {
    /// Runs the program with the process's arguments and ends the process.
    public static func main() async -> Never {
        // Whoever reads our output may stop reading; that is noticed where it is written.
        signal(SIGPIPE, SIG_IGN)
        // Buffers are made by one thread and freed by another: with an arena for each, memory would pile up in all of them.
        mallopt(M_ARENA_MAX, 1)
        OpenFileLimit.raise()
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Parses, runs, and tells what went wrong.
    static func run(_ arguments: [String]) async -> ExitStatus {
        let arguments = CommandArguments.globalOptionsLast(arguments)
        let format = CommandArguments.format(arguments)
        var status = ExitStatus.success
        do {
            try OpenFileLimit.check()
            try await run(parsing: arguments)
        } catch {
            tell(error, format: format)
            status = ExitStatus(error)
        }
        guard status == .success else { return status }
        do {
            // Help and version are results, too.
            try Screen.checkOutput()
        } catch {
            tell(error, format: format)
            status = error.status
        }
        return status
    }

    /// Tells what went wrong and ends the process at once, whatever its threads wait for.
    static func leave(_ error: any Error) -> Never {
        let arguments = CommandArguments.globalOptionsLast(Array(CommandLine.arguments.dropFirst()))
        tell(error, format: CommandArguments.format(arguments))
        _exit(ExitStatus(error).rawValue)
    }

    private static func run(parsing arguments: [String]) async throws {
        var parsed = try HikeShare.parseAsRoot(arguments)
        guard var command = parsed as? any GlobalCommand else {
            // What the parser adds, such as help.
            return try parsed.run()
        }
        bootstrapLogging(command.global.logLevel, command.global.format)
        try await command.run()
    }

    private static func tell(_ error: any Error, format: OutputFormat) {
        let status = ExitStatus(error)
        guard isFromParser(error), format == .text || status == .success else {
            return Screen.write(ProblemReport(error).rendered(as: format), to: STDERR_FILENO)
        }
        // Help and version are results; what the parser has to complain about comes with the usage.
        let message = HikeShare.fullMessage(for: error)
        guard !message.isEmpty else { return }
        Screen.write(message + "\n", to: status == .success ? STDOUT_FILENO : STDERR_FILENO)
    }

    /// Tells the argument parser's errors, help and version included, from all others.
    private static func isFromParser(_ error: any Error) -> Bool {
        switch error {
        case is CommandError, is PeerError, is RegionStoreError, is ProtocolError, is CancellationError: false
        default: HikeShare.exitCode(for: error) != .failure
        }
    }

    private static func bootstrapLogging(_ level: Logger.Level, _ format: OutputFormat) {
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level, format: format) }
    }
}
