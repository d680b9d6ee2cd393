/// The path of a request: its components, each of which consists of letters, digits, `-`, `_` and `.`.
///
/// No address of this server has anything else, so everything else is rejected: percent signs, queries, empty
/// components, `.` and `..`.
package struct WebPath: Hashable, Sendable {
    /// The maximum length of a path, in bytes.
    package static let maximumLength = 1000
    /// The components; empty for `/`.
    package let components: [String]
    package let endsWithSlash: Bool

    /// Reads the target of a request; nil if it is not a path of this form.
    package init?(_ target: String) {
        let bytes = target.utf8
        guard bytes.count <= Self.maximumLength, bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "/") })
        else { return nil }
        var names = target.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        endsWithSlash = names.last == ""
        if endsWithSlash { names.removeLast() }
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        components = names
    }

    /// Returns a name with `-` in place of every character that no component has.
    package static func component(_ name: String) -> String {
        String(name.unicodeScalars.map { $0.isASCII && isPlain(UInt8($0.value)) ? Character($0) : "-" })
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
