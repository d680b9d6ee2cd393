import NetworkManager
import PeerCore
package import RegionSharing
import RegionStore
package import Sentences

/// An error or warning for a person or a program.
package struct ProblemReport: ObjectReport {
    /// The severity of a problem.
    package enum Severity: String {
        case error
        case warning
    }

    package var severity = Severity.error
    package var code: String
    package var message: Sentence
    package var remedy: Remedy?
    package var hints: [Hint] = []
    /// What is kept for the next attempt; nil if nothing is kept or the amount is unknown. (JSON has it in other lines.)
    package var kept: KeptFiles?
    /// The message that a person has read already; nil for none.
    package var told: Sentence?
    package var status: ExitStatus

    /// Describes an error.
    package init(_ error: any Error, severity: Severity = .error) {
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
            (code, message, remedy) = (
                error.code.description, Sentence(known: error.message), ProgramRemedy.forTransfer(error)
            )
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
            (code, message, remedy) = (
                error.code.description, Sentence(known: error.message), error.remedy.map { Remedy(known: $0) }
            )
        case let error as NetworkManagerError:
            (code, message, remedy) = (
                error.code.rawValue, Sentence(known: error.message), ProgramRemedy.forNetwork(error)
            )
        case let error as ProtocolError:
            (code, message) = (error.code.description, Sentence(known: error.message))
        case is CancellationError:
            (code, message) = ("interrupted", Sentence("Interrupted."))
        default:
            (code, message) = ("failure", Sentence(verbatim: "\(error)"))
        }
        hints = (hinted?.hints ?? []) + hints
        told = hinted?.told
    }

    package var json: JSONObject {
        [
            "type": severity.rawValue,
            "code": code,
            "message": message.english,
            "remedy": typedRemedy,
            "hints": hints.isEmpty ? nil : hints.map(\.typed.english),
            "exitCode": severity == .error ? status.rawValue : nil,
        ]
    }

    /// The remedy for programs, complete by itself.
    package var typedRemedy: String? {
        remedy.map { Wording.sentence($0.typed.english, naming: hints.map(\.typed.english)) }
    }

    package var text: DisplayText { text(of: told == nil ? headline : told == message ? "" : "\(message)") }

    /// The message alone.
    package var headline: DisplayText {
        let lead: DisplayText =
            severity == .error ? "\("hikeshare:", .alarm)" : "\("hikeshare: warning:" as DisplayText, .caution)"
        // What the person has just asked for is no error.
        return status == .interrupted ? "\(message)" : "\(lead) \(message)"
    }

    private func text(of what: DisplayText) -> DisplayText {
        let advice = remedy.map { [DisplayText($0.typed)] } ?? []
        let rest = hints.map { "  - \($0.typed)" } + (kept.map { [$0.text] } ?? [])
        let after = (advice + rest).joined(separator: "\n")
        return after.isEmpty || what.isEmpty ? "\(what)\(after)" : "\(what)\n\(after)"
    }
}
