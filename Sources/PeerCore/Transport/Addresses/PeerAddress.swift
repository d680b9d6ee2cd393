public import NIOCore
import NIOPosix

/// An address and port in the form that people write.
public struct PeerAddress: Hashable, Sendable {
    /// The host: a name, an IPv4 address, or an IPv6 address with its zone where it has one.
    public var host: String
    /// The port, from 1.
    public var port: Int

    /// Creates an address; the host of an IPv6 address has no brackets.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[IPV6%ZONE]:PORT`; nil for anything else.
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
            // An IPv6 address without brackets: where it ends is a guess.
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// Looks the host up.
    ///
    /// A link-local address without a zone stands for itself on every network of this machine.
    ///
    /// - Returns: The addresses of the host, the most promising first; at least one.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if the host is not known; `CancellationError` as soon
    ///   as the task is cancelled.
    public func resolve() async throws -> [SocketAddress] {
        if !host.contains("%"), let everywhere = onEveryNetwork(), !everywhere.isEmpty {
            return everywhere.map(\.address)
        }
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

    /// A link-local address on every network of this machine, whatever zone it names, in the system's order; nil for any
    /// other address.
    func onEveryNetwork() -> [(address: SocketAddress, rank: InterfaceRank)]? {
        let bare = host.prefix { $0 != "%" }
        guard host.contains(":"), let address = try? SocketAddress(ipAddress: String(bare), port: port),
            address.isLinkLocal
        else { return nil }
        var zones: [String] = []
        for device in (try? System.enumerateDevices()) ?? [] {
            guard let own = device.address, own.isLinkLocal, !zones.contains(device.name) else { continue }
            zones.append(device.name)
        }
        // Numbers only: no name server is asked.
        return zones.compactMap { zone in
            let address = try? SocketAddress.makeAddressResolvingHost("\(bare)%\(zone)", port: port)
            return address.map { ($0, InterfaceRank(of: zone)) }
        }
    }
}
