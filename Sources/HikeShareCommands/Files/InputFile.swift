import Glibc
import PeerCore
import RegionStore

/// A file to import: what it is, by what is in it.
struct InputFile: Hashable, Sendable {
    /// What a file is.
    enum Kind: Sendable {
        case database
        case xml
        case photo
    }

    /// What the file is called.
    var path: String
    /// Where it can be opened: a name that is not UTF-8 gets lost on its way through text.
    var location: String
    var kind: Kind
    /// Holds a file whose name is not UTF-8.
    private let held: OpaqueFile?

    /// Looks at the files of a command line.
    ///
    /// - Parameters:
    ///   - paths: The arguments as text.
    ///   - arguments: All arguments of the process as they are.
    /// - Returns: The files.
    /// - Throws: ``CommandError`` as for one of them.
    static func all(_ paths: [String], arguments: [[CChar]]) throws -> [InputFile] {
        var opaque = arguments.filter { String(validating: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) == nil }
        return try paths.map { path in
            // Two names may look the same; they are in order.
            let index = opaque.firstIndex { name in
                String(decoding: name.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) == path
            }
            return try InputFile(lookingAt: path, named: index.map { opaque.remove(at: $0) })
        }
    }

    /// The arguments of this process, without the zeros at their ends.
    static var arguments: [[CChar]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// Looks at how the file begins; its name does not matter.
    ///
    /// - Parameters:
    ///   - path: What it is called.
    ///   - name: Its name, if that is not UTF-8.
    /// - Throws: ``CommandError`` if it cannot be read or is of no kind that can be imported.
    init(lookingAt path: String, named name: [CChar]? = nil) throws {
        self.path = path
        held = try name.map { try OpaqueFile($0, path) }
        location = held?.location ?? path
        guard let kind = Self.kind(of: try Self.beginning(of: location, called: path)) else {
            throw CommandError(
                .unknownFile,
                "\(path) is not a map (.mbtiles), a GPX file or a photo.",
                remedy:
                    "Give .mbtiles, .gpx, JPEG, PNG, WebP or HEIF files. Add a routing database with --routing FILE."
            )
        }
        self.kind = kind
        if kind == .database, held?.hasLog == true {
            throw CommandError(
                .unknownFile,
                "\(path) has a write-ahead log, which cannot be read because the file name is not UTF-8.",
                remedy: "Rename the file, or close the program that has it open."
            )
        }
    }

    /// Tells a kind by the first bytes; nil for any other.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) { return .database }
        if PhotoFormat(beginning: bytes) != nil { return .photo }
        // The marks and spaces before it, and the zero bytes of UTF-16, do not matter for a guess.
        let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !skipped.contains($0) } == UInt8(ascii: "<") ? .xml : nil
    }

    private static func beginning(of location: String, called path: String) throws -> [UInt8] {
        let descriptor = open(location, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard let status = FileStatus(of: descriptor) else { throw failure(path, errno) }
        guard status.kind == .regular else {
            throw CommandError(.unknownFile, "\(path) is not a file.", remedy: "Give .mbtiles, .gpx and photo files.")
        }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, errno) }
        guard count > 0 else { throw CommandError(.unknownFile, "\(path) is empty.") }
        return Array(bytes.prefix(count))
    }

    fileprivate static func failure(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .unknownFile,
            "\(path) cannot be read: \(String(cString: strerror(number))).",
            remedy: number == ENOENT ? "Check the name of the file." : nil
        )
    }
}

/// An open file whose name is not UTF-8.
private final class OpaqueFile: Hashable, Sendable {
    private let descriptor: CInt
    /// Whether a write-ahead log of SQLite's lies beside it.
    let hasLog: Bool

    init(_ name: [CChar], _ path: String) throws {
        descriptor = open(name + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InputFile.failure(path, errno) }
        hasLog = access(name + "-wal".utf8CString, F_OK) == 0
    }

    deinit {
        close(descriptor)
    }

    /// A path of the open file that is text.
    var location: String { "/proc/self/fd/\(descriptor)" }

    static func == (one: OpaqueFile, other: OpaqueFile) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
