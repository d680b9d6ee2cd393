package import FoundationEssentials
import PeerProtocol

/// A transfer that has ended, one way or another.
package struct TransferHistoryEntry: Hashable, Sendable, Codable {
    /// Which way a region went.
    package enum Direction: String, Hashable, Sendable, Codable {
        /// To the peer.
        case sent
        /// From the peer.
        case received
    }

    /// How a transfer ended.
    package enum Outcome: String, Hashable, Sendable, Codable {
        /// The receiver has everything.
        case completed
        /// It ended before that.
        case abandoned
        /// Everything was sent, but whether the receiver has it was not heard.
        case unconfirmed
    }

    /// Which way the region went.
    package var direction: Direction

    /// Who was at the other end.
    package var partner: TransferPeer

    /// The region's id.
    package var regionID: UUID

    /// What the region was called then.
    package var regionName: String

    /// When the transfer began.
    package var startedAt: Date

    /// When it ended.
    package var endedAt: Date

    /// How it ended.
    package var outcome: Outcome

    /// How many bytes of content were moved.
    package var byteCount: UInt64

    /// Creates an entry.
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
