import FoundationEssentials
package import PeerProtocol
package import RegionModel

/// A checked manifest.
///
/// The manifest is untrusted input. What can only be checked with the bytes is checked when they have arrived.
package struct ManifestValidator {
    package let region: Region

    /// Reads and checks a manifest.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.refused`, or ``ProtocolError``.
    package init(_ manifest: Manifest) throws {
        region = try manifest.description(as: Region.self)
        guard region.id == manifest.id else { throw Self.refusal("its region has a different id") }
        guard region.name.contains(where: { !$0.isWhitespace }) else { throw Self.refusal("the region has no name") }
        let box = region.boundingBox
        guard box.north > box.south, box.east > box.west else { throw Self.refusal("the region has no area") }
        // A kind of a newer version has no part and will not be requested.
        for part in RegionParts.all { try part.checkOffer(manifest.entry(of: part.kind), of: region) }
    }

    static func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "The offer contradicts itself: \(why).")
    }
}
