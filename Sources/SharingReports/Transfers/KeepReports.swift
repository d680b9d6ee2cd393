import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore

extension KeepLeftOut: ObjectReport {
    package var json: JSONObject {
        [
            "type": "notTaken",
            "peer": peer.json,
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "reason": reason.rawValue,
            "kinds": kinds.isEmpty ? nil : ResourceKind.shown.filter(kinds.contains).map(\.json),
            "maps": ages?.json,
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
