import ArgumentParser
import FoundationEssentials
import Glibc
import NetworkManager
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension Console {
    /// Tells a person something that is not a result; programs get a warning.
    func note(_ text: DisplayText, _ code: CommandError.Code, _ message: Sentence, remedy: Sentence? = nil) {
        guard format == .json else { return note(text) }
        warn(ProblemReport(CommandError(code, message, remedy: remedy.map { Remedy($0) }), severity: .warning))
    }
}

/// Writes the error with which the program ends.
enum ProblemOutput {
    /// Writes an error to the standard error output; help and version to the standard output.
    static func write(_ error: any Error, arguments: [String]) {
        let format = CommandArguments.format(arguments)
        let screen = Screen.current(ProcessInfo.processInfo.environment, color: CommandArguments.color(arguments))
        let status = ExitStatus(ending: error)
        guard isFromParser(error), format == .text || status == .success else {
            let worded =
                isFromParser(error) ? CommandError(.usage, Sentence(verbatim: ParserError(error).message)) : error
            let text = ProblemReport(worded).rendered(as: format, in: screen.style(of: STDERR_FILENO))
            return OutputQueue.standard.write(text, to: STDERR_FILENO)
        }
        let message = Self.named(ParserError(error).fullMessage)
        guard !message.isEmpty else { return }
        let descriptor = status == .success ? STDOUT_FILENO : STDERR_FILENO
        // The parser limits the width of help, but not of errors.
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { DisplayText(escaping: String($0)) }.joined(separator: "\n")
        OutputQueue.standard.write(screen.style(of: descriptor).render(text) + "\n", to: descriptor)
    }

    /// Returns a message of the parser with the name of the program before it, as before all other errors.
    private static func named(_ message: String) -> String {
        let mark = "Error: "
        return message.hasPrefix(mark) ? "hikeshare: " + message.dropFirst(mark.count) : message
    }

    /// Writes an error and ends the process immediately, without waiting for its threads, and for a reader only for a moment.
    static func exit(_ error: any Error) -> Never {
        let arguments = CommandArguments.globalOptionsLast(Array(CommandLine.arguments.dropFirst()))
        OutputQueue.standard.hurry()
        write(error, arguments: arguments)
        OutputQueue.standard.drain(within: OutputQueue.farewellTime)
        _exit(ExitStatus(ending: error).rawValue)
    }

    /// Returns whether an error comes from the argument parser, including help and version.
    static func isFromParser(_ error: any Error) -> Bool {
        switch error {
        case is CommandError, is any SharingError, is IncompleteReception, is PeerError, is RegionStoreError,
            is ProtocolError, is NetworkManagerError, is CancellationError:
            false
        default: ParserError(error).exitCode != .failure
        }
    }
}

extension ExitStatus {
    /// Returns the exit code of the error with which the program ends, which may be one of the argument parser, or its help.
    init(ending error: any Error) {
        guard ProblemOutput.isFromParser(error) else {
            self.init(error)
            return
        }
        self = ParserError(error).exitCode == .success ? .success : .usage
    }
}
