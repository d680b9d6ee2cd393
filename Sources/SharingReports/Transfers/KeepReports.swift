import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore

/// What `receive --keep` has changed, in one line.
package struct KeepReport: Report {
    package var received: ReceivedRegion

    /// Creates the value.
    package init(received: ReceivedRegion) {
        self.received = received
    }

    package var payloads: [JSONObject] { received.payloads }

    package var text: DisplayText {
        let text = received.text
        return text.slice(0..<(text.string.split(separator: "\n").first.map { $0.utf8.count } ?? 0))
    }
}

extension KeepLeftOut: Report {
    package var payloads: [JSONObject] {
        [
            [
                "type": "notTaken",
                "peer": peer.json,
                "regionID": region.id.uuidString,
                "regionName": region.name,
                "reason": reason.word,
                "kinds": kinds.isEmpty ? nil : ResourceKind.shown.filter(kinds.contains).map(\.rawValue),
                "maps": ages?.json,
            ]
        ]
    }

    package var text: DisplayText { text(typed: true) }

    /// What was left out and why, with advice for a terminal or for the window.
    package func text(typed: Bool) -> DisplayText {
        let name = DisplayText(quoting: region.name)
        let reasonWords: DisplayText = typed ? reason.text.typed : reason.text.window ?? ""
        let parts = Wording.list(ResourceKind.shown.filter(kinds.contains).map(\.words))
        if reason == .ownEdits {
            return "Your edited \(parts) of \(name) stay, not those from \(peer.name); \(reasonWords)"
        }
        let what: DisplayText = kinds.isEmpty ? "Left out: \(name)" : "Left out of \(name): \(parts)"
        let why: DisplayText =
            [.olderMap, .unknownAge].contains(reason) ? ages.map { " (\($0.words))" } ?? "" : ""
        return "\(what) from \(peer.name); \(reasonWords)\(why)"
    }
}

extension KeepRule.Reason {
    /// The word for programs.
    package var word: String {
        switch self {
        case .notTrusted: "notTrusted"
        case .notHere: "notHere"
        case .anotherArea: "anotherArea"
        case .tooManyTiles: "tooManyTiles"
        case .olderMap: "olderMap"
        case .unknownAge: "unknownAge"
        case .anotherSigner: "anotherSigner"
        case .ownEdits: "ownEdits"
        }
    }

    fileprivate var text: Hint {
        switch self {
        case .notTrusted: "the machine is not trusted"
        case .notHere: .typed("you do not have it (to take it: --all)", window: "you do not have it")
        case .anotherArea: "it covers a different area than yours"
        case .tooManyTiles: "it and your map have too many tiles together"
        case .olderMap: "your map is as new or newer"
        case .unknownAge: "which map is newer is not known"
        case .anotherSigner: "your map would lose its signature"
        case .ownEdits:
            .typed(
                "to decide again, run  \("hikeshare receive", .command)",
                window: "to decide again, choose “Receive a map”"
            )
        }
    }
}
