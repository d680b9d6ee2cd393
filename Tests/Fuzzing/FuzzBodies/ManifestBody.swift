import FoundationEssentials
import PeerProtocol
import RegionStore

/// A manifest as it comes over the wire, up to the check of the offer.
enum ManifestBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let manifest = try? Manifest(parsing: Data(input)) else { return }
        let limits = ProtocolLimits.standard
        try require(manifest.entries.count <= limits.maximumResourceCount, "too many resources")
        try require(manifest.totalSize <= limits.maximumResourceSize, "too many bytes")
        try require(Set(manifest.entries.map(\.kind)).count == manifest.entries.count, "a kind twice")
        for entry in manifest.entries {
            try require(entry.name.id == manifest.id, "a resource of something else")
            try require(entry.layout.chunkCount <= Int(ChunkLayout.maximumChunkCount), "too many chunks")
        }
        guard let region = try? manifest.description(as: Region.self) else { return }
        _ = try? ManifestValidator(manifest)
        let again = try requireSuccess("a region that was read cannot be offered") {
            try Manifest(id: manifest.id, describing: region.withID(manifest.id), entries: manifest.entries)
        }
        try require(again.entries == manifest.entries, "the resources change when they are written and read")
        let copy = try requireSuccess("an offered region cannot be read") { try again.description(as: Region.self) }
        let last = try requireSuccess("an offered region cannot be offered again") {
            try Manifest(id: manifest.id, describing: copy, entries: manifest.entries)
        }
        try require(last.body == again.body, "the region changes when it is written and read twice")
    }
}

extension Region {
    fileprivate func withID(_ id: UUID) -> Region {
        var copy = self
        copy.id = id
        return copy
    }
}
