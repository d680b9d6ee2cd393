import Avahi

/// The rules for an application's own keys in an announcement, ``DiscoveryInfo/custom``.
///
/// There are at most 16 keys, whose case does not matter. A key has 1 to 32 printable ASCII characters other than `=`; nine are
/// enough for most (RFC 6763, section 6.4). It is none of `v`, `id`, `shortName`, `prettyName`, `appVersion`, `encryption`,
/// `region`, `size`, `offers` and `offer`. A key and its value have at most 254 bytes of UTF-8 together. All keys and values have
/// at most 700 bytes together, and each pair counts for two bytes more.
public enum DiscoveryRules {
    static let maximumCount = 16
    static let maximumKeyLength = 32
    static let maximumPairLength = TXTRecord.maximumEntryLength - 1
    static let maximumTotalLength = 700

    /// The keys of this library, in lower case.
    private static let reserved: Set<String> = [
        "v", "id", "shortname", "prettyname", "appversion", "encryption", "region", "size", "offers",
        "offer",
    ]

    /// Checks keys and values.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument`` that says which rule is broken.
    public static func check(_ info: [String: String]) throws(PeerError) {
        guard info.count <= maximumCount else {
            throw broken("An announcement has \(info.count) keys of the application.", "Use at most \(maximumCount).")
        }
        var seen: Set<String> = []
        // In order, so that the same keys give the same message.
        for (key, value) in info.sorted(by: { $0.key < $1.key }) {
            try check(key)
            let shown = key.debugDescription
            guard seen.insert(key.lowercased()).inserted else {
                throw broken("The key \(shown) is there twice: its case does not matter.", "Use different names.")
            }
            guard key.utf8.count + value.utf8.count <= maximumPairLength else {
                throw broken(
                    "The value of the key \(shown) is too long (\(value.utf8.count) bytes).",
                    "Key and value may have \(maximumPairLength) bytes together."
                )
            }
        }
        let length = info.reduce(0) { $0 + cost(of: $1.key, $1.value) }
        guard length <= maximumTotalLength else {
            throw broken(
                "The keys and values of the application are too long (\(length) bytes).",
                "They may have \(maximumTotalLength) bytes together."
            )
        }
    }

    /// Reads the keys of the application from a record, in order; leaves out what breaks a rule.
    static func custom(in txt: TXTRecord) -> [String: String] {
        var custom: [String: String] = [:]
        var length = 0
        for entry in txt.entries where custom.count < maximumCount {
            guard isKey(entry.key), !isReserved(entry.key), let bytes = entry.value,
                let value = String(validating: bytes, as: UTF8.self)
            else { continue }
            let cost = cost(of: entry.key, value)
            guard length + cost <= maximumTotalLength else { continue }
            length += cost
            custom[entry.key] = value
        }
        return custom
    }

    private static func check(_ key: String) throws(PeerError) {
        guard !key.isEmpty else { throw broken("A key of an announcement is empty.", "Give it a name.") }
        guard key.utf8.count <= maximumKeyLength else {
            throw broken(
                "A key of an announcement is too long (\(key.utf8.count) bytes).",
                "Use at most \(maximumKeyLength) characters; nine are enough for most."
            )
        }
        guard isKey(key) else {
            throw broken(
                "\(key.debugDescription) cannot be a key of an announcement.",
                "Use printable ASCII characters other than =."
            )
        }
        guard !isReserved(key) else {
            throw broken("The key \(key.debugDescription) of an announcement is reserved.", "Use another name.")
        }
    }

    private static func isKey(_ key: String) -> Bool {
        (1...maximumKeyLength).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isReserved(_ key: String) -> Bool { reserved.contains(key.lowercased()) }

    /// What a pair takes in a record: a byte with its length, key, `=` and value.
    private static func cost(of key: String, _ value: String) -> Int { key.utf8.count + value.utf8.count + 2 }

    private static func broken(_ message: String, _ remedy: String) -> PeerError {
        PeerError(.invalidArgument, message, remedy: remedy)
    }
}
