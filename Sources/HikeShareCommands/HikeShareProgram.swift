import ArgumentParser
import CMalloc
import Glibc
import Logging

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
            ProblemOutput.write(error, format: format)
            status = ExitStatus(error)
        }
        guard status == .success else { return status }
        do {
            // Help and version are results, too.
            try Screen.checkOutput()
        } catch {
            ProblemOutput.write(error, format: format)
            status = ExitStatus(error)
        }
        return status
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

    private static func bootstrapLogging(_ level: Logger.Level, _ format: OutputFormat) {
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level, format: format) }
    }
}
