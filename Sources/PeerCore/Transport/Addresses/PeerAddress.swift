import HostNetwork
package import NIOCore

/// An address and a port, as people write them.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host: a name, an IPv4 address, or an IPv6 address without brackets, with its zone if it has one.
    public var host: String
    /// The port, from 1 to 65535.
    public var port: Int

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: The host, without brackets.
    ///   - port: The port, from 1 to 65535.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address of the form `HOST:PORT` or `[IPV6%ZONE]:PORT`; nil for any other text.
    public init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // Without brackets, the end of an IPv6 address is ambiguous.
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// The address of a socket; nil if it is no IP address.
    package init?(_ address: SocketAddress) { self.init(parsing: address.displayText) }

    /// The address and the port as people write them, which ``init(parsing:)`` reads: `192.168.1.7:4711`, `[fe80::1%eth0]:4711`.
    public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The same as ``text``.
    public var description: String { text }

    /// Looks up the host.
    ///
    /// A link-local address without a zone is used on every network of this machine.
    ///
    /// - Returns: The addresses of the host, the most promising first; at least one.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if the host cannot be found; `CancellationError` as soon
    ///   as the task is cancelled.
    package func resolve() async throws -> [SocketAddress] {
        if !host.contains("%"), let everywhere = onEveryNetwork(), !everywhere.isEmpty {
            return everywhere.map(\.address)
        }
        // A number needs no name service, and no thread that waits for one.
        if let address = try? SocketAddress(ipAddress: host, port: port), !address.isLinkLocal { return [address] }
        do {
            return try await NameLookup().addresses(of: host, port: port)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw PeerError(
                .cannotConnect,
                "The host \(host) cannot be found.",
                remedy: "Use the address that the sender shows.",
                cause: error
            )
        }
    }

    /// Returns a link-local address on every network of this machine, whatever its zone, in the order of the system; nil for
    /// any other address.
    func onEveryNetwork() -> [(address: SocketAddress, rank: InterfaceRank)]? {
        guard let bare = IPAddress(host), bare.needsZone else { return nil }
        let interfaces = HostInterface.all().filter { $0.addresses.contains(where: \.address.needsZone) }
        return interfaces.compactMap { interface in
            // The host is numeric, so no name server is asked.
            let address = try? SocketAddress.makeAddressResolvingHost("\(bare)%\(interface.name)", port: port)
            return address.map { ($0, InterfaceRank(of: interface.name)) }
        }
    }
}
