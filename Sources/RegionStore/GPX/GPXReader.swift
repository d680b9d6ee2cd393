public import Foundation

/// A reader of GPX 1.0 and 1.1 files.
///
/// Waypoints become ``Waypoint``s, routes ``PlannedRoute``s, and tracks ``SavedRoute``s, their segments joined. What is
/// in no GPX schema is skipped, and so are routes and tracks without points.
///
/// - Ids are derived from what an item says, so a file that is imported twice gives the same items.
/// - A name that is missing is the file's own if it holds just this item, else "Track 1" or "Route 1".
/// - Times before 1970, and times earlier than one before them, count as missing; if fewer than half of a track's times
///   are left, none is used. Without times a hike begins at the file's time, or now, and takes as long as an estimate says.
/// - Elevations that are on no mountain and in no trench count as missing.
///
/// Entities cannot be declared and nothing is fetched: a file with a document type is refused.
public struct GPXReader: Sendable {
    /// The time that is taken where the file says none.
    public var now: Date

    /// The largest file, in bytes.
    public var maximumFileSize = 200_000_000

    /// The most points of a file, and the most in one of its tracks.
    public var maximumPointCount = TrackCodec.maximumPointCount

    /// Creates a reader.
    public init(now: Date = Date()) {
        self.now = now
    }

    /// Reads a file.
    ///
    /// - Parameter path: Where it is. Its name without the extension names what has no name.
    /// - Returns: What it holds: at least one item.
    /// - Throws: ``RegionStoreError`` `notFound` or `storage` if it cannot be opened, else as ``read(_:named:)``.
    public func read(contentsOf path: String) throws(RegionStoreError) -> GPXDocument {
        let url = URL(fileURLWithPath: path)
        let fileName = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: path) else {
            throw RegionStoreError(.notFound, "There is no file \(path).", remedy: "Check the name.")
        }
        let data: Data
        do {
            // A pipe has no size and may never end.
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                throw RegionStoreError(.invalidFile, "\(fileName) is not a file.")
            }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            data = try handle.read(upToCount: maximumFileSize + 1) ?? Data()
        } catch let error as RegionStoreError {
            throw error
        } catch {
            throw RegionStoreError(
                .storage,
                "\(fileName) cannot be read.",
                remedy: "Check that you may read it.",
                cause: error
            )
        }
        do {
            return try read(data, named: url.deletingPathExtension().lastPathComponent)
        } catch {
            var named = error
            named.message = "\(fileName): \(error.message)"
            throw named
        }
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - data: The bytes, in UTF-8, UTF-16 or the encoding that they declare.
    ///   - name: What names a single item that has no name.
    /// - Returns: What they hold: at least one item.
    /// - Throws: ``RegionStoreError`` `invalidFile` if they are not GPX, hold nothing, or hold a point that is not on
    ///   Earth; the message names the line.
    public func read(_ data: Data, named name: String = "") throws(RegionStoreError) -> GPXDocument {
        guard data.count <= maximumFileSize else {
            throw RegionStoreError(.invalidFile, "The file is larger than the \(maximumFileSize) bytes that are read.")
        }
        var parser = GPXParser(try GPXPrologue.prepared(data), maximumPointCount: maximumPointCount)
        let content = try parser.parse()
        return try GPXConversion(now: now, stem: name).document(content)
    }
}
