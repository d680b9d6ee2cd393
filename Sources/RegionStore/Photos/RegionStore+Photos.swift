public import FoundationEssentials
import GRDB
import Glibc
import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Returns the descriptions of a region's photos.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func photos(of regionID: UUID) throws -> [Photo] {
        try database.read { try PhotoRecord.summaries(of: regionID, $0) }
    }

    /// Imports a photo of a waypoint.
    ///
    /// This counts as an edit of the waypoint.
    ///
    /// - Parameters:
    ///   - path: A JPEG, PNG, WebP or HEIF file of at most 16 MiB; it is copied unchanged.
    ///   - waypointID: The waypoint.
    ///   - regionID: The region of the waypoint.
    ///   - replacing: Whether the photo may replace another one.
    /// - Returns: Whether the waypoint did not have this photo.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidFile` if the file is not a photo or too large,
    ///   `RegionStoreError.Code.notFound` if the file or the waypoint does not exist, `RegionStoreError.Code.conflict` if
    ///   the waypoint has another photo and `replacing` is false.
    @discardableResult
    public func importPhoto(
        at path: String,
        for waypointID: UUID,
        in regionID: UUID,
        replacing: Bool = false
    ) throws -> Bool {
        let (file, size) = try Self.openPhoto(path)
        // Piece by piece, because a whole photo needs several times its size in memory.
        let merge = PhotoMerge(regionID: regionID, replacing: replacing, lastWaypoint: .max)
        return try database.write { database in
            guard var waypoint = try RegionItemRecord<Waypoint>.fetchOne(waypointID, of: regionID, database) else {
                throw RegionStoreError(.notFound, "There is no waypoint \(waypointID.uuidString) in this region.")
            }
            let local = try PhotoRecord.Place.fetchOne(of: waypointID, in: regionID, database)
            let now = MergeClock.next(after: max(waypoint.effectiveDate, local?.modifiedAt ?? .distantPast))
            let photo = PhotoArchive.Entry(waypointID: waypointID, modifiedAt: now, range: 0..<size)
            if let local {
                guard try !merge.isSame(photo, of: file, local, database) else { return false }
                guard replacing else {
                    throw RegionStoreError(
                        .conflict,
                        "“\(waypoint.label)” already has a different photo.",
                        remedy: "Ask for it to be replaced, or keep it."
                    )
                }
            }
            waypoint.modifiedAt = now
            waypoint.hasPhoto = true
            try RegionItemRecord(regionID: regionID, item: waypoint).update(database)
            try merge.write(photo, of: file, at: now, local, database)
            return true
        }
    }

    /// Writes a waypoint's photo to a file, with the imported bytes.
    ///
    /// - Parameters:
    ///   - waypointID: The waypoint.
    ///   - regionID: The region of the waypoint.
    ///   - path: The path of the new file.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if the file exists,
    ///   `RegionStoreError.Code.notFound` if the store has no photo of the waypoint.
    public func exportPhoto(of waypointID: UUID, in regionID: UUID, to path: String) throws {
        try exportPhoto(of: waypointID, in: regionID, to: path, withDetails: true)
    }

    /// Writes a waypoint's photo to a file, perhaps without what it says of the camera, the place and the time.
    func exportPhoto(of waypointID: UUID, in regionID: UUID, to path: String, withDetails: Bool) throws {
        try database.read { database in
            guard let place = try PhotoRecord.Place.fetchOne(of: waypointID, in: regionID, database),
                let stored = try PhotoReader(PhotoBlob(rowID: place.rowID, isWritable: false, database))
            else {
                throw RegionStoreError(.notFound, "The waypoint \(waypointID.uuidString) has no photo in this store.")
            }
            guard let photo = withDetails ? stored : try stored.withoutDetails() else {
                throw RegionStoreError(
                    .invalidFile,
                    "The camera, the place and the time cannot be taken out of \(path), because this program cannot read the photo.",
                    remedy: "Write the region without photos, or take them out with another program."
                )
            }
            try FileExport.write(to: path) { file in
                var position: UInt64 = 0
                try photo.forEachPiece { piece in
                    try file.write(piece, at: position)
                    position += UInt64(piece.count)
                }
            }
        }
    }

    /// Returns the beginnings of the names of the waypoints that have photos, by the ids of the waypoints.
    package func photoNames(of regionID: UUID) throws -> [UUID: String] {
        let sql = """
            SELECT id, substr(label, 1, 100) AS name FROM waypoint
            JOIN photo ON photo.regionID = waypoint.regionID AND photo.waypointID = waypoint.id WHERE waypoint.regionID = ?
            """
        return try database.read { database in
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
            var names: [UUID: String] = [:]
            while let row = try rows.next() { names[try row.id("id")] = row["name"] }
            return names
        }
    }

    /// Writes the photos of a region to a file, in the form in which they are sent; returns nil if there are none.
    func writePhotos(
        of regionID: UUID,
        to folder: Folder,
        as name: String,
        _ database: Database,
        changing change: PhotoChange = { $1 }
    ) throws -> OpenFile? {
        let count = try PhotoRecord.all(of: regionID).fetchCount(database)
        guard count > 0 else { return nil }
        guard count <= PhotoArchive.maximumCount else { throw Self.tooManyPhotos(count) }
        let file = try RegionStoreError.mapping("written", "The store") { try folder.createFile(name) }
        return try writePhotos(of: regionID, to: file, database, changing: change) > 0 ? file : nil
    }

    /// Returns what is sent of the photo of a waypoint; nil if it is left out.
    typealias PhotoChange = (_ waypointID: UUID, _ photo: PhotoReader) throws -> PhotoReader?

    /// Computes the digests of the file that ``writePhotos(of:to:as:_:)`` would write; returns nil if there are no photos.
    ///
    /// Calls `isStopped` before each photo, and throws if the result is no longer needed.
    func digestPhotos(
        of regionID: UUID,
        _ database: Database,
        isStopped: () -> Bool = { false }
    ) throws -> FileDigester.Result? {
        var size: UInt64 = 0
        let sizes = try Int.fetchCursor(
            database,
            sql: "SELECT length(data) FROM photo WHERE regionID = ?",
            arguments: [regionID.uuidString]
        )
        while let count = try sizes.next() { size += PhotoArchive.length(ofPhoto: count) }
        guard size > 0, size <= PhotoArchive.maximumSize, let layout = ChunkLayout(size: size) else { return nil }
        let digester = StreamDigester(layout)
        try writePhotos(of: regionID, to: digester, database, isStopped: isStopped)
        return digester.finish()
    }

    /// Writes photos, and returns the number of written bytes.
    @discardableResult
    private func writePhotos(
        of regionID: UUID,
        to output: any ByteOutput,
        _ database: Database,
        changing change: PhotoChange = { $1 },
        isStopped: () -> Bool = { false }
    ) throws -> UInt64 {
        var writer = PhotoArchive.Writer(to: output)
        // One by one, because together they may be larger than the memory.
        let photos = try Row.fetchCursor(
            database,
            sql: PhotoRecord.Place.columns + " ORDER BY waypointID",
            arguments: [regionID.uuidString]
        )
        while let row = try photos.next() {
            if isStopped() { throw CancellationError() }
            let place = try PhotoRecord.Place(row: row)
            let stored = try PhotoReader(PhotoBlob(rowID: place.rowID, isWritable: false, database))
            guard let photo = try stored.flatMap({ try change(place.waypointID, $0) }) else { continue }
            guard writer.size + PhotoArchive.length(ofPhoto: photo.size) <= PhotoArchive.maximumSize else {
                throw Self.tooManyPhotos(try PhotoRecord.all(of: regionID).fetchCount(database))
            }
            do {
                try writer.append(photo, of: place.waypointID, modifiedAt: place.modifiedAt)
            } catch let error as SystemError {
                throw RegionStoreError.storage("written", "The store", error)
            }
        }
        return writer.size
    }

    private static func tooManyPhotos(_ count: Int) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "This region has too many photos to send: \(count).",
            remedy: "Send the region without photos."
        )
    }

    private static func openPhoto(_ path: String) throws -> (file: OpenFile, size: UInt64) {
        let (file, size, beginning) = try RegionStoreError.mapping("read", path) {
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            return (file, try file.size(), try file.prefix(PhotoFormat.signatureLength))
        }
        guard PhotoFormat(beginning: beginning) != nil else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a photo that can be shared.",
                remedy: "Give a JPEG, PNG, WebP or HEIF file."
            )
        }
        guard size <= UInt64(Photo.maximumSize) else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is larger than \(Photo.maximumSize >> 20) MiB.",
                remedy: "Make it smaller first."
            )
        }
        return (file, size)
    }
}
