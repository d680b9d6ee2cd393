package import FoundationEssentials
import Glibc
import PeerStorage
package import RegionModel

/// A reader of files of tracks: GPX 1.0 and 1.1, KML 2.2, KMZ, GeoJSON, TCX and FIT.
///
/// The first bytes of a file say what it is.
///
/// Waypoints become `Waypoint`s, routes and tracks without times `PlannedRoute`s, and tracks with times `SavedRoute`s. The
/// file is read piece by piece. A route or track with more points than can be sent is divided. What another format says is
/// taken as the GPX file that says the same.
///
/// - Nothing is invented: an elevation or a time that is missing stays missing, and times stay in the order of the file.
/// - What OpenHiker's models have no field for is in the supplement of an item: segments, exact positions, values of sensors,
///   symbols, links and other texts.
/// - ``TrackDocument/leftOut`` tells what the document does not hold: routes and tracks without points, points without a valid
///   position, and elements that are not known.
/// - An item that ``GPXWriter`` wrote has the id of the file. Other ids are derived from the name, the positions and the times, so a
///   file that is imported twice gives the same items.
/// - One bad element costs itself and not the rest: a text that is too long, a character that is not allowed, a point without a
///   position is left out and counted.
/// - The memory that the content takes is bounded (``TrackFileLimits/heldLength``), whatever a file has many of.
/// - A name that is missing is the file's own if it holds just this item, else "Track 1" or "Route 1".
///
/// Entities cannot be declared and nothing is fetched: an XML file with a document type is refused.
package struct TrackFileReader: Sendable {
    /// The time that is used if the file has none.
    package var now: Date

    /// What a file may hold.
    package var limits: TrackFileLimits

    private static let beginningLength = 64 * 1024

    package init(now: Date = Date(), limits: TrackFileLimits = .file) {
        self.now = now
        self.limits = limits
    }

    /// Reads a file, which may have another name than its path; an item without a name gets that name, without its extension.
    package func read(
        contentsOf path: String,
        called original: String? = nil
    ) throws(RegionStoreError) -> TrackDocument {
        let name = original ?? path
        let url = URL(fileURLWithPath: name)
        let (file, size) = try open(path, called: name)
        do throws(RegionStoreError) {
            guard size <= UInt64(max(0, limits.fileSize)) else { throw tooLarge }
            let bytes = TrackFileBytes(size: size) { position, count in
                // Bytes that are appended meanwhile are ignored.
                var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(max(0, count)), size - min(size, position))))
                let length = try bytes.withUnsafeMutableBytes { buffer in
                    try RegionStoreError.mapping("read", name) { () throws(SystemError) in
                        try file.read(into: buffer, at: position)
                    }
                }
                return Array(bytes.prefix(length))
            }
            return try read(bytes, named: url.deletingPathExtension().lastPathComponent)
        } catch {
            guard error.code == .invalidFile else { throw error }
            var named = error
            named.message = "\(name): \(error.message)"
            throw named
        }
    }

    private func open(_ path: String, called name: String) throws(RegionStoreError) -> (file: OpenFile, size: UInt64) {
        do throws(SystemError) {
            // Opening a pipe must not wait for a writer.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            if status.kind == .regular { return (file, status.size) }
        } catch {
            guard error.number != ENOENT, error.number != ENOTDIR else {
                throw RegionStoreError(.notFound, "There is no file \(name).", remedy: "Check the name.", cause: error)
            }
            throw .storage("read", name, error)
        }
        throw RegionStoreError(
            .invalidFile,
            "\(name) is not a file.",
            remedy: "Give a \(TrackFormat.names) file."
        )
    }

    /// Reads the bytes of a file; throws `invalidFile` if they are no file of tracks or have no items.
    package func read(_ data: Data, named name: String = "") throws(RegionStoreError) -> TrackDocument {
        guard data.count <= limits.fileSize else { throw tooLarge }
        let bytes = TrackFileBytes(size: UInt64(data.count)) { position, count in
            Array(data.dropFirst(Int(clamping: position)).prefix(count))
        }
        return try read(bytes, named: name)
    }

    private func read(_ bytes: TrackFileBytes, named name: String) throws(RegionStoreError) -> TrackDocument {
        do {
            let beginning = try bytes.exactly(0, Int(min(bytes.size, UInt64(Self.beginningLength)))) ?? []
            if let error = OtherFormat.error(beginning: beginning) { throw error }
            let assembly = TrackAssembly(limits, now: now, stem: name)
            let all = bytes.pieces(in: 0..<bytes.size)
            switch TrackFormat(beginning: beginning) {
            case .xml, nil: return try XMLTracks.read(assembly, all)
            case .geoJSON: return try GeoJSONParser.read(assembly, bytes)
            case .fit: return try FITParser.read(assembly, all)
            case .zip: return try KMZFile(bytes, limits).document(assembly)
            }
        } catch let error as RegionStoreError {
            throw error
        } catch {
            throw RegionStoreError(.storage, "The file cannot be read.", cause: error)
        }
    }

    private var tooLarge: RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file is larger than \(limits.fileSize / 1_000_000) MB.",
            remedy: TrackAssembly.split
        )
    }
}
