import Foundation
import GRDB
import PeerTestSupport

@testable import RegionStore

/// Files that look like photos.
enum Photos {
    /// The beginning of a JPEG file and random bytes.
    static func jpeg(_ seed: UInt64, size: Int = 50_000) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data([0xFF, 0xD8, 0xFF, 0xE0] + generator.bytes(max(0, size - 4)))
    }

    /// Writes one to a file; returns its path.
    static func file(_ seed: UInt64, size: Int = 50_000, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path("photo-\(seed)-\(size).jpg")
        try jpeg(seed, size: size).write(to: URL(fileURLWithPath: path))
        return path
    }
}

extension RegionStore {
    /// Gives waypoints photos as a transfer does, with times of the test's choice.
    func add(_ photos: [(waypointID: UUID, data: Data, modifiedAt: Date)], to regionID: UUID) throws {
        try database.write { database in
            for photo in photos {
                try PhotoRecord(
                    regionID: regionID,
                    waypointID: photo.waypointID,
                    modifiedAt: photo.modifiedAt,
                    data: photo.data
                ).save(database)
            }
        }
    }

    /// The bytes of a region's photos, by waypoint.
    func photoData(of regionID: UUID) throws -> [UUID: Data] {
        try database.read { database in
            // In pieces, because whole photos as rows count against the memory that other checks of this process may use.
            let sql = PhotoRecord.Place.columns
            let places = try Row.fetchAll(database, sql: sql, arguments: [regionID.uuidString]).map(
                PhotoRecord.Place.init(row:)
            )
            var photos: [UUID: Data] = [:]
            for place in places {
                let photo = try PhotoReader(PhotoBlob(rowID: place.rowID, isWritable: false, database))
                var data = Data()
                try photo?.forEachPiece { data.append(contentsOf: $0) }
                photos[place.waypointID] = data
            }
            return photos
        }
    }
}
