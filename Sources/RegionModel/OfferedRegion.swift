package import FoundationEssentials
package import PeerProtocol

/// A region in the catalogue of a sender that has several.
///
/// It is for people, and for the choice; the manifest that follows says everything anew.
package struct OfferedRegion: Hashable, Sendable, Identifiable {
    /// The maximum length of a name, in bytes of UTF-8; longer ones are cut, so that no catalogue is too long.
    package static let maximumNameLength = 200

    package var id: UUID
    package var name: String

    /// The area; the whole earth if it is not known.
    package var boundingBox: BoundingBox

    /// Whether the area is known.
    package var hasArea: Bool

    /// The size of all that is offered, in bytes.
    package var size: UInt64

    /// The digest of the map; nil if the map is not offered.
    package var mapDigest: ContentDigest?

    /// How old the map is, as its metadata say.
    package var edition: MapEdition
    package var createdAt: Date

    /// Whether the map is a part of another one.
    package var isPart: Bool
    package var manifest: ContentDigest

    /// Describes what is offered of a region.
    package init(_ region: Region, _ manifest: Manifest) {
        id = region.id
        name = region.name.line(utf8Count: Self.maximumNameLength)
        boundingBox = region.boundingBox
        hasArea = region.hasArea
        size = manifest.totalSize
        mapDigest = manifest.mapEntry?.digest
        edition = region.edition
        createdAt = region.createdAt
        isPart = region.cut != nil
        self.manifest = manifest.digest
    }
}

extension OfferedRegion: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, boundingBox, hasArea, size, mapDigest, mapDate, newestMapDate, mapVersion, createdAt
        case isPart = "part"
        case manifest
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.text(.name, atMost: Self.maximumNameLength)
        boundingBox = try container.decode(BoundingBox.self, forKey: .boundingBox)
        hasArea = try container.decodeIfPresent(Bool.self, forKey: .hasArea) ?? true
        guard hasArea || boundingBox == .earth else { throw container.wrong(.boundingBox, "is not the whole earth") }
        size = try container.decode(UInt64.self, forKey: .size)
        guard size <= ProtocolLimits.standard.maximumResourceSize else { throw container.wrong(.size, "is too large") }
        mapDigest = try container.decodeIfPresent(ContentDigest.self, forKey: .mapDigest)
        edition = MapEdition(
            date: try container.dateIfPresent(.mapDate),
            newestDate: try container.dateIfPresent(.newestMapDate),
            version: try container.textIfPresent(.mapVersion, atMost: MapEdition.maximumVersionLength)
        )
        createdAt = try container.date(.createdAt)
        isPart = try container.decodeIfPresent(Bool.self, forKey: .isPart) ?? false
        manifest = try container.decode(ContentDigest.self, forKey: .manifest)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(boundingBox, forKey: .boundingBox)
        if !hasArea { try container.encode(hasArea, forKey: .hasArea) }
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(mapDigest, forKey: .mapDigest)
        try container.encodeIfPresent(date: edition.date, forKey: .mapDate)
        try container.encodeIfPresent(date: edition.newestDate, forKey: .newestMapDate)
        try container.encodeIfPresent(edition.version, forKey: .mapVersion)
        try container.encode(date: createdAt, forKey: .createdAt)
        if isPart { try container.encode(isPart, forKey: .isPart) }
        try container.encode(manifest, forKey: .manifest)
    }
}

extension Catalogue {
    /// Lists offered regions; throws if there are too many.
    package init(_ regions: [OfferedRegion]) throws { try self.init(offers: regions) }

    /// The regions that can be read, in the sender's order.
    package var regions: [OfferedRegion] { offers(as: OfferedRegion.self) { $0.id } }
}
