import PeerCore
import PeerProtocol

/// A link that somebody pastes or types.
enum ShareLinkBody {
    private static let application = PeerServiceType(known: "hikeshare", defaultPort: 64_453)

    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let text = String(validating: input, as: UTF8.self),
            let link = try? ShareLink(parsing: text, for: application)
        else {
            return
        }
        let scheme = ShareLink.scheme(of: application)
        try require(link.text.utf8.count <= ShareLink.maximumLength, "a link is too long")
        try require((1...ShareLink.maximumAddressCount).contains(link.addresses.count), "too many addresses, or none")
        let typed = Base32.normalized(text.utf8.dropFirst(scheme.utf8.count))
        try require(typed.elementsEqual(link.text.utf8.dropFirst(scheme.utf8.count)), "a link has two forms")
        let again = try requireSuccess("a link that was read cannot be read again") {
            try ShareLink(parsing: link.text, for: application)
        }
        try require(again == link, "a link changes when it is written and read")
        let secret = link.token.text
        try require(!"\(link) \(String(reflecting: link))".contains(secret), "a description shows the secret")
        let id = PeerID(digest: ContentDigest(hashing: input))
        let made = try requireSuccess("a link that was read cannot be made") {
            try ShareLink(for: application, addresses: link.addresses, id: id, token: link.token)
        }
        try require(made.addresses == link.addresses, "addresses change when a link is made of them")
    }
}
