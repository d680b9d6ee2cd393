import ArgumentParser
import CMalloc
import Glibc
import Logging

/// The program, from its arguments to its exit code.
public enum HikeShareProgram {
    /// Runs the program with the process's arguments and ends the process.
    public static func main() async -> Never {
        // The reader of the output may close the pipe; the write then returns an error.
        signal(SIGPIPE, SIG_IGN)
        // One thread allocates buffers and another frees them. With an arena for each thread, memory would accumulate.
        mallopt(M_ARENA_MAX, 1)
        OpenFileLimit.raise()
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Parses the arguments, runs the command, and reports errors.
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
            // Help and version are results.
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
            // Commands that the parser adds, such as help.
            return try parsed.run()
        }
        bootstrapLogging(command.global.logLevel, command.global.format)
        try await command.run()
    }

    private static func bootstrapLogging(_ level: Logger.Level, _ format: OutputFormat) {
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level, format: format) }
    }
}
