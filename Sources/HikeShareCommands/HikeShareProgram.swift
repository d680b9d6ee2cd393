import ArgumentParser
import CMalloc
import Glibc
import Logging
import Sentences
import SharingReports

/// The program, from its arguments to its exit code.
public enum HikeShareProgram {
    /// Runs the program with the process's arguments and ends the process.
    public static func main() async -> Never {
        // The reader of the output may close the pipe; the write then returns an error.
        signal(SIGPIPE, SIG_IGN)
        keepBuffersInMemory()
        OpenFileLimit.raise()
        // JSON and logs are in English all the same.
        if Language.ofProcess.hasTerminal { Language.show(.ofProcess) }
        let status = await run(Array(CommandLine.arguments.dropFirst()))
        Interruption.restoreSignals()
        OutputQueue.standard.drain(within: status == .interrupted ? OutputQueue.farewellTime : nil)
        exit(status.rawValue)
    }

    /// The number of free bytes that stay in the heap: some buffers of a transfer, which have a mebibyte each.
    private static let freeLength: CInt = 4 << 20
    /// The number of bytes from which a block is given back as soon as it is free: longer than a chunk of a file, and shorter than
    /// the tables of a long hike, which would leave holes in the heap.
    private static let mappedLength: CInt = (1 << 20) + (64 << 10)

    /// Tells the allocator how a transfer uses memory.
    private static func keepBuffersInMemory() {
        // One thread allocates buffers and another frees them. With an arena for each thread, memory would accumulate.
        mallopt(M_ARENA_MAX, 1)
        // By default, the end of the heap is given back and taken again all the time, and the kernel clears it each time.
        mallopt(M_TRIM_THRESHOLD, freeLength)
        mallopt(M_MMAP_THRESHOLD, mappedLength)
    }

    /// Parses the arguments, runs the command, and reports errors.
    static func run(_ arguments: [String]) async -> ExitStatus {
        if arguments == SheetProcess.arguments { return SheetProcess.run() }
        let arguments = CommandArguments.markingPositions(
            CommandArguments.joiningNegativeNumbers(CommandArguments.globalOptionsLast(arguments))
        )
        var status = ExitStatus.success
        do {
            try OpenFileLimit.check()
            try await run(parsing: arguments)
        } catch {
            status = ExitStatus(ending: error)
            if status == .success, CommandArguments.isForShell(arguments) {
                // Names and scripts for completions are for a shell: nothing in them is wrapped or replaced.
                let message = HikeShare.fullMessage(for: error)
                if !message.isEmpty { OutputQueue.standard.write(message + "\n", to: STDOUT_FILENO) }
            } else if !CommandArguments.askForCompletions(arguments), !(error is ReportedFailure) {
                // A shell would show an error in the middle of the line that it completes.
                // After a request to stop, the program does not wait for a reader.
                if status == .interrupted { OutputQueue.standard.hurry() }
                ProblemOutput.write(error, arguments: arguments)
            }
        }
        guard status == .success else { return status }
        // Nothing but output is left, for which its reader may never ask.
        Interruption.restoreSignals()
        do {
            OutputQueue.standard.drain()
            // Help and version are results.
            try Screen.checkOutput()
        } catch {
            ProblemOutput.write(error, arguments: arguments)
            status = ExitStatus(ending: error)
        }
        return status
    }

    private static func run(parsing arguments: [String]) async throws {
        if CommandArguments.haveNoCommand(arguments) { return try FirstWords.show(try parseGlobal(arguments)) }
        var parsed = try parse(arguments)
        guard var command = parsed as? any GlobalCommand else {
            // A command that only groups others shows its help.
            if parsed is any AsyncParsableCommand { parsed = try HikeShare.parseAsRoot(arguments + ["--help"]) }
            // Commands that the parser adds, such as help.
            return try parsed.run()
        }
        bootstrapLogging(command.global.logLevel, command.global.format)
        try await command.run()
    }

    /// Parses global options without a command.
    private static func parseGlobal(_ arguments: [String]) throws -> GlobalOptions {
        if let fault = ArgumentFaults.find(in: arguments) { throw fault }
        do {
            return try GlobalOptions.parse(arguments)
        } catch {
            throw CommandError(
                .usage,
                Sentence(verbatim: ParserError(error).message),
                remedy: "'hikeshare help list' lists the options."
            )
        }
    }

    /// Parses the arguments, and finds out what is misspelt or empty in them.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if !CommandArguments.isForShell(arguments), let fault = ArgumentFaults.find(in: arguments) { throw fault }
        // The parser shows its overview for a command that does not exist.
        if arguments.first == "help", let misspelling = Misspelling.find(in: arguments) { throw misspelling }
        do {
            return try HikeShare.parseAsRoot(arguments)
        } catch {
            guard ExitStatus(ending: error) == .usage, let misspelling = Misspelling.find(in: arguments) else {
                throw error
            }
            throw misspelling
        }
    }

    private static func bootstrapLogging(_ level: Logger.Level, _ format: OutputFormat) {
        LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level, format: format) }
    }
}
