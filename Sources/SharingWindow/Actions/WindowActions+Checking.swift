import MapPages
import PeerCore
import RegionSharing
import SharingReports
import WebServer

extension WindowActions {
    /// Finding out what hinders sharing.
    var checking: [String: AppWindowAction] {
        struct Wish: Decodable {
            /// The address or the share link of another machine.
            var to: String?
        }
        return [
            "check": AppWindowAction(Wish.self) { wish in
                let text = (wish.to ?? "").split(whereSeparator: \.isWhitespace).joined()
                guard !text.isEmpty else { return desk.begin(CheckingJob(at: desk)) }
                guard let addresses = Self.addresses(text) else {
                    return WebResponse(
                        .badRequest,
                        "That is neither an address nor a share link. Paste the share link that the other machine shows."
                    )
                }
                return desk.begin(CheckingJob(at: desk, addresses: addresses))
            }
        ]
    }

    private static func addresses(_ text: String) -> [PeerAddress]? {
        if ShareLink.isTyped(text, for: .hikeshare) {
            return (try? ShareLink(typed: text, for: .hikeshare))?.addresses
        }
        return PeerAddress(typed: text, for: .hikeshare).map { [$0] }
    }
}
