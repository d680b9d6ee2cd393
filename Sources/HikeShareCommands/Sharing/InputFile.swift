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

    var path: String
    var kind: Kind

    /// Looks at how the file begins; its name does not matter.
    ///
    /// - Throws: ``CommandError`` if it cannot be read or is of no kind that can be imported.
    init(lookingAt path: String) throws {
        self.path = path
        guard let kind = Self.kind(of: try Self.beginning(of: path)) else {
            throw CommandError(
                .unknownFile,
                "\(path) is neither a map (.mbtiles), nor a GPX file, nor a photo.",
                remedy:
                    "Give .mbtiles, .gpx, JPEG, PNG, WebP or HEIF files; a routing database goes with --routing FILE."
            )
        }
        self.kind = kind
    }

    /// Tells a kind by the first bytes; nil for any other.
    static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) { return .database }
        if PhotoFormat(beginning: bytes) != nil { return .photo }
        // The marks and spaces before it, and the zero bytes of UTF-16, do not matter for a guess.
        let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !skipped.contains($0) } == UInt8(ascii: "<") ? .xml : nil
    }

    private static func beginning(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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

    private static func failure(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .unknownFile,
            "\(path) cannot be read: \(String(cString: strerror(number))).",
            remedy: number == ENOENT ? "Check the name of the file." : nil
        )
    }
}
