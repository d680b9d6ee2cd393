/// The type of a service, as in `_hikeshare._tcp`: what it speaks, over which transport.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// What carries the service.
    public enum Transport: String, Sendable, CaseIterable {
        /// TCP.
        case tcp
        /// UDP and everything else.
        case udp
    }

    /// The name without its underscore.
    public let name: String

    /// What carries the service.
    public let transport: Transport

    /// The form in which the type is published, `_name._tcp`.
    public var description: String { "_\(name)._\(transport.rawValue)" }

    /// Creates a type from its name, without underscore.
    ///
    /// A name has 1 to 15 characters of a–z, 0–9 and `-`; a letter comes first, a hyphen neither last nor twice in a
    /// row. Anything else throws ``AvahiError/Code/invalidServiceType``.
    public init(name: String, transport: Transport = .tcp) throws(AvahiError) {
        guard Self.isValid(name) else { throw Self.invalid(name) }
        self.name = name
        self.transport = transport
    }

    /// Creates a type from the form in which it is published, as in `_hikeshare._tcp`.
    ///
    /// Throws ``AvahiError/Code/invalidServiceType`` if it is not of that form.
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
            "\(text.debugDescription) is no service type.",
            remedy: "Use 1 to 15 of a-z, 0-9 and -, a letter first, no hyphen last or doubled, as in _name._tcp."
        )
    }
}
