package import MapPages
import PeerCore
import RegionSharing
package import SharingReports

extension ProblemReport {
    /// The problem for the window, where people do not type commands: what went wrong, and what helps there.
    package var windowText: DisplayText {
        let shown = hints.compactMap(\.window)
        // A remedy that introduces a list is nothing without it.
        let words = remedy?.window.map { DisplayText($0).string }
        let advice = words.map { shown.isEmpty ? Wording.sentence($0, naming: []) : $0 }
        var lines: [DisplayText] = ["\(message)"]
        if let advice { lines.append(DisplayText(escaping: advice)) }
        lines += shown.map { "  - \($0)" }
        if let kept { lines += [kept.words, "To resume, choose “Receive a map” again."] }
        return lines.joined(separator: "\n")
    }
}

extension ProblemReport {
    /// Whether the cause of an error may be in the network, and is not known.
    static func isUnexplained(_ error: any Error) -> Bool {
        switch error {
        case let error as HintedError: error.hints.isEmpty && isUnexplained(error.underlying)
        case let error as IncompleteReception: isUnexplained(error.underlying)
        case let error as PeerError:
            [.connectionLost, .timedOut, .cannotConnect, .outcomeUnknown, .discoveryUnavailable].contains(error.code)
        case FindingError.noSender: true
        default: false
        }
    }
}

extension AppWindowText {
    /// Creates what the window says of an error.
    package init(problem error: any Error) { self.init(ProblemReport(error).windowText) }
}
