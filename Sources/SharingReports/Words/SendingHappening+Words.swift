package import PeerCore
package import RegionSharing
import RegionStore
import Sentences

extension SendingHappening {
    /// What a person reads of it in a sentence, the same for every face; nil if it is told in another way.
    package var note: DisplayText? {
        switch self {
        case .withheldPhotos(let count):
            let photos = Wording.count(count, "photo")
            return "Not sent: \(photos) of which the camera, the place and the time cannot be taken out."
        case .advertised(let name, isBack: true):
            return "Discovery works again; this machine is announced as \(name)"
        case .renamed(let name): return "Another machine nearby has this name; this one is now announced as \(name)"
        case .withdrawn: return "Discovery stopped; the share link and the addresses still work"
        case .changed(let region, .removed):
            return "\(DisplayText(quoting: region.name)) was removed here. Receivers still get it until you stop."
        case .changed(let region, _):
            return
                "\(DisplayText(quoting: region.name)) was changed here. Receivers still get the old version: stop, and send it again."
        case .unreachable(let receiver): return receiver.cause.finding.hint.window
        case .served: return "No receiver has come for a while; no longer sending."
        case .outside(let source, let receiver):
            return source.outsideWords.map { words in
                receiver.map { "Not sent to \($0.name): \(words)" } ?? "Not sent: \(words)."
            }
        default: return nil
        }
    }

    /// The problem that it tells of; nil if it tells of none.
    package var warning: (any Error)? {
        switch self {
        case .leftOut(let region, var error):
            error.message = "“\(region.name)” is left out: \(error.message)"
            return error
        case .missingRouting(let region):
            return CommandError(
                .storage,
                "The routing file of “\(region.name)” is missing; the region is sent without it.",
                typed: "Import the map again with --routing FILE.",
                window: "Import the map and its routing file again."
            )
        default: return nil
        }
    }
}

extension RegionSource {
    /// The items that are not sent because they lie outside the part of the map; nil if there are none.
    fileprivate var outsideWords: DisplayText? {
        let kinds = ResourceKind.shown.compactMap { kind in outside[kind].map { kind.words(count: $0) } }
        return kinds.isEmpty ? nil : "\(Wording.list(kinds)) of \(DisplayText(quoting: region.name)) outside the part"
    }
}

extension PeerError {
    /// The error, which leaves out one of several regions.
    package func leavingOut(_ name: String) -> PeerError {
        saying("“\(name)” is left out. \(message)")
    }
}
