/// The service type under which the peers of an application are announced, such as `_notes._tcp` (DNS-SD, RFC 6763, section 4.1.2),
/// and the port on which its senders usually listen.
public struct PeerServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The name without underscore and transport: 1 to 15 of `a`–`z`, `0`–`9` and `-`, a letter first.
    public let name: String

    /// The port on which senders of this application listen if nothing else is asked for; nil for none.
    ///
    /// Share links leave it out, and people can open it in a firewall once. Choose a port of 61000 to 65535: these are
    /// in the dynamic range (RFC 6335, section 6), and Linux does not use them for outgoing connections.
    public let defaultPort: Int?

    /// Creates a service type; nil if the name or the port is not valid.
    ///
    /// - Parameters:
    ///   - name: The name without underscore and transport.
    ///   - defaultPort: The port on which senders usually listen, 1 to 65535; nil for none.
    public init?(_ name: String, defaultPort: Int? = nil) {
        do {
            try self.init(validating: name, defaultPort: defaultPort)
        } catch {
            return nil
        }
    }

    /// Creates a service type, or says why the name or the port is not valid.
    ///
    /// - Parameters:
    ///   - name: The name without underscore and transport.
    ///   - defaultPort: The port on which senders usually listen, 1 to 65535; nil for none.
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument`` that says which rule is broken.
    public init(validating name: String, defaultPort: Int? = nil) throws(PeerError) {
        if let fault = Self.fault(of: name) {
            throw PeerError(
                .invalidArgument,
                "The name of a service type \(fault).",
                remedy: "Use 1 to \(Self.maximumLength) of a–z, 0–9 and -, beginning with a letter, such as “notes”."
            )
        }
        if let defaultPort, !(1...65_535).contains(defaultPort) {
            throw PeerError(
                .invalidArgument,
                "\(defaultPort) is not a port.",
                remedy: "Use a port from 1 to 65535, best one from 61000 on."
            )
        }
        self.name = name
        self.defaultPort = defaultPort
    }

    private static let maximumLength = 15

    /// Which rule a name breaks (RFC 6335, section 5.1), as the rest of a sentence; nil if it breaks none.
    private static func fault(of name: String) -> String? {
        let bytes = Array(name.utf8.prefix(maximumLength + 1))
        guard let first = bytes.first, let last = bytes.last else { return "must not be empty" }
        guard bytes.count <= maximumLength else { return "must not be longer than \(maximumLength) characters" }
        guard bytes.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }) else {
            return "may have only the characters a–z, 0–9 and -, not \(name.debugDescription)"
        }
        guard isLetter(first) else { return "must begin with a letter, not \(name.debugDescription)" }
        guard last != UInt8(ascii: "-") else { return "must not end with -, as \(name.debugDescription) does" }
        guard !name.contains("--") else { return "must not have two - in a row, as \(name.debugDescription) does" }
        return nil
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
