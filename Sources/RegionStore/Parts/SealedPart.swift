import FoundationEssentials
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The file of another map program, which is the map of a region that has no tiles.
///
/// It is carried as it is. Only its header is read, for its area, its date and its licence.
struct SealedPart: FilePart {
    var kind: ResourceKind { .sealed }
    var title: String { "sealed map" }
    var fileSuffix: String { ".sealed" }
    var isDispensable: Bool { false }
    var definesRegion: Bool { true }

    func describe(_ region: inout Region, isSent: Bool) {
        if !isSent, region.sealed != nil { region.signature = nil }
    }

    func checkOffered(_ path: String, size: UInt64) {}

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard region.sealed == nil || !region.hasRoutingData else {
            throw ManifestValidator.refusal("a routing database is offered for a map without tiles")
        }
        if let sealed = region.sealed {
            guard region.zoomLevels == 0...0, region.tileCount == 0, region.coverage == nil, region.cut == nil else {
                throw ManifestValidator.refusal("the map of another program has no tiles, but tiles are described")
            }
            guard sealed.hasArea || region.boundingBox == .earth else {
                throw ManifestValidator.refusal("an area is stated, although it is said to be unknown")
            }
        }
        guard let entry else { return }
        guard region.sealed != nil else {
            throw ManifestValidator.refusal(
                "the file of another program is offered, but the region has a map with tiles"
            )
        }
        guard UInt64(clamping: region.fileSizeBytes) == entry.size, entry.size > 0 else {
            throw ManifestValidator.refusal(
                "the size of the map is given as \(region.fileSizeBytes) and as \(entry.size) bytes"
            )
        }
    }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let region = validator.region
        guard let sealed = region.sealed else { throw validator.refusal("the region has a map with tiles") }
        let header = try RegionStoreError.mapping("read", validator.name) { () throws(SystemError) in
            try SealedHeader.read(file, as: sealed.format)
        }
        guard let header else { throw validator.refusal("it is no \(sealed.format.title)") }
        if let area = header.area, sealed.hasArea, !area.overlaps(region.boundingBox) {
            throw validator.refusal("it covers another area than announced")
        }
        try validator.check(MapEdition(date: header.date))
        arrivals.findings[kind] = header
    }

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws {
        let region = commit.region
        guard let header = commit.state.arrivals.findings[kind] as? SealedHeader, let sealed = region.sealed,
            let digest = commit.transfer.manifest.entry(of: kind)?.digest
        else { return }
        let signature = region.signature.flatMap { $0.isValid(for: digest) ? $0 : nil }
        // With the same map, the description stays, too. Who has imported it may be news.
        if var former = before.region, before.files[kind] == digest {
            guard former.signature == nil, let signature else { return }
            former.signature = signature
            return try former.update(database)
        }
        // A person may know the region by the name that it has in this store, so the sender's name does not replace it.
        var record = RegionRecord(
            id: region.id,
            name: before.region?.name ?? region.name,
            sealed: sealed,
            header: header,
            createdAt: region.createdAt
        )
        record.signature = signature
        try record.upsert(database)
    }
}
