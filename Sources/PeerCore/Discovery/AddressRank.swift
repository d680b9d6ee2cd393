import NIOCore

/// The rank of an address; addresses with a lower rank are tried first.
struct AddressRank: Comparable {
    private let interface: InterfaceRank
    private let isLinkLocal: Bool
    private let isIPv6: Bool
    private let text: String

    /// Ranks an address.
    ///
    /// The kind of interface counts first. On the same kind of interface, addresses of a network come before link-local
    /// addresses, and IPv4 comes before IPv6.
    init(_ address: SocketAddress, over interface: InterfaceRank) {
        self.interface = interface
        self.isLinkLocal = Self.isLinkLocal(address)
        if case .v6 = address { self.isIPv6 = true } else { self.isIPv6 = false }
        self.text = address.displayText
    }

    static func < (left: AddressRank, right: AddressRank) -> Bool {
        (left.interface.rawValue, left.isLinkLocal ? 1 : 0, left.isIPv6 ? 1 : 0, left.text)
            < (right.interface.rawValue, right.isLinkLocal ? 1 : 0, right.isIPv6 ? 1 : 0, right.text)
    }

    private static func isLinkLocal(_ address: SocketAddress) -> Bool {
        address.ipAddress?.hasPrefix("169.254.") == true || address.isLinkLocal
    }
}
