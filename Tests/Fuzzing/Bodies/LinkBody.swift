import PeerCore

/// A link that somebody pastes.
enum LinkBody {
    private static let application = PeerServiceType(known: "hikeshare")

    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let text = String(validating: input, as: UTF8.self),
            let link = try? PeerLink(parsing: text, for: application)
        else {
            return
        }
        try require(link.text.utf8.count <= PeerLink.maximumLength, "a link is too long")
        try require((1...PeerLink.maximumAddressCount).contains(link.addresses.count), "too many addresses, or none")
        try require(link.text == text && !text.utf8.contains { $0 < 0x20 }, "a link has two forms")
        let again = try requireSuccess("a link that was read cannot be read again") {
            try PeerLink(parsing: link.text, for: application)
        }
        try require(again == link, "a link changes when it is written and read")
        let secret = link.token.text
        try require(!"\(link) \(String(reflecting: link))".contains(secret), "a description shows the secret")
        _ = try requireSuccess("a link that was read cannot be made") {
            try PeerLink(for: application, addresses: link.addresses, id: link.id, token: link.token)
        }
    }
}
