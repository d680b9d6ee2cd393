import Glibc

/// Files in which the system describes itself.
package enum SystemFile {
    /// The maximum number of names that are read of a folder.
    private static let maximumNames = 4096

    /// Reads the start of a file; nil if it cannot be read.
    package static func text(_ path: String, upTo maximumLength: Int = 65_536) -> String? {
        // Opening a pipe must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        // The kernel writes its lists page by page.
        var page = [UInt8](repeating: 0, count: 4096)
        while bytes.count < maximumLength {
            let count = read(descriptor, &page, min(page.count, maximumLength - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += page[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the first word of a file; nil if it cannot be read or has none.
    package static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Whether there is something at a path; a symbolic link counts, whatever it leads to.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns when a file was last written, in seconds since 1970; nil if there is no file.
    package static func modificationTime(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    /// Returns the names in a folder, without those that begin with a dot.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < maximumNames, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
