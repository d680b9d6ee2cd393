import FoundationEssentials
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The routing graph of the map, an SQLite file.
struct RoutingPart: DatabaseFilePart {
    var kind: ResourceKind { .routing }
    var title: String { "routing database" }
    var fileSuffix: String { ".routing.db" }

    /// The routing database is optional: if its file is missing, the region is offered without it.
    var isDispensable: Bool { true }

    func describe(_ region: inout Region, isSent: Bool) { region.hasRoutingData = isSent }

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard region.hasRoutingData == (entry != nil) else {
            throw ManifestValidator.refusal(
                region.hasRoutingData
                    ? "the region has a routing database, but none is offered"
                    : "a routing database is offered, but the region has none"
            )
        }
        if let entry { try checkSize(entry) }
    }

    func check(_ database: UntrustedDatabase) throws { _ = try RoutingFile(checking: database) }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let graph = try RoutingFile(checking: try validator.database(file))
        _ = try graph.checked(against: validator.place, validator.name)
    }

    /// Removes the routing database of a replaced map, unless the sender offers one for the new map, or only a part was added.
    func updateRegion(_ commit: RegionCommit, _ before: RegionCommit.Before, _ database: Database) throws {
        guard commit.state.joinedMap == nil, commit.transfer.manifest.entry(of: kind) == nil,
            let newMap = commit.transfer.entries.first(where: \.definesRegion),
            let oldMap = before.files[newMap.kind],
            oldMap != newMap.digest
        else { return }
        try RegionFileRecord.fetchOne(kind, of: commit.region.id, database)?.delete(database)
    }
}
