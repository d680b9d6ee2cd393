import FoundationEssentials
import MapFiles
import PeerProtocol

/// An SQLite file of a stranger.
enum DatabaseBody {
    static func run(_ input: [UInt8], _ kind: ResourceKind) throws {
        let path = folder + "/hikeshare-fuzz-" + UUID().uuidString
        try Data(input).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for isThorough in [false, true] {
            try? UntrustedFile.check(path, as: kind, isThorough: isThorough, seconds: 0.2)
        }
        let isUntouched = try Data(contentsOf: URL(filePath: path)) == Data(input)
        try require(isUntouched, "the file was changed")
        for suffix in ["-wal", "-journal", "-shm"] {
            try require(!FileManager.default.fileExists(atPath: path + suffix), "a file was made beside it")
        }
    }

    /// Memory, where there is a file system for it: the disk would be the slowest part.
    static let folder =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? "/dev/shm" : ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
}
