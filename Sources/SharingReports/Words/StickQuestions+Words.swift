import PeerCore
package import RegionSharing
import RegionStore

extension StickRecipientQuestion {
    /// Who has written the request, and what is personal.
    package var introduction: DisplayText {
        let request = recipient.request
        let who: DisplayText =
            "Request of \(recipient.title), \(Wording.day(request.date)), id \(request.signer.short)"
        return [who, personal.words].compactMap { $0 }.joined(separator: "\n")
    }

    package var question: DisplayText {
        let what: DisplayText = regions.count == 1 ? "\(DisplayText(quoting: regions[0]))" : "\(regions.count) regions"
        return "Write \(what) for this machine?"
    }
}

extension StickAnyoneQuestion {
    package var question: DisplayText {
        let what: DisplayText = regionCount == 1 ? "the region" : "the regions"
        return "Write \(what) for anyone who has the link?"
    }
}

extension StickRequestQuestion {
    package var introduction: DisplayText {
        "No file on the stick is for this machine. A request says which maps you have."
    }

    package var question: DisplayText { "Write a request to this stick?" }
}
