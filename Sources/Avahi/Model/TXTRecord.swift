/// The TXT record of a service: a short ordered list of keys with or without values.
///
/// Keys follow RFC 6763, section 6.4: they are printable ASCII without `=`, and their case is ignored. The first of several
/// equal keys counts. Values are bytes. A key with an empty value (`key=`) differs from a key without a value (`key`).
public struct TXTRecord: Hashable, Sendable {
    /// One key of a record.
    public struct Entry: Hashable, Sendable {
        /// The key, spelled as it was set or received.
        public let key: String
        /// The value; nil if the key has none.
        public let value: [UInt8]?

        /// The number of bytes of `key=value`.
        var length: Int { key.utf8.count + (value.map { $0.count + 1 } ?? 0) }
    }

    /// The maximum number of bytes of one `key=value`.
    package static let maximumEntryLength = 255

    /// The maximum number of bytes of a published record, so that it fits into one packet of any network.
    package static let maximumLength = 1300

    /// The maximum number of bytes that are kept of a received record.
    package static let maximumReceivedLength = 8192

    /// The entries, in order.
    public private(set) var entries: [Entry] = []

    /// The number of bytes of the record on the wire, including a length byte for each entry.
    package var encodedLength: Int { entries.reduce(0) { $0 + 1 + $1.length } }

    /// Creates an empty record.
    public init() {}

    /// Creates a record with text values.
    ///
    /// - Parameter pairs: The keys and their values.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidService`` if a key is not valid or the record is too long.
    public init(_ pairs: KeyValuePairs<String, String>) throws(AvahiError) {
        for (key, value) in pairs {
            try set(key, to: value)
        }
    }

    /// Reads a received record; invalid entries, and entries beyond the limit, are left out.
    package init(received strings: some Sequence<[UInt8]>) {
        var length = 0
        for string in strings {
            length += 1 + string.count
            guard length <= Self.maximumReceivedLength else { break }
            guard string.count <= Self.maximumEntryLength else { continue }
            let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(decoding: parts.first ?? [], as: UTF8.self)
            guard Self.isValid(key), entry(key) == nil else { continue }
            entries.append(Entry(key: key, value: parts.count == 2 ? Array(parts[1]) : nil))
        }
    }

    /// The text of a key; nil if there is no such key, if it has no value, or if that is not UTF-8.
    public subscript(key: String) -> String? {
        bytes(forKey: key).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the value of a key; nil if there is no such key or it has no value.
    public func bytes(forKey key: String) -> [UInt8]? { entry(key)?.value }

    /// Sets the value of a key to a text.
    ///
    /// An existing key keeps its position.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The text. Key and value may have 254 bytes of UTF-8 together.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidService`` if the key is not valid, or the entry or the record is
    ///   too long.
    public mutating func set(_ key: String, to value: String) throws(AvahiError) {
        try set(Entry(key: key, value: Array(value.utf8)))
    }

    /// Sets the value of a key to bytes.
    ///
    /// An existing key keeps its position.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The bytes; nil for a key without a value. Key and value may have 254 bytes together.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/invalidService`` if the key is not valid, or the entry or the record is
    ///   too long.
    public mutating func set(_ key: String, to value: [UInt8]?) throws(AvahiError) {
        try set(Entry(key: key, value: value))
    }

    /// Removes a key.
    public mutating func remove(_ key: String) {
        let wanted = key.lowercased()
        entries.removeAll { $0.key.lowercased() == wanted }
    }

    /// Truncates a text at a character boundary so that `key=value` is not too long.
    package static func fitting(_ value: String, forKey key: String) -> String {
        value.cut(toUTF8Length: max(0, maximumEntryLength - key.utf8.count - 1))
    }

    private func entry(_ key: String) -> Entry? {
        let wanted = key.lowercased()
        return entries.first { $0.key.lowercased() == wanted }
    }

    private mutating func set(_ entry: Entry) throws(AvahiError) {
        guard Self.isValid(entry.key) else {
            throw AvahiError(
                .invalidService,
                "\(entry.key.debugDescription) cannot be a key of a TXT record.",
                remedy: "Use printable ASCII characters other than =."
            )
        }
        guard entry.length <= Self.maximumEntryLength else {
            throw AvahiError(
                .invalidService,
                "The value of \(entry.key.debugDescription) is too long for a TXT record (\(entry.length) bytes).",
                remedy: "Key and value may have \(Self.maximumEntryLength - 1) bytes together."
            )
        }
        var changed = self
        let wanted = entry.key.lowercased()
        if let index = entries.firstIndex(where: { $0.key.lowercased() == wanted }) {
            changed.entries[index] = entry
        } else {
            changed.entries.append(entry)
        }
        guard changed.encodedLength <= Self.maximumLength else {
            throw AvahiError(
                .invalidService,
                "The TXT record is too long with \(entry.key.debugDescription) (\(changed.encodedLength) bytes).",
                remedy: "It may have \(Self.maximumLength) bytes."
            )
        }
        self = changed
    }

    private static func isValid(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

extension TXTRecord: CustomStringConvertible {
    /// The entries as `key="value"`, with everything that is not plain text escaped.
    public var description: String {
        entries.map { entry in
            entry.value.map { "\(entry.key)=\(String(decoding: $0, as: UTF8.self).debugDescription)" } ?? entry.key
        }.joined(separator: " ")
    }
}
