import Crypto
import FoundationEssentials
import GRDB
import RegionModel
import TrackFiles

/// The rows of the items of a region, by which any change of them is noticed.
enum ItemRows {
    /// Returns a digest of all values of all rows.
    static func digest(of regionID: UUID, _ database: Database) throws -> SHA256.Digest {
        var hasher = SHA256()
        for table in [SavedRoute.tableName, PlannedRoute.tableName, Waypoint.tableName] {
            let sql = "SELECT * FROM \(table) WHERE regionID = ? ORDER BY id"
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
            while let row = try rows.next() {
                for (column, value) in row {
                    hasher.update(data: Data(column.utf8))
                    add(value.storage, to: &hasher)
                }
            }
        }
        return hasher.finalize()
    }

    private static func add(_ value: DatabaseValue.Storage, to hasher: inout SHA256) {
        func add(_ type: UInt8, _ bytes: Data) {
            // With its length, so that no two rows have the same bytes.
            let head = [type] + withUnsafeBytes(of: bytes.count.littleEndian) { Array($0) }
            hasher.update(data: head)
            hasher.update(data: bytes)
        }
        switch value {
        case .null: add(0, Data())
        case .int64(let number): add(1, withUnsafeBytes(of: number.littleEndian) { Data($0) })
        case .double(let number): add(2, withUnsafeBytes(of: number.bitPattern.littleEndian) { Data($0) })
        case .string(let text): add(3, Data(text.utf8))
        case .blob(let bytes): add(4, bytes)
        }
    }
}
