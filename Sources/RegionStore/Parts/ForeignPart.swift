import FoundationEssentials
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The file of another map program, which is the map of a region that has no tiles.
///
/// It is carried as it is. Only its header is read, for its area, its date and its licence.
struct ForeignPart: FilePart {
    var kind: ResourceKind { .foreign }
    var title: String { "foreign map" }
    var fileSuffix: String { ".sealed" }
    var isDispensable: Bool { false }
    var definesRegion: Bool { true }

    func describe(_ region: inout Region, isSent: Bool) {
        if !isSent, region.foreign != nil { region.signature = nil }
    }

    func checkOffered(_ path: String, size: UInt64) {}

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard region.foreign == nil || !region.hasRoutingData else {
            throw ManifestValidator.refusal("a routing database is offered for a map without tiles")
        }
        if let foreign = region.foreign {
            guard region.zoomLevels == 0...0, region.tileCount == 0, region.coverage == nil, region.cut == nil else {
                throw ManifestValidator.refusal("the map of another program has no tiles, but tiles are described")
            }
            guard foreign.hasArea || region.boundingBox == .earth else {
                throw ManifestValidator.refusal("an area is stated, although it is said to be unknown")
            }
        }
        guard let entry else { return }
        guard region.foreign != nil else {
            throw ManifestValidator.refusal(
                "the file of another program is offered, but the region has a map with tiles"
            )
        }
        try ManifestValidator.checkSize(of: entry, region)
    }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let region = validator.region
        guard let foreign = region.foreign else { throw validator.refusal("the region has a map with tiles") }
        let header = try RegionStoreError.mapping("read", validator.name) {
            try ForeignHeader.read(file, as: foreign.format)
        }
        guard let header else { throw validator.refusal("it is no \(foreign.format.title)") }
        if let area = header.area, foreign.hasArea, !area.overlaps(region.boundingBox) {
            throw validator.refusal("it covers another area than announced")
        }
        try validator.check(MapEdition(date: header.date))
        arrivals.findings[kind] = header
    }

    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws {
        let region = commit.region
        guard let header = commit.state.arrivals.findings[kind] as? ForeignHeader, let foreign = region.foreign,
            let digest = commit.transfer.manifest.entry(of: kind)?.digest
        else { return }
        let signature = region.signature.flatMap { $0.isValid(for: digest) ? $0 : nil }
        // With the same map, the description stays, too. Who has imported it may be news.
        if before.region != nil, before.files[kind] == digest {
            return try RegionRecord.sign(region.id, signature, database)
        }
        // A person may know the region by the name that it has in this store, so the sender's name does not replace it.
        var record = RegionRecord(
            id: region.id,
            name: before.region?.name ?? region.name,
            foreign: foreign,
            header: header,
            createdAt: region.createdAt
        )
        record.signature = signature
        try record.upsert(database)
    }
}
