import PeerCore
package import RegionSharing
import Sentences

extension FindingError: WordedError {
    package var words: CommandError {
        switch self {
        case .noSender(let search, let others) where !others.isEmpty:
            CommandError(
                .noPeerFound,
                search.timeInWords.map { time in
                    "Found other senders within \(time), but not “\(search.query ?? "")”."
                } ?? "Found other senders, but not “\(search.query ?? "")”.",
                typed: "Name one of them:",
                window: "There are:",
                hints: others.map { Hint($0.line(among: search.trustedPeers)) }
            )
        case .noSender(let search, _):
            CommandError(
                .noPeerFound,
                search.timeInWords.map { "Found no sender within \($0)." } ?? "Found no sender.",
                remedy: "Check:",
                hints: CommandError.whatToCheck
            )
        case .several(let search, let peers):
            CommandError(
                .ambiguous,
                "Found several senders and cannot ask which one you mean.",
                typed: "Name one of them:",
                window: "There are:",
                hints: peers.map { Hint($0.line(among: search.trustedPeers)) }
            )
        case .noneChosen: CommandError(.declined, "No sender was chosen; nothing was received.")
        case .noLink: CommandError(.declined, "No share link was given; nothing was received.")
        }
    }
}

extension SenderSearch {
    /// The time limit; nil if there is none.
    fileprivate var timeInWords: String? { timeout.map { Wording.duration($0) } }

    /// Returns what a person can do while the search continues.
    package func advice(others: [DisplayText], hints: [DisplayText] = [], stopping: DisplayText) -> DisplayText {
        guard let query, !others.isEmpty else {
            let hints = hints.map { "  - \($0)" as DisplayText }.joined(separator: "\n")
            return "Found no sender yet. The search continues until you \(stopping). Meanwhile, check:\n\(hints)"
        }
        let names = others.map { "  - \($0)" as DisplayText }.joined(separator: "\n")
        return """
            Found no sender “\(query)” yet. The search continues until you \(stopping). These senders were found:
            \(names)
            """
    }
}

extension CommandError {
    /// The reasons why two machines may not discover each other.
    package static var whatToCheck: [Hint] {
        [
            .typed(
                "Is 'hikeshare send' running on the other laptop?",
                window: "Is the other laptop sending? There, open hikeshare and choose “Send …” below a map."
            ),
            "Are both on the same Wi-Fi or cable, and no VPN is on?",
            "Some public networks and firewalls keep laptops apart: use a phone's hotspot or a cable.",
            .typed(
                "The share link that 'send' shows may still work:  \("hikeshare receive --link", .command)",
                window:
                    "The share link that the sender shows may still work: choose “Other ways” and “I have a share link”."
            ),
            .typed("To find out more, on both laptops:  \("hikeshare doctor", .command)", window: nil),
        ]
    }
}
