public import FoundationEssentials

/// The name of a resource: `<kind>:<UUID>`, such as `mbtiles:0F8F…`.
///
/// There is no way to make one from text but to parse it, and no path is ever built from that text: only from the
/// parsed kind and UUID.
public struct ResourceName: Hashable, Sendable {
    /// What the resource holds.
    public let kind: ResourceKind

    /// The id of what is transferred, a region's for instance.
    public let id: UUID

    /// Creates a name.
    public init(kind: ResourceKind, id: UUID) {
        self.kind = kind
        self.id = id
    }

    /// Parses a name; nil unless it is a valid kind, one colon and a UUID in its 36-character form (either case).
    public init?(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let kind = ResourceKind(rawValue: String(parts[0])),
            let id = UUID(canonical: parts[1])
        else { return nil }
        self.init(kind: kind, id: id)
    }
}

extension ResourceName: CustomStringConvertible {
    /// The name as it is written on the wire, the UUID in upper case.
    public var description: String { "\(kind):\(id.uuidString)" }
}

extension ResourceName: Codable {
    /// Reads a name from its text form.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a resource name is <kind>:<UUID>") { ResourceName(parsing: $0) }
    }

    /// Writes the name in its text form.
    public func encode(to encoder: any Encoder) throws { try encoder.write(description) }
}
