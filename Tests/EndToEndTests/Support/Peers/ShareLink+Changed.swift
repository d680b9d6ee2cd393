import PeerCore
import Testing

extension ShareLink {
    /// The secret of a link, as it is in the link and in the protocol.
    static func token(in link: String) throws -> String {
        try ShareLink(parsing: link, for: .hikeshare).token.text
    }

    /// Returns a link of an application with another secret.
    static func withOtherToken(_ link: String, for application: PeerServiceType = .hikeshare) throws -> String {
        let link = try ShareLink(parsing: link, for: application)
        return try link.naming(link.sender.bytes, with: .random(), for: application)
    }

    /// Returns a link that names another key.
    static func withOtherKey(_ link: String) throws -> String {
        let link = try ShareLink(parsing: link, for: .hikeshare)
        return try link.naming(link.sender.bytes.reversed(), with: link.token)
    }

    private func naming(
        _ prefix: [UInt8],
        with token: ShareToken,
        for application: PeerServiceType = .hikeshare
    ) throws -> String {
        // Only the start of the id is in a link.
        let bytes = prefix + [UInt8](repeating: 0, count: 16)
        let digest = try #require(bytes.withUnsafeBytes { ContentDigest(bytes: $0) })
        return try ShareLink(for: application, addresses: addresses, id: PeerID(digest: digest), token: token).text
    }
}
