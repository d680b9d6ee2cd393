/// What a resource holds: the part of a resource name before the colon.
///
/// The store's part of a kind is a type in `RegionStore/Parts`. Docs/CONTRIBUTING.md, "Adding a resource kind", lists all steps.
public struct ResourceKind: Hashable, Sendable, RawRepresentable {
    /// The kind's name on the wire: 1 to 32 characters of `a`–`z` and `0`–`9`.
    public let rawValue: String

    /// Creates a kind from its name; nil if the name is not 1 to 32 characters of `a`–`z` and `0`–`9`.
    public init?(rawValue: String) {
        guard (1...32).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({ byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(known name: StaticString) { self.rawValue = name.description }

    /// The list of what a transfer holds; always first.
    public static let manifest = ResourceKind(known: "manifest")
    /// The map's tiles, an MBTiles file.
    public static let mbtiles = ResourceKind(known: "mbtiles")
    /// The file of another map program, which is the map of a region that has no tiles.
    public static let foreign = ResourceKind(known: "sealed")
    /// The routing graph, an SQLite file.
    public static let routing = ResourceKind(known: "routing")
    /// Recorded hikes, a JSON array.
    public static let savedroutes = ResourceKind(known: "savedroutes")
    /// Planned routes, a JSON array.
    public static let plannedroutes = ResourceKind(known: "plannedroutes")
    /// Waypoints, a JSON array.
    public static let waypoints = ResourceKind(known: "waypoints")
    /// Photos of waypoints, one behind the other.
    public static let photos = ResourceKind(known: "photos")
    /// A file or bytes that an application sends to a peer of a session.
    public static let file = ResourceKind(known: "file")
    /// The end of a transfer; always last.
    public static let done = ResourceKind(known: "done")
}

extension ResourceKind: CustomStringConvertible {
    /// The kind's name.
    public var description: String { rawValue }
}

extension ResourceKind: Codable {
    /// Reads a kind from its name.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a resource kind is 1 to 32 characters of a-z and 0-9") { ResourceKind(rawValue: $0) }
    }

    /// Writes the kind's name.
    public func encode(to encoder: any Encoder) throws { try encoder.write(rawValue) }
}
