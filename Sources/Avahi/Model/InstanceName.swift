/// The name of a service instance, which people see: 1 to 63 bytes of UTF-8.
public struct InstanceName: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of bytes of a name.
    package static let maximumLength = 63

    /// The name.
    public let description: String

    /// Creates a name.
    ///
    /// - Parameter text: The name.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidService`` if the name is empty, longer than 63 bytes, or has
    ///   control characters.
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

    /// Creates a name from any text: removes control characters, and truncates the text at a character boundary.
    ///
    /// Nil if nothing remains.
    package init?(fitting text: String) {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.filter { !Self.isControl($0) })
        let name = String(kept).cut(toUTF8Length: Self.maximumLength)
        guard !name.isEmpty else { return nil }
        self.description = name
    }

    init(trusted text: String) { self.description = text }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

extension String {
    /// Returns the longest prefix that has at most `limit` bytes of UTF-8 and ends at a character boundary.
    ///
    /// If the first character is longer (a character can have any number of combining marks), the prefix ends at a scalar.
    func cut(toUTF8Length limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var length = 0
        var end = startIndex
        while end < endIndex {
            length += self[end].utf8.count
            guard length <= limit else { break }
            end = index(after: end)
        }
        if end > startIndex { return String(self[..<end]) }
        length = 0
        while end < endIndex {
            length += unicodeScalars[end].utf8.count
            guard length <= limit else { break }
            end = unicodeScalars.index(after: end)
        }
        return String(unicodeScalars[..<end])
    }
}
