import PeerCore

/// Where the page for phones is.
public struct PhonePageAddress: Hashable, Sendable {
    /// The port.
    public var port: Int
    /// The path, which begins with a secret.
    public var path: String
    /// The only address at which the page can be opened; nil for each of the sender.
    public var host: String?

    /// Creates it.
    public init(port: Int, path: String, host: String? = nil) {
        (self.port, self.path, self.host) = (port, path, host)
    }

    /// Returns the addresses of the page in the order of addresses of the sender.
    ///
    /// Browsers need a port that is the page's, and cannot open IPv6 link-local addresses.
    ///
    /// - Parameter addresses: The addresses of the sender, with its port.
    /// - Returns: The addresses of the page; empty without IPv4.
    public func urls(for addresses: [String]) -> [String] {
        var hosts = host.map { [$0] } ?? []
        for address in ShareLinkAddresses.usable(addresses) where host == nil && !address.host.contains(":") {
            if !hosts.contains(address.host) { hosts.append(address.host) }
        }
        return hosts.map { "http://\($0):\(port)\(path)" }
    }
}
