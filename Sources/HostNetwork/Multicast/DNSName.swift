/// A name of DNS: labels of bytes (RFC 1035, section 3.1).
///
/// The case of ASCII letters does not count.
package struct DNSName: Hashable, Sendable {
    /// The maximum number of bytes of a name, with the lengths of the labels.
    static let maximumLength = 255

    /// The labels, the innermost first: 1 to 63 bytes each.
    package let labels: [[UInt8]]

    init(_ labels: [[UInt8]]) { self.labels = labels }

    /// Creates the name of all services of a type (RFC 6763, section 4.1).
    package init(services type: String) {
        self.init((type.split(separator: ".") + ["local"]).map { Array($0.utf8.prefix(63)) })
    }

    /// Returns the name of a service of the type that this name stands for.
    package func instance(_ name: String) -> DNSName { DNSName([Array(name.utf8.prefix(63))] + labels) }

    /// The name of a service, which people see, if this is the name of one of a type; nil for any other name.
    func instanceName(in type: DNSName) -> String? {
        guard labels.count == type.labels.count + 1, let first = labels.first,
            DNSName(Array(labels.dropFirst())) == type
        else { return nil }
        return String(validating: first, as: UTF8.self)
    }

    private var folded: [[UInt8]] {
        labels.map { $0.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 } }
    }

    package static func == (left: DNSName, right: DNSName) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
