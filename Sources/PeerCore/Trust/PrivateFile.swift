import Glibc

/// A small file that only its owner can read.
enum PrivateFile {
    private static let maximumLength = 64 * 1024

    /// Returns the file's text; nil if there is no such file.
    static func read(_ path: String) throws(PeerError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("The file \(path) cannot be opened")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumLength)
        var length = 0
        while length < maximumLength {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("The file \(path) cannot be read") }
            if count == 0 { break }
            length += count
        }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    /// Creates a file, completely or not at all; returns false if the file exists.
    static func create(_ path: String, contents: String) throws(PeerError) -> Bool {
        // Two threads of one process may do this at the same time.
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("The file \(temporary) cannot be created") }
        defer { unlink(temporary) }
        var bytes = Array(contents.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure("The file \(temporary) cannot be written")
                close(descriptor)
                throw error
            }
            bytes = bytes.dropFirst(count)
        }
        // The contents are on the disk before the file gets its name, so a crash leaves no incomplete file.
        let synced = fsync(descriptor) == 0
        close(descriptor)
        guard synced else { throw failure("The file \(temporary) cannot be written") }
        // Unlike a rename, a link does not replace a file that another process has created in the meantime.
        if link(temporary, path) == 0 { return true }
        if errno == EEXIST { return false }
        throw failure("The file \(path) cannot be created")
    }

    private static func failure(_ what: String) -> PeerError {
        PeerError(
            .identity,
            "\(what): \(String(cString: strerror(errno))).",
            remedy: "Check the permissions and the free space of the store."
        )
    }
}
