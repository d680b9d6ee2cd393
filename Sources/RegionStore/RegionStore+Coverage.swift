import FoundationEssentials
import GRDB
import MapFiles
import RegionModel

extension RegionStore {
    /// Computes the coverage of each region that does not have it, because an older version has stored the region.
    ///
    /// A map that cannot be read now is tried again when the store is opened the next time; its area counts until then.
    func completeCoverages() {
        let sql = "SELECT * FROM region WHERE coverage IS NULL"
        for record in (try? database.read { try RegionRecord.fetchAll($0, sql: sql) }) ?? [] {
            var (coverage, area) = (Data(), record.boundingBox)
            do {
                let tally = try MapDescription.tally(of: map(of: record.id))
                coverage = Data(tally.coverage?.bytes ?? [])
                area = tally.coverage?.area(statedAs: area) ?? area
            } catch let error as RegionStoreError where error.code != .invalidFile {
                continue
            } catch {
                // A damaged map has none, and is not read again.
            }
            try? database.write { [coverage, area] database in
                try database.execute(
                    sql: """
                        UPDATE region SET coverage = ?, north = ?, south = ?, east = ?, west = ?
                        WHERE id = ? AND coverage IS NULL
                        """,
                    arguments: [coverage, area.north, area.south, area.east, area.west, record.id.uuidString]
                )
            }
        }
    }
    /// Reads the age of each map that an older version of the program has stored.
    ///
    /// A map that cannot be read now is tried again when the store is opened the next time.
    func completeEditions() {
        let sql = "SELECT * FROM region WHERE mapVersion IS NULL"
        for var record in (try? database.read { try RegionRecord.fetchAll($0, sql: sql) }) ?? [] {
            if record.foreign == nil {
                do {
                    record.edition = try MapDescription.edition(of: map(of: record.id))
                } catch let error as RegionStoreError where error.code != .invalidFile {
                    continue
                } catch {
                    // What is known of a damaged map stays.
                }
            }
            try? database.write { [edition = record.edition, id = record.id] database in
                try database.execute(
                    sql: """
                        UPDATE region SET mapDate = ?, newestMapDate = ?, mapVersion = ?
                        WHERE id = ? AND mapVersion IS NULL
                        """,
                    arguments: [
                        edition.date?.timeIntervalSince1970, edition.newestDate?.timeIntervalSince1970,
                        edition.version ?? "", id.uuidString,
                    ]
                )
            }
        }
    }
}
