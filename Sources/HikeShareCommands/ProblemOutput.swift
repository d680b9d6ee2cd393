import ArgumentParser
import FoundationEssentials
import Glibc
import NetworkManager
import PeerCore
import RegionStore

/// Writes the error with which the program ends.
enum ProblemOutput {
    /// Writes an error to the standard error output; help and version to the standard output.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - arguments: The arguments of the program, which say how to write it.
    static func write(_ error: any Error, arguments: [String]) {
        let format = CommandArguments.format(arguments)
        let screen = Screen.current(ProcessInfo.processInfo.environment, color: CommandArguments.color(arguments))
        let status = ExitStatus(error)
        guard isFromParser(error), format == .text || status == .success else {
            let text = ProblemReport(error).rendered(as: format, in: screen.style(of: STDERR_FILENO))
            return Screen.write(text, to: STDERR_FILENO)
        }
        let message = Self.named(ParserError(error).fullMessage)
        guard !message.isEmpty else { return }
        let descriptor = status == .success ? STDOUT_FILENO : STDERR_FILENO
        // The parser limits the width of help, but not of errors.
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { DisplayText(escaping: String($0)) }.joined(separator: "\n")
        Screen.write(screen.style(of: descriptor).render(text) + "\n", to: descriptor)
    }

    /// Returns a message of the parser with the name of the program before it, as before all other errors.
    private static func named(_ message: String) -> String {
        let mark = "Error: "
        return message.hasPrefix(mark) ? "hikeshare: " + message.dropFirst(mark.count) : message
    }

    /// Writes an error and ends the process immediately, without waiting for its threads.
    static func exit(_ error: any Error) -> Never {
        let arguments = CommandArguments.globalOptionsLast(Array(CommandLine.arguments.dropFirst()))
        write(error, arguments: arguments)
        _exit(ExitStatus(error).rawValue)
    }

    /// Returns whether an error comes from the argument parser, including help and version.
    private static func isFromParser(_ error: any Error) -> Bool {
        switch error {
        case is CommandError, is IncompleteReception, is PeerError, is RegionStoreError, is ProtocolError,
            is NetworkManagerError, is CancellationError:
            false
        default: ParserError(error).exitCode != .failure
        }
    }
}
