/// The service type under which the peers of an application are announced, such as `_notes._tcp` (DNS-SD, RFC 6763, section 4.1.2).
public struct PeerServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The name without underscore and transport: 1 to 15 of `a`–`z`, `0`–`9` and `-`, a letter first.
    public let name: String

    /// Creates a service type; nil if the name is not valid.
    public init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard (1...15).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            Self.isLetter(first), last != UInt8(ascii: "-"), !name.contains("--"),
            bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.name = name
    }

    /// Creates a service type from a name that is known to be valid.
    package init(known name: StaticString) {
        self.name = name.description
    }

    /// The service type with its underscores and transport, such as `_notes._tcp`.
    public var description: String { "_\(name)._tcp" }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
