import FoundationEssentials
import GRDB
import RegionModel
import TrackFiles

// The texts of a GPX file are stored as the JSON that is sent.
extension Row {
    func gpxWords() throws -> GPXWords? {
        guard let text: String = self["gpx"] else { return nil }
        return try JSONDecoder().decode(GPXWords.self, from: Data(text.utf8))
    }
}

extension PersistenceContainer {
    mutating func set(_ words: GPXWords?) throws {
        self["gpx"] = try words.map { String(decoding: try SharedJSON.encoder().encode($0), as: UTF8.self) }
    }
}

extension ItemSupplement {
    /// Checks that the tables can be read, without keeping them.
    ///
    /// - Throws: `RegionStoreError` if one cannot be read.
    func checkTables() throws(RegionStoreError) {
        for table in [track, sensors] {
            guard let table else { continue }
            _ = try TrackColumns(decoding: table)
        }
    }
}
