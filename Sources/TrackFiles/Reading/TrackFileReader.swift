package import FoundationEssentials
import Glibc
import PeerStorage
package import RegionModel

/// A reader of GPX 1.0 and 1.1 files.
///
/// Waypoints become `Waypoint`s, routes and tracks without times `PlannedRoute`s, and tracks with times `SavedRoute`s. The
/// file is read piece by piece. A route or track with more points than can be sent is divided.
///
/// - Nothing is invented: an elevation or a time that is missing stays missing, and times stay in the order of the file.
/// - What OpenHiker's models have no field for is in the supplement of an item: segments, exact positions, values of sensors,
///   symbols, links and other texts.
/// - ``GPXDocument/leftOut`` tells what the document does not hold: routes and tracks without points, points without a valid
///   position, and elements that are not known.
/// - An item that ``GPXWriter`` wrote has the id of the file. Other ids are derived from the name, the positions and the times, so a
///   file that is imported twice gives the same items.
/// - One bad element costs itself and not the rest: a text that is too long, a character that is not allowed, a point without a
///   position is left out and counted.
/// - The memory that the content takes is bounded (``GPXLimits/heldLength``), whatever a file has many of.
/// - A name that is missing is the file's own if it holds just this item, else "Track 1" or "Route 1".
///
/// Entities cannot be declared and nothing is fetched: a file with a document type is refused.
package struct TrackFileReader: Sendable {
    /// The time that is used if the file has none.
    package var now: Date

    /// What a file may hold.
    package var limits: GPXLimits

    private static let pieceLength = 256 * 1024

    /// Creates a reader.
    package init(now: Date = Date(), limits: GPXLimits = .file) {
        self.now = now
        self.limits = limits
    }

    /// Reads a file.
    ///
    /// - Parameter path: The path. An item without a name gets the name of the file, without its extension.
    /// - Returns: The content, with at least one item.
    /// - Throws: `RegionStoreError` `notFound` or `storage` if the file cannot be opened; otherwise see ``read(_:named:)``.
    package func read(contentsOf path: String) throws(RegionStoreError) -> GPXDocument {
        try read(contentsOf: path, called: path)
    }

    /// Reads a file whose original name differs from its path.
    package func read(contentsOf path: String, called name: String) throws(RegionStoreError) -> GPXDocument {
        let url = URL(fileURLWithPath: name)
        let (file, size) = try open(path, called: name)
        do throws(RegionStoreError) {
            guard size <= UInt64(max(0, limits.fileSize)) else { throw tooLarge }
            var position: UInt64 = 0
            return try read(named: url.deletingPathExtension().lastPathComponent) {
                // Bytes that are appended meanwhile are ignored.
                let length = Int(min(UInt64(Self.pieceLength), size - min(size, position)))
                var bytes = [UInt8](repeating: 0, count: length)
                let count = try bytes.withUnsafeMutableBytes { buffer in
                    try RegionStoreError.mapping("read", name) { () throws(SystemError) in
                        try file.read(into: buffer, at: position)
                    }
                }
                position += UInt64(count)
                return Array(bytes.prefix(count))
            }
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
            remedy: "Give a GPX file."
        )
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - data: The bytes, in UTF-8, UTF-16 or the encoding that they declare.
    ///   - name: The name of a single item without a name.
    /// - Returns: The content, with at least one item.
    /// - Throws: `RegionStoreError` `invalidFile` if the bytes are not GPX or have no items.
    package func read(_ data: Data, named name: String = "") throws(RegionStoreError) -> GPXDocument {
        guard data.count <= limits.fileSize else { throw tooLarge }
        var rest = data[...]
        return try read(named: name) {
            let piece = Array(rest.prefix(Self.pieceLength))
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }

    private func read(
        named name: String,
        _ source: @escaping GPXText.Source
    ) throws(RegionStoreError) -> GPXDocument {
        var text = GPXText(source)
        var parser = GPXParser({ try text.next() }, limits: limits, conversion: GPXConversion(now: now, stem: name))
        return try parser.parse { text.oddByteCount }
    }

    private var tooLarge: RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file is larger than \(limits.fileSize / 1_000_000) MB.",
            remedy: "Divide it into several files, and import them one by one."
        )
    }
}
