import FoundationEssentials
import GRDB
import PeerProtocol

/// The row of a trusted peer.
struct TrustedPeerRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "trustedPeer"

    var peer: TrustedPeer

    init(_ peer: TrustedPeer) { self.peer = peer }

    init(row: Row) throws {
        let bytes: Data = row["id"]
        guard let digest = bytes.withUnsafeBytes({ ContentDigest(bytes: $0) }) else {
            throw ImpossibleValue(column: "id")
        }
        peer = TrustedPeer(
            id: PeerID(digest: digest),
            name: row["name"],
            pinnedAt: row.date("pinnedAt"),
            lastSeenAt: row.dateIfPresent("lastSeenAt")
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = Data(peer.id.digest.bytes)
        container["name"] = peer.name
        container.set("pinnedAt", peer.pinnedAt)
        container.set("lastSeenAt", peer.lastSeenAt)
    }

    static func fetchOne(_ id: PeerID, _ database: Database) throws -> TrustedPeerRecord? {
        try fetchOne(database, key: Data(id.digest.bytes))
    }

    static func fetchPeers(_ database: Database) throws -> [TrustedPeer] {
        try order(Column("name").collating(.nocase), Column("id")).fetchAll(database).map(\.peer)
    }
}
