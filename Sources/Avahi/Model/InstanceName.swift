/// The name of one service among those of its type, as people see it: at most 63 bytes of UTF-8.
public struct InstanceName: Hashable, Sendable, CustomStringConvertible {
    /// The largest number of bytes that a name may have.
    package static let maximumLength = 63

    /// The name.
    public let description: String

    /// Creates a name, or throws ``AvahiError/Code/invalidService`` if it is empty, too long or has control characters.
    public init(_ text: String) throws(AvahiError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.unicodeScalars.contains(where: Self.isControl)
        else {
            throw AvahiError(
                .invalidService,
                "\(text.debugDescription) cannot be the name of a service.",
                remedy: "Use 1 to \(Self.maximumLength) bytes of text without control characters."
            )
        }
        self.description = text
    }

    /// Creates a name from any text: control characters are left out, and it is cut at a character if it is too long.
    ///
    /// Nil if nothing remains.
    package init?(fitting text: String) {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.filter { !Self.isControl($0) })
        let name = String(kept).cut(toUTF8Length: Self.maximumLength)
        guard !name.isEmpty else { return nil }
        self.description = name
    }

    /// Takes a name that Avahi made.
    init(trusted text: String) {
        self.description = text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
