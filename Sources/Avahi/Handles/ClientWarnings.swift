import CAvahi
import Glibc

/// The warnings that libavahi-client prints.
///
/// The library subscribes to all signals of the bus itself, and writes a line to C's `stderr` for each signal that it
/// does not know. One is `ActivatableServicesChanged` of newer buses, which is sent whenever a package is installed.
/// The lines would disturb a terminal on which a program draws. The library has no setting for them, and its connection
/// to the bus is private.
enum ClientWarnings {
    /// The start of such a line.
    private static let start = "WARNING: Unhandled message: interface=org.freedesktop.DBus,"

    /// Suppresses these lines, and nothing else; takes effect once for the process.
    static let areLeftOut: Bool = {
        // Look up the variable that all libraries share, wherever the linker has put it.
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "stderr") else { return false }
        let functions = cavahi_stream_functions(
            read: nil,
            write: { _, bytes, count in ClientWarnings.write(bytes, count) },
            seek: nil,
            close: nil
        )
        guard let file = cavahi_open_stream(nil, "w", functions) else { return false }
        // As stderr: each call writes at once, and in one piece.
        setvbuf(file, nil, _IONBF, 0)
        symbol.assumingMemoryBound(to: UnsafeMutablePointer<FILE>?.self).pointee = file
        return true
    }()

    /// Writes bytes to standard error, unless they are one of these lines.
    ///
    /// - Returns: The number of bytes that are done.
    private static func write(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, count > 0 else { return 0 }
        let all = UnsafeRawBufferPointer(start: bytes, count: count)
        if all.starts(with: start.utf8) { return count }
        var written = 0
        while written < count {
            let result = Glibc.write(STDERR_FILENO, bytes + written, count - written)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { break }
            written += result
        }
        return written
    }
}
