package import FoundationEssentials
import GRDB
package import PeerProtocol
package import PeerStorage

/// An ended transfer.
package struct TransferHistoryEntry: Hashable, Sendable, Codable {
    /// The direction of a transfer.
    package enum Direction: String, Hashable, Sendable, Codable {
        /// To the peer.
        case sent
        /// From the peer.
        case received
    }

    /// The outcome of a transfer.
    package enum Outcome: String, Hashable, Sendable, Codable {
        /// The receiver has committed the transfer.
        case completed
        /// The transfer failed.
        case abandoned
        /// Everything was sent, but the sender does not know whether the receiver has committed the transfer.
        case unconfirmed
    }

    package var direction: Direction

    /// The other side.
    package var partner: TransferPeer

    /// The region's id.
    package var regionID: UUID

    /// The name of the region at that time.
    package var regionName: String

    /// The time of the start.
    package var startedAt: Date

    /// The time of the end.
    package var endedAt: Date

    package var outcome: Outcome

    /// The number of transferred bytes of content.
    package var byteCount: UInt64

    package init(
        direction: Direction,
        partner: TransferPeer,
        regionID: UUID,
        regionName: String,
        startedAt: Date,
        endedAt: Date,
        outcome: Outcome,
        byteCount: UInt64
    ) {
        self.direction = direction
        self.partner = partner
        self.regionID = regionID
        self.regionName = regionName
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.outcome = outcome
        self.byteCount = byteCount
    }
}

extension RegionStore {
    /// Adds an ended transfer to the history.
    ///
    /// A ``RegionSink`` records its transfers itself.
    package func record(_ entry: TransferHistoryEntry) throws {
        try database.write { try TransferRecord.note(entry, $0) }
    }

    /// Returns the latest transfers, the latest first.
    package func history(limit: Int = 100) throws -> [TransferHistoryEntry] {
        try database.read { database in
            try TransferRecord.order(Column("endedAt").desc, Column("id").desc).limit(max(0, limit)).fetchAll(database)
        }.map(\.entry)
    }
}

/// The other side of a transfer, for the history.
package struct TransferPeer: Hashable, Sendable, Codable {
    /// The peer's id; nil if it was not proved.
    package var id: PeerID?

    /// The display name of the peer.
    package var displayName: String

    /// Creates the description of a peer.
    package init(id: PeerID?, displayName: String) {
        self.id = id
        self.displayName = displayName
    }

    /// Creates the description of a peer.
    ///
    /// In plain text, the id is only claimed, so it is left out.
    package init(_ peer: RemotePeer) {
        self.init(id: peer.security.certifiedID, displayName: peer.displayName)
    }
}
