import ArgumentParser
import PeerCore
import RegionStore

/// An error or warning, as it is told.
struct ProblemReport: Report {
    /// How bad it is.
    enum Severity: String {
        case error
        case warning
    }

    var severity = Severity.error
    var code: String
    var message: String
    var remedy: String?
    var hints: [DisplayText] = []
    var status: ExitStatus

    /// Describes an error.
    init(_ error: any Error, severity: Severity = .error) {
        self.severity = severity
        status = ExitStatus(error)
        switch error {
        case let error as CommandError:
            (code, message, remedy) = (error.code.rawValue, error.message, error.remedy)
            hints = error.hints
        case let error as PeerError:
            (code, message, remedy) = (error.code.description, error.message, ProgramRemedy.forSession(error))
            if error.code == .discoveryUnavailable {
                hints = ["The link that 'send' shows works without discovery:  hikeshare receive -"]
            }
        case let error as RegionStoreError:
            (code, message, remedy) = (error.code.description, error.message, error.remedy)
        case let error as ProtocolError:
            (code, message) = (error.code.description, error.message)
        case is CancellationError:
            (code, message) = ("interrupted", "Interrupted.")
        default:
            let isUsage = status == .usage
            (code, message) = (isUsage ? "usage" : "failure", ParserError(error).message)
        }
    }

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                type: severity.rawValue,
                code: code,
                message: message,
                remedy: remedy,
                hints: hints.isEmpty ? nil : hints.map(\.string),
                exitCode: severity == .error ? status.rawValue : nil
            )
        ]
    }

    var text: DisplayText {
        let lead: DisplayText = severity == .error ? "hikeshare: " : "hikeshare: warning: "
        let what = lead + DisplayText(escaping: message)
        let lines = [what] + (remedy.map { [DisplayText(escaping: $0)] } ?? []) + hints.map { "  - \($0)" }
        return lines.joined(separator: "\n")
    }

    private struct Payload: Encodable {
        var type: String
        var code: String
        var message: String
        var remedy: String?
        var hints: [String]?
        var exitCode: Int32?
    }
}
