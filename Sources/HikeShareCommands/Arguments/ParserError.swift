import ArgumentParser
import RegionStore
import SharingReports

/// An error of the argument parser, which contains its command, as text and exit code.
struct ParserError {
    /// A placeholder for the arguments of any command.
    private struct NoArguments: ParsableArguments {}

    private let error: any Error

    init(_ error: any Error) { self.error = error }

    /// The exit code that the parser suggests: success for help and version.
    var exitCode: ExitCode { NoArguments.exitCode(for: error) }

    /// The message alone.
    var message: String { NoArguments.message(for: error) }

    /// The message and the usage of the command; the text itself for help and version.
    var fullMessage: String { NoArguments.fullMessage(for: error) }
}
