import Glibc
import PeerCore
import PeerProtocol
import PeerStorage

/// A regular file and its digests.
struct HashedFile {
    /// The path, without symbolic links.
    let path: String
    /// The state of the file when it was hashed.
    let status: FileStatus
    /// The digests.
    let contents: FileDigester.Result

    /// Hashes a file; `name` is its name in messages.
    init(_ path: String, _ name: String, _ isStopped: @escaping @Sendable () -> Bool) throws(PeerError) {
        do throws(SystemError) {
            self.path = try Self.resolved(path)
            // Opening has effects on some devices, and waits for a writer on a pipe.
            guard let first = FileStatus(path: self.path) else { throw SystemError(number: errno) }
            try Self.checkKind(first)
            let file = try OpenFile(self.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            status = try file.status()
            try Self.checkKind(status)
            guard let layout = ChunkLayout(size: status.size) else { throw SystemError(number: EFBIG) }
            contents = try FileDigester(isStopped: isStopped).digest(file, layout)
            // If the file was written to in the meantime, its digests belong to no single version of it.
            guard Self.isSame(status, try file.status()) else { throw SystemError(number: ESTALE) }
        } catch {
            throw Self.failure(name, error)
        }
    }

    /// Returns whether a file was not written to between two readings of its status.
    static func isSame(_ one: FileStatus, _ other: FileStatus) -> Bool {
        (one.device, one.number, one.size, one.modifiedNanoseconds)
            == (other.device, other.number, other.size, other.modifiedNanoseconds)
    }

    private static func checkKind(_ status: FileStatus) throws(SystemError) {
        switch status.kind {
        case .regular: return
        case .folder: throw SystemError(number: EISDIR)
        case .other: throw SystemError(number: ENODEV)
        }
    }

    /// Returns a path with all symbolic links resolved.
    private static func resolved(_ path: String) throws(SystemError) -> String {
        // The system would end the path at a NUL.
        guard !path.utf8.contains(0) else { throw SystemError(number: ENOENT) }
        guard let resolved = realpath(path, nil) else { throw SystemError(number: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The error of a file that cannot be offered; the other side may see the error, so it does not contain the path.
    static func failure(_ name: String, _ error: SystemError) -> PeerError {
        switch error.number {
        case ECANCELED: return stopped
        case ESTALE: return changed(name)
        case EFBIG: return tooLarge(name)
        case ENOENT, ENOTDIR:
            return PeerError(
                .invalidArgument,
                "“\(name)” cannot be sent: there is no such file.",
                remedy: "Check the path."
            )
        case EISDIR:
            return PeerError(
                .invalidArgument,
                "“\(name)” cannot be sent: it is a folder.",
                remedy: "Send the files in it, or pack them into one file."
            )
        case ENODEV, ENXIO:
            return PeerError(
                .invalidArgument,
                "“\(name)” cannot be sent: it is a device or a pipe.",
                remedy: "Send a regular file."
            )
        default:
            return PeerError(
                .localStorage,
                "“\(name)” cannot be read: \(error.reason).",
                remedy: error.remedy ?? "Check the file, and try again.",
                cause: error
            )
        }
    }

    /// The error of a file that was written to after it was hashed.
    static func changed(_ name: String) -> PeerError {
        PeerError(
            .localStorage,
            "“\(name)” has changed since it was offered.",
            remedy: "Send it again when no program is changing it."
        )
    }

    static func tooLarge(_ name: String) -> PeerError {
        PeerError(
            .invalidArgument,
            "“\(name)” is too large: at most \(ChunkLayout.maximumSize >> 30) GiB can be sent.",
            remedy: "Split it into smaller files."
        )
    }

    static let stopped = PeerError(.cancelled, "The file is no longer being sent.")
}
