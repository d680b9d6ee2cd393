import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel
import TrackFiles

/// A file to import.
///
/// Its content determines its kind.
package struct InputFile: Hashable, Sendable {
    /// The name of the file as text.
    package var path: String
    /// The path at which the file can be opened.
    ///
    /// A name that is not UTF-8 cannot be represented as text.
    package var location: String
    /// The kind of the file.
    package var kind: ImportKind
    /// Why a file of a folder is nothing to import, if that is not plain.
    package private(set) var reason: String?
    /// Keeps a file open whose name is not UTF-8.
    private let held: OpaqueFile?
    /// Whether it was sent for the import alone, so that it need not stay where it is.
    private var isSent = false

    /// Detects the files of a command line, and those in its folders.
    ///
    /// - Parameters:
    ///   - folder: The folder in which the paths begin; nil for the current one.
    ///   - areForeign: Whether the files are taken as they are, whatever they are, except those in folders.
    ///   - refuse: Called with the name and the error of a file that cannot be read or cannot be imported.
    package static func all(
        _ paths: [String],
        arguments: [[CChar]],
        in folder: String? = nil,
        areForeign: Bool = false,
        refuse: (_ path: String, _ error: any Error) throws -> Void = { throw $1 }
    ) throws -> [InputFile] {
        var opaque = arguments.filter { String(validating: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) == nil }
        let start = folder.map { $0 + "/" } ?? ""
        return try paths.flatMap { path -> [InputFile] in
            let location = start + path
            if FileStatus(path: location)?.kind == .folder, !TileFolder.isTileFolder(location),
                TileFolder.oddTile(in: location) == nil
            {
                return try ImportKind.files(in: location).compactMap { location in
                    let path = String(decoding: location.utf8.dropFirst(start.utf8.count), as: UTF8.self)
                    do {
                        return try InputFile(lookingAt: path, at: location, isInFolder: true)
                    } catch {
                        try refuse(path, error)
                        return nil
                    }
                }
            }
            // Two names may be equal as text; their order distinguishes them.
            let index = opaque.firstIndex { name in
                String(decoding: name.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) == path
            }
            do {
                let name = index.map { opaque.remove(at: $0) }
                let place = folder == nil ? nil : location
                return [try InputFile(lookingAt: path, named: name, at: place, isForeign: areForeign)]
            } catch {
                try refuse(path, error)
                return []
            }
        }
    }

    /// Looks at files that were sent for the import, and at those in their folders, which must exist until then.
    ///
    /// - Parameter refuse: Called with the name and the error of a file that cannot be read or cannot be imported.
    package static func all(
        _ sent: ArrivingFiles,
        refuse: (_ path: String, _ error: any Error) throws -> Void
    ) throws -> [InputFile] {
        try all(sent.paths, arguments: [], in: sent.folder, refuse: refuse).map { file in
            var file = file
            file.isSent = true
            return file
        }
    }

    /// Returns the work of the import of this file.
    package func work() -> ImportWork { ImportWork(takesFile: isSent) }

    /// Returns an error that has the name of the file instead of the path at which it is.
    package func naming(_ error: any Error) -> any Error {
        guard location != path, var named = error as? RegionStoreError else { return error }
        named.message = named.message.replacing(location, with: path)
        named.remedy = named.remedy?.replacing(location, with: path)
        return named
    }

    /// The arguments of this process, without their terminating zeros.
    package static var arguments: [[CChar]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// Detects the kind of a file by its first bytes, not by its name.
    ///
    /// - Parameters:
    ///   - name: The name as bytes, if it is not UTF-8.
    ///   - location: The path at which the file is, if that is not its name.
    ///   - isInFolder: Whether it was found in a folder, so that it may be anything.
    ///   - isForeign: Whether it is taken as it is, whatever it is.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such file,
    ///   `RegionStoreError.Code.storage` if it cannot be read, `RegionStoreError.Code.invalidFile` if it cannot be imported.
    package init(
        lookingAt path: String,
        named name: [CChar]? = nil,
        at location: String? = nil,
        isInFolder: Bool = false,
        isForeign: Bool = false
    ) throws {
        self.path = path
        held = try name.map { try OpaqueFile($0, path) }
        let location = location ?? held?.location ?? path
        self.location = location
        if FileStatus(path: location)?.kind == .folder, TileFolder.isTileFolder(location) {
            // Routing databases are found by the name of their map.
            while self.path.hasSuffix("/"), self.path.utf8.count > 1 { self.path.removeLast() }
            kind = .map
            return
        }
        if FileStatus(path: location)?.kind == .folder, let tile = TileFolder.oddTile(in: location) {
            throw RegionStoreError(
                .invalidFile,
                "\(path) looks like a folder of tiles, but has tiles with names that are not read, such as "
                    + "\(tile.replacing(location, with: path)).",
                remedy: "Name the tiles ZOOM/COLUMN/ROW.png, or with another ending: jpg, webp, avif, pbf, mvt or mlt."
            )
        }
        let beginning = try Self.beginning(of: location, called: path)
        if let format = Self.foreignFormat(of: location, called: path) ?? (isForeign ? .other : nil) {
            kind = .foreign(format)
            return
        }
        if let other = OtherFormat.error(beginning: beginning) {
            throw RegionStoreError(.invalidFile, "\(path): \(other.message)", remedy: other.remedy)
        }
        guard let kind = ImportKind(beginning: beginning) ?? (isInFolder ? .other : nil) else {
            if let format = ForeignFormat(fileName: path) {
                throw RegionStoreError(
                    .invalidFile,
                    "\(path) is not a complete \(format.title), or a file of another kind.",
                    remedy: "Download it again.",
                    cause: UnknownFileKind()
                )
            }
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a map (.mbtiles, .pmtiles, .sqlitedb, .gpkg, .obf, .map, .img, .mwm), a track file "
                    + "(\(TrackFormat.names)) or a photo.",
                remedy: "Give folders, maps, track files, or JPEG, PNG, WebP or HEIF files.",
                cause: UnknownFileKind()
            )
        }
        self.kind = kind
        if kind == .other { reason = ForeignFormat(fileName: path).map { "not a complete \($0.title)" } }
        if [.map, .routing].contains(kind), held?.hasLog == true {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has a file beside it with its last changes, which cannot be read because the name is not UTF-8.",
                remedy: "Rename both files, or close the program that has them open."
            )
        }
    }

    /// Returns what map of another program a file is, by its name and its header; nil for any other file.
    private static func foreignFormat(of location: String, called path: String) -> ForeignFormat? {
        guard let format = ForeignFormat(fileName: path), let file = try? OpenFile(location, O_RDONLY | O_NONBLOCK),
            (try? ForeignHeader.read(file, as: format)) != nil
        else { return nil }
        return format
    }

    private static func beginning(of location: String, called path: String) throws -> [UInt8] {
        let descriptor = open(location, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard let status = FileStatus(of: descriptor) else { throw failure(path, errno) }
        guard status.kind == .regular else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) is not a file.",
                remedy: "Give maps, track files and photos."
            )
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, errno) }
        guard count > 0 else {
            throw RegionStoreError(.invalidFile, "\(path) is empty.", remedy: "Export or download it again.")
        }
        return Array(bytes.prefix(count))
    }

    fileprivate static func failure(_ path: String, _ number: Int32) -> RegionStoreError {
        let error = SystemError(number: number)
        return RegionStoreError(
            error.isOfMissingFile ? .notFound : .storage,
            "\(path) cannot be read: \(String(cString: strerror(number))).",
            remedy: error.isOfMissingFile ? "Check the name. Put names of several words in quotation marks." : nil,
            cause: error
        )
    }
}

/// The cause of the error for a file that is nothing to import, but could be taken as it is.
package struct UnknownFileKind: Error {}

/// An open file whose name is not UTF-8.
private final class OpaqueFile: Hashable, Sendable {
    private let descriptor: CInt
    /// Whether an SQLite write-ahead log or journal is beside the file.
    let hasLog: Bool

    init(_ name: [CChar], _ path: String) throws {
        descriptor = open(name + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InputFile.failure(path, errno) }
        hasLog = ["-wal", "-journal"].contains { access(name + $0.utf8CString, F_OK) == 0 }
    }

    deinit { close(descriptor) }

    /// A path of the open file that can be represented as text.
    var location: String { "/proc/self/fd/\(descriptor)" }

    static func == (one: OpaqueFile, other: OpaqueFile) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
