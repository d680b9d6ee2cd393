import PeerCore

/// Chooses the addresses that a link names.
enum LinkAddresses {
    /// Enough for every network that a laptop is in; more would make the QR code hard to read.
    static let maximumCount = 6

    /// Returns the addresses at which others may reach this machine, the best first; those of this machine alone only if
    /// there are no others.
    ///
    /// A link-local address goes without its zone. The zone is the name of an interface of the machine that uses the
    /// address, which this one cannot know: the receiver tries all that it has.
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
