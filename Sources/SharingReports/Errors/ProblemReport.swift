import ArgumentParser
import FoundationEssentials
import Glibc
import NetworkManager
import PeerCore
import RegionSharing
import RegionStore

/// An error or warning for a person or a program.
struct ProblemReport: Report {
    /// The severity of a problem.
    enum Severity: String {
        case error
        case warning
    }

    var severity = Severity.error
    var code: String
    var message: String
    var remedy: Remedy?
    var hints: [Hint] = []
    /// What is kept for the next attempt; nil if nothing is kept or the amount is unknown. (JSON has it in other lines.)
    var kept: KeptFiles?
    /// The message that a person has read already; nil for none.
    var told: String?
    var status: ExitStatus

    /// Describes an error.
    init(_ error: any Error, severity: Severity = .error) {
        let hinted = error as? HintedError
        let incomplete = (hinted?.underlying ?? error) as? IncompleteReception
        let unworded = incomplete?.underlying ?? hinted?.underlying ?? error
        let error: any Error = (unworded as? any WordedError)?.words ?? unworded
        kept = incomplete?.kept
        self.severity = severity
        status = ExitStatus(error)
        switch error {
        case let error as CommandError:
            (code, message, remedy) = (error.code.rawValue, error.message, error.remedy)
            hints = error.hints
        case let error as PeerError:
            (code, message, remedy) = (error.code.description, error.message, ProgramRemedy.forTransfer(error))
            if error.code == .discoveryUnavailable {
                hints = [
                    .typed(
                        "The share link that 'send' shows works without discovery:  \("hikeshare receive --link", .command)",
                        window:
                            "The share link that the sender shows works without discovery: choose “Other ways” and “I have a share link”."
                    ),
                    .typed(
                        "So does an address that it shows:  \("hikeshare receive --connect ADDRESS", .command)",
                        window: nil
                    ),
                ]
            }
        case let error as RegionStoreError:
            (code, message, remedy) = (error.code.description, error.message, error.remedy.map { Remedy($0) })
        case let error as NetworkManagerError:
            (code, message, remedy) = (error.code.rawValue, error.message, ProgramRemedy.forNetwork(error))
        case let error as ProtocolError:
            (code, message) = (error.code.description, error.message)
        case is CancellationError:
            (code, message) = ("interrupted", "Interrupted.")
        default:
            let isUsage = status == .usage
            (code, message) = (isUsage ? "usage" : "failure", ParserError(error).message)
        }
        hints = (hinted?.hints ?? []) + hints
        told = hinted?.told
    }

    var payloads: [JSONObject] {
        [
            [
                "type": severity.rawValue,
                "code": code,
                "message": message,
                "remedy": typedRemedy,
                "hints": hints.isEmpty ? nil : hints.map(\.typed.string),
                "exitCode": severity == .error ? status.rawValue : nil,
            ]
        ]
    }

    /// The remedy for programs, complete by itself.
    var typedRemedy: String? { remedy.map { Wording.sentence($0.typed, naming: hints.map(\.typed.string)) } }

    var text: DisplayText { text(of: told == nil ? headline : told == message ? "" : "\(message)") }

    /// The message alone.
    var headline: DisplayText {
        let lead: DisplayText = severity == .error ? "\("hikeshare:", .alarm)" : "\("hikeshare: warning:", .caution)"
        // What the person has just asked for is no error.
        return status == .interrupted ? "\(message)" : "\(lead) \(message)"
    }

    private func text(of what: DisplayText) -> DisplayText {
        let advice = remedy.map { [DisplayText(escaping: $0.typed)] } ?? []
        let rest = hints.map { "  - \($0.typed)" } + (kept.map { [$0.text] } ?? [])
        let after = (advice + rest).joined(separator: "\n")
        return after.isEmpty || what.isEmpty ? "\(what)\(after)" : "\(what)\n\(after)"
    }
}

extension Console {
    /// Tells a person something that is not a result; programs get a warning.
    ///
    /// - Parameters:
    ///   - text: What a person reads.
    ///   - code: The code of the warning.
    ///   - message: The message of the warning.
    ///   - remedy: What to do.
    func note(_ text: DisplayText, _ code: CommandError.Code, _ message: String, remedy: String? = nil) {
        guard format == .json else { return note(text) }
        warn(ProblemReport(CommandError(code, message, remedy: remedy.map { Remedy($0) }), severity: .warning))
    }
}

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
        _exit(ExitStatus(error).rawValue)
    }

    /// Returns whether an error comes from the argument parser, including help and version.
    private static func isFromParser(_ error: any Error) -> Bool {
        switch error {
        case is CommandError, is any SharingError, is IncompleteReception, is PeerError, is RegionStoreError,
            is ProtocolError, is NetworkManagerError, is CancellationError:
            false
        default: ParserError(error).exitCode != .failure
        }
    }
}
