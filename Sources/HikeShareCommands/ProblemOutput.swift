import ArgumentParser
import Glibc
import PeerCore
import RegionStore

/// Writes the error with which the program ends.
enum ProblemOutput {
    /// Writes an error to the standard error output; help and version to the standard output.
    static func write(_ error: any Error, format: OutputFormat) {
        let status = ExitStatus(error)
        guard isFromParser(error), format == .text || status == .success else {
            return Screen.write(ProblemReport(error).rendered(as: format), to: STDERR_FILENO)
        }
        let message = ParserError(error).fullMessage
        guard !message.isEmpty else { return }
        Screen.write(message + "\n", to: status == .success ? STDOUT_FILENO : STDERR_FILENO)
    }

    /// Writes an error and ends the process immediately, without waiting for its threads.
    static func exit(_ error: any Error) -> Never {
        let arguments = CommandArguments.globalOptionsLast(Array(CommandLine.arguments.dropFirst()))
        write(error, format: CommandArguments.format(arguments))
        _exit(ExitStatus(error).rawValue)
    }

    /// Returns whether an error comes from the argument parser, including help and version.
    private static func isFromParser(_ error: any Error) -> Bool {
        switch error {
        case is CommandError, is PeerError, is RegionStoreError, is ProtocolError, is CancellationError: false
        default: ParserError(error).exitCode != .failure
        }
    }
}
