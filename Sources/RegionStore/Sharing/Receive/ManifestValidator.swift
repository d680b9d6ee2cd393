import MapFiles
package import PeerProtocol
import PeerStorage
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
        region = try manifest.region()
        guard region.id == manifest.id else { throw Self.refusal("its region has a different id") }
        guard region.name.contains(where: { !$0.isWhitespace }) else { throw Self.refusal("the region has no name") }
        // A kind of a newer version has no part and will not be requested.
        for part in RegionPartList.all { try part.checkOffer(manifest.entry(of: part.kind), of: region) }
    }

    /// Checks that the description of a region and the manifest state the same size of its map.
    static func checkSize(of map: ManifestEntry, _ region: Region) throws {
        guard UInt64(clamping: region.fileSizeBytes) == map.size, map.size > 0 else {
            throw refusal("the size of the map is given as \(region.fileSizeBytes) and as \(map.size) bytes")
        }
    }

    static func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "The offer contradicts itself: \(why).")
    }
}
