import PeerCore

/// Selects the addresses of a link.
enum LinkAddresses {
    /// The maximum number of addresses.
    ///
    /// More would make the QR code hard to read.
    static let maximumCount = 6

    /// Returns the addresses at which other machines may reach this one, the best first.
    ///
    /// Loopback addresses are used only if there are no others.
    ///
    /// A link-local address has no zone in a link. The zone is the name of an interface of the receiver, which the sender does
    /// not know, so the receiver tries all its interfaces.
    static func usable(_ texts: [String]) -> [PeerAddress] {
        var addresses: [PeerAddress] = []
        for text in texts {
            guard var address = PeerAddress(parsing: text) else { continue }
            address.host = String(address.host.prefix { $0 != "%" })
            if !addresses.contains(address) { addresses.append(address) }
        }
        let outside = addresses.filter { !isLoopback($0.host) }
        return Array((outside.isEmpty ? addresses : outside).prefix(maximumCount))
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host.hasPrefix("127.")
    }
}
