import FoundationEssentials
package import PeerProtocol

/// An offer that was looked at: what it describes, if it is plausible.
///
/// The description comes from a stranger. What cannot be seen before the bytes are there is checked when they are.
package struct ManifestValidator {
    package let region: Region

    /// Reads and checks a manifest.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/refused``, or ``ProtocolError``.
    package init(_ manifest: Manifest) throws {
        region = try manifest.description(as: Region.self)
        guard region.id == manifest.id else { throw Self.refusal("it describes another region than it holds") }
        guard region.name.contains(where: { !$0.isWhitespace }) else { throw Self.refusal("the region has no name") }
        let box = region.boundingBox
        guard box.north > box.south, box.east > box.west else { throw Self.refusal("the region has no area") }
        if let map = manifest.entry(of: .mbtiles) {
            guard UInt64(clamping: region.fileSizeBytes) == map.size else {
                throw Self.refusal("the map is said to have \(region.fileSizeBytes) bytes and \(map.size) bytes")
            }
            guard region.tileCount > 0 else { throw Self.refusal("the map is said to have no tiles") }
        }
        guard region.hasRoutingData == (manifest.entry(of: .routing) != nil) else {
            throw Self.refusal(
                region.hasRoutingData
                    ? "the region is said to have a routing database, but none is offered"
                    : "a routing database is offered, but the region is said to have none"
            )
        }
        for entry in manifest.entries {
            switch entry.kind {
            case .mbtiles, .routing:
                // An SQLite database has at least one page, and the smallest has 512 bytes.
                guard entry.size >= 512 else { throw Self.refusal("the \(entry.kind.title) has \(entry.size) bytes") }
            case .savedroutes, .plannedroutes, .waypoints:
                guard entry.size <= ItemCoding.maximumSize else {
                    throw Self.refusal(
                        "the \(entry.kind.title) have \(entry.size) bytes; at most \(ItemCoding.maximumSize) are taken"
                    )
                }
            case .photos:
                guard entry.size.isMultiple(of: PhotoArchive.alignment) else {
                    throw Self.refusal("the photos have \(entry.size) bytes, which is no whole number of records")
                }
                guard entry.size > 0, entry.size <= PhotoArchive.maximumSize else {
                    throw Self.refusal(
                        "the photos have \(entry.size) bytes; at most \(PhotoArchive.maximumSize) are taken"
                    )
                }
            default:
                // A kind of a later version: it will not be asked for.
                continue
            }
        }
    }

    static func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "What is offered contradicts itself: \(why).")
    }
}
