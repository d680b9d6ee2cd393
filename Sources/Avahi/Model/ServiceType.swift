/// The type of a service, such as `_http._tcp`: the application protocol and the transport.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The transport in a service type.
    public enum Transport: String, Sendable, CaseIterable {
        /// TCP.
        case tcp
        /// UDP or any other transport.
        case udp
    }

    /// The name without the underscore.
    public let name: String

    /// The transport.
    public let transport: Transport

    /// The form in which the type is published, `_name._tcp`.
    public var description: String { "_\(name)._\(transport.rawValue)" }

    /// Creates a type from its name, without underscore.
    ///
    /// A name has 1 to 15 of the characters a–z, 0–9 and `-`. It begins with a letter, does not end with a hyphen, and has
    /// no two hyphens in a row.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - transport: The transport.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidServiceType`` if the name is not valid.
    public init(name: String, transport: Transport = .tcp) throws(AvahiError) {
        guard Self.isValid(name) else { throw Self.invalid(name) }
        self.name = name
        self.transport = transport
    }

    /// Creates a type from the form in which it is published, such as `_http._tcp`.
    ///
    /// - Parameter text: The published form.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidServiceType`` if the text does not have that form.
    public init(_ text: String) throws(AvahiError) {
        for transport in Transport.allCases {
            let suffix = "._" + transport.rawValue
            if text.hasPrefix("_"), text.hasSuffix(suffix), text.utf8.count > suffix.utf8.count {
                try self.init(name: String(text.dropFirst().dropLast(suffix.count)), transport: transport)
                return
            }
        }
        throw Self.invalid(text)
    }

    private static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...15).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
        guard isLetter(first), last != UInt8(ascii: "-"), !name.contains("--") else { return false }
        return bytes.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func invalid(_ text: String) -> AvahiError {
        AvahiError(
            .invalidServiceType,
            "\(text.debugDescription) is not a valid service type.",
            remedy: "Use 1 to 15 of a-z, 0-9 and -, a letter first, no hyphen last or doubled, as in _name._tcp."
        )
    }
}
