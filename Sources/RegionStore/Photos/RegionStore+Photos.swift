public import FoundationEssentials
import GRDB
import Glibc
import PeerProtocol

extension RegionStore {
    /// Returns what is known of the photos of a region's waypoints.
    public func photos(of regionID: UUID) throws -> [Photo] {
        try database.read { try PhotoRecord.summaries(of: regionID, $0) }
    }

    /// Gives a waypoint a photo, which counts as an edit of the waypoint.
    ///
    /// - Parameters:
    ///   - path: A JPEG, PNG, WebP or HEIF file of at most ``Photo/maximumSize`` bytes; it is copied as it is.
    ///   - waypointID: The waypoint.
    ///   - regionID: Its region.
    ///   - replacing: Whether it may take the place of another photo.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidFile`` if it is no photo or too large,
    ///   ``RegionStoreError/Code/notFound`` if there is no such file or waypoint, ``RegionStoreError/Code/conflict`` if
    ///   the waypoint has another photo that may not be replaced.
    public func importPhoto(
        at path: String,
        for waypointID: UUID,
        in regionID: UUID,
        replacing: Bool = false
    ) throws {
        let data = try Self.readPhoto(path)
        try database.write { database in
            guard var waypoint = try RegionItemRecord<Waypoint>.fetchOne(waypointID, of: regionID, database) else {
                throw RegionStoreError(.notFound, "There is no waypoint \(waypointID.uuidString) in this region.")
            }
            let local = try PhotoRecord.fetchOne(of: waypointID, in: regionID, database)
            if let local {
                guard local.data != data else { return }
                guard replacing else {
                    throw RegionStoreError(
                        .conflict,
                        "“\(waypoint.label)” already has a different photo.",
                        remedy: "Ask for it to be replaced, or keep it."
                    )
                }
            }
            // Newer than what it takes the place of, though that came from a machine whose clock is ahead; but not than a
            // time that cannot be, which loses anyway.
            let latest = max(waypoint.effectiveDate, local?.modifiedAt ?? .distantPast)
            let isPossible = latest < MergeClock.tomorrow
            let now = isPossible ? max(Date(), latest.addingTimeInterval(1)) : MergeClock.now
            waypoint.modifiedAt = now
            waypoint.hasPhoto = true
            try RegionItemRecord(regionID: regionID, item: waypoint).update(database)
            try PhotoRecord(regionID: regionID, waypointID: waypointID, modifiedAt: now, data: data).save(database)
        }
    }

    /// Writes a waypoint's photo to a file, as it was imported.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the file exists already,
    ///   ``RegionStoreError/Code/notFound`` if the waypoint has no photo here.
    public func exportPhoto(of waypointID: UUID, in regionID: UUID, to path: String) throws {
        let record = try database.read { try PhotoRecord.fetchOne(of: waypointID, in: regionID, $0) }
        guard let record else {
            throw RegionStoreError(.notFound, "The waypoint \(waypointID.uuidString) has no photo in this store.")
        }
        try FileExport.write(to: path) { (file) throws(SystemError) in
            try file.write(Array(record.data))
        }
    }

    /// Writes the photos of a region as they are sent; nil if it has none.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` if they are too many to be sent.
    func writePhotos(of regionID: UUID, to folder: Folder, as name: String, _ database: Database) throws -> OpenFile? {
        let count = try PhotoRecord.all(of: regionID).fetchCount(database)
        guard count > 0 else { return nil }
        let tooMany = RegionStoreError(
            .invalidArgument,
            "This region has too many photos to send: \(count).",
            remedy: "Send the region without photos."
        )
        guard count <= PhotoArchive.maximumCount else { throw tooMany }
        let file = try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
            try folder.createFile(name)
        }
        var writer = PhotoArchive.Writer(to: file)
        // Piece by piece: together they may be larger than memory.
        let photos = try Row.fetchCursor(
            database,
            sql: PhotoRecord.Place.columns + " ORDER BY waypointID",
            arguments: [regionID.uuidString]
        )
        while let row = try photos.next() {
            let photo = try PhotoRecord.Place(row: row)
            guard writer.size + PhotoArchive.length(ofPhoto: photo.size) <= PhotoArchive.maximumSize else {
                throw tooMany
            }
            let blob = try PhotoBlob(rowID: photo.rowID, isWritable: false, database)
            do {
                try writer.append(blob, of: photo.waypointID, modifiedAt: photo.modifiedAt)
            } catch let error as SystemError {
                throw RegionStoreError.storage("written", "The store", error)
            }
        }
        return file
    }

    private static func readPhoto(_ path: String) throws -> Data {
        let bytes = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            return try file.prefix(Int(clamping: min(try file.size(), UInt64(Photo.maximumSize) + 1)))
        }
        guard PhotoFormat(beginning: bytes) != nil else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a photo that can be shared.",
                remedy: "Give a JPEG, PNG, WebP or HEIF file."
            )
        }
        guard bytes.count <= Photo.maximumSize else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is larger than \(Photo.maximumSize >> 20) MiB.",
                remedy: "Make it smaller first."
            )
        }
        return Data(bytes)
    }
}
