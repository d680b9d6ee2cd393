import FoundationEssentials
import PeerCore

/// The JSON resources: lists of hikes, planned routes or waypoints.
enum ItemCoding {
    /// The largest JSON resource, in bytes: it is read into memory as a whole.
    static let maximumSize: UInt64 = 32 << 20

    /// The most items in a resource.
    static let maximumCount = 100_000

    static func encode(_ items: [some RegionItem], _ kind: ResourceKind) throws -> [UInt8] {
        let bytes = Array(try SharedJSON.encode(items))
        guard bytes.count <= Int(maximumSize), items.count <= maximumCount else {
            throw RegionStoreError(
                .invalidArgument,
                "The \(kind.title) of this region are too many to be sent: \(items.count), in \(bytes.count) bytes.",
                remedy: "Leave this kind out."
            )
        }
        return bytes
    }

    static func decode<Item: RegionItem>(_ type: Item.Type, _ bytes: [UInt8], _ kind: ResourceKind) throws -> [Item] {
        let items = try SharedJSON.decode(
            type,
            from: Data(bytes),
            maximumLength: Int(maximumSize),
            maximumCount: maximumCount
        )
        guard Set(items.map(\.id)).count == items.count else {
            throw RegionStoreError(.refused, "Two of the \(kind.title) that were sent have the same id.")
        }
        return items
    }
}

extension ResourceKind {
    /// The kinds that a region has, in the order in which they are sent.
    static let regionKinds: [ResourceKind] = [
        .mbtiles, .routing, .savedroutes, .plannedroutes, .waypoints, .photos,
    ]

    /// The kinds that are files of a region.
    static let regionFiles: [ResourceKind] = [.mbtiles, .routing]

    /// Whether what has arrived of the kind is kept for the next transfer, if this one comes to nothing: not of the lists,
    /// which are small.
    var isKeptUnfinished: Bool { Self.regionFiles.contains(self) || self == .photos }

    /// What a person calls the kind.
    var title: String {
        switch self {
        case .mbtiles: "map"
        case .routing: "routing database"
        case .savedroutes: "recorded hikes"
        case .plannedroutes: "planned routes"
        case .waypoints: "waypoints"
        case .photos: "photos"
        default: rawValue
        }
    }
}
