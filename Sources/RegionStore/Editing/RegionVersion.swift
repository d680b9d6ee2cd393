package import FoundationEssentials
import GRDB

/// The state of a region with all of its items, by which any change of them is noticed.
package struct RegionVersion: Hashable, Sendable {
    /// The region.
    package var summary: RegionSummary
    /// A digest of its hikes, planned routes and waypoints.
    package var rows: [UInt8]

    /// The state as a short text, which means something only while this process runs.
    package var mark: String {
        let digits = rows.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
        return digits + "-" + String(UInt(bitPattern: summary.hashValue), radix: 16)
    }

    init(_ summary: RegionSummary, _ database: Database) throws {
        (self.summary, rows) = (summary, Array(try ItemRows.digest(of: summary.id, database)))
    }
}

extension RegionStore {
    /// Reads the state of a region.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region.
    package func version(of id: UUID) throws -> RegionVersion {
        try database.read { try RegionVersion(Self.summary(id, $0), $0) }
    }
}
