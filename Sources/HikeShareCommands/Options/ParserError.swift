import ArgumentParser

/// What the argument parser throws, as text and exit code.
///
/// Such an error knows the command that it is about, so no command is named here.
struct ParserError {
    /// Arguments that stand for those of any command.
    private struct NoArguments: ParsableArguments {}

    private let error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    /// The exit code that the parser suggests: success for help and version.
    var exitCode: ExitCode { NoArguments.exitCode(for: error) }

    /// The message alone.
    var message: String { NoArguments.message(for: error) }

    /// The message and the usage of the command; the text itself for help and version.
    var fullMessage: String { NoArguments.fullMessage(for: error) }
}
