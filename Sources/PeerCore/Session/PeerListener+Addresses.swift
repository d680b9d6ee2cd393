import NIOCore

extension PeerListener {
    /// Where peers can reach this listener, as people write it: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    ///
    /// The addresses of networks come first, those that need a zone after them, those of this machine alone last. What
    /// stands here is right now; a network may come or go any time.
    public var reachableAddresses: [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        var addresses: [(rank: Int, text: String)] = []
        for device in devices {
            guard var address = device.address, address.ipAddress != nil else { continue }
            address.port = port
            let text = address.displayText(zone: device.name)
            guard !addresses.contains(where: { $0.text == text }) else { continue }
            addresses.append((address.reachabilityRank, text))
        }
        // Stable: interfaces stay in the system's order.
        return (0...3).flatMap { rank in addresses.filter { $0.rank == rank }.map(\.text) }
    }
}

extension SocketAddress {
    fileprivate var reachabilityRank: Int {
        guard let ipAddress else { return 3 }
        switch self {
        case .v4: return ipAddress.hasPrefix("127.") ? 3 : 0
        case .v6 where ipAddress == "::1": return 3
        case .v6: return isLinkLocal ? 2 : 1
        case .unixDomainSocket: return 3
        }
    }

    /// Whether the address is only good together with a zone.
    var isLinkLocal: Bool {
        guard case .v6 = self else { return false }
        // fe80::/10 (RFC 4291, section 2.4).
        guard let first = ipAddress?.lowercased().split(separator: ":", omittingEmptySubsequences: false).first,
            let bits = UInt16(first, radix: 16)
        else { return false }
        return bits & 0xFFC0 == 0xFE80
    }

    /// The text form, with a zone if the address needs one and does not have it.
    fileprivate func displayText(zone: String) -> String {
        guard case .v6 = self, isLinkLocal, scopeIndex == 0, let ipAddress, let port else { return displayText }
        return "[\(ipAddress)%\(zone)]:\(port)"
    }
}
