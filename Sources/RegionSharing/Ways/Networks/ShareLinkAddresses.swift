package import PeerCore

/// Makes the share link to a sender.
package struct ShareLinkAddresses: Sendable {
    /// The maximum number of addresses; more would make the share link long, and the last ones hardly ever help.
    package static let maximumCount = 6

    /// The number of characters in a QR code of version 4 with the lowest level of correction (ISO/IEC 18004, table 7).
    ///
    /// With its margin, this code fits into 80 × 24 characters.
    package static let usefulLength = 114

    var application: PeerServiceType
    var id: PeerID
    var token: ShareToken
    /// The Wi-Fi network of the sender; nil for none.
    var network: ShareLinkNetwork?

    /// Returns the share link with the best addresses; nil if there is no address.
    ///
    /// Addresses that would make the QR code too large are left out, but for the first one.
    package func link(to texts: [String]) -> ShareLink? {
        let usable = Self.usable(texts)
        for count in stride(from: usable.count, to: 0, by: -1) {
            let addresses = Array(usable.prefix(count))
            guard
                let link = try? ShareLink(
                    for: application,
                    addresses: addresses,
                    id: id,
                    token: token,
                    network: network
                )
            else { continue }
            if link.text.utf8.count <= Self.usefulLength || count == 1 { return link }
        }
        return nil
    }

    /// Returns the addresses that can stand in a share link, the best first.
    ///
    /// A link-local address has no zone in a share link. The zone is the name of an interface of the receiver, which
    /// the sender does not know, so the receiver tries all its interfaces.
    package static func usable(_ texts: [String]) -> [PeerAddress] {
        var addresses: [PeerAddress] = []
        for text in texts {
            guard var address = PeerAddress(parsing: text) else { continue }
            address.host = String(address.host.prefix { $0 != "%" })
            if !addresses.contains(address) { addresses.append(address) }
        }
        return Array(addresses.prefix(maximumCount))
    }
}
