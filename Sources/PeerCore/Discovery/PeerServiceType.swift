/// The service type under which the peers of an application are announced, such as `_notes._tcp` (DNS-SD, RFC 6763, section 4.1.2),
/// and the port on which its senders usually listen.
public struct PeerServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The name without underscore and transport: 1 to 15 of `a`–`z`, `0`–`9` and `-`, a letter first.
    public let name: String

    /// The port on which senders of this application listen if nothing else is asked for; nil for none.
    ///
    /// Links leave it out, and people can open it in a firewall once. Choose a port of 61000 to 65535: these are in the dynamic
    /// range (RFC 6335, section 6), and Linux does not use them for outgoing connections.
    public let defaultPort: Int?

    /// Creates a service type; nil if the name or the port is not valid.
    ///
    /// - Parameters:
    ///   - name: The name without underscore and transport.
    ///   - defaultPort: The port on which senders usually listen, 1 to 65535; nil for none.
    public init?(_ name: String, defaultPort: Int? = nil) {
        let bytes = Array(name.utf8)
        guard (1...15).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            Self.isLetter(first), last != UInt8(ascii: "-"), !name.contains("--"),
            bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }),
            defaultPort.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        self.name = name
        self.defaultPort = defaultPort
    }

    /// Creates a service type from a name and a port that are known to be valid.
    package init(known name: StaticString, defaultPort: Int? = nil) {
        self.name = name.description
        self.defaultPort = defaultPort
    }

    /// The service type with its underscores and transport, such as `_notes._tcp`.
    public var description: String { "_\(name)._tcp" }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
