import RegionModel

/// A file that a program sends to be imported, by its name and the folders that it is in there.
package struct ArrivingFile: Hashable, Sendable {
    /// The maximum length of a path, in bytes.
    private static let maximumLength = 1024
    /// The maximum number of folders around a file.
    private static let maximumDepth = 32

    /// The folders and the name, from the outermost.
    let names: [String]
    /// The size of the file, in bytes.
    package let size: UInt64

    /// The names, separated by slashes.
    package var path: String { names.joined(separator: "/") }

    /// The folders, from the outermost, with those around them.
    var folders: [String] { (1..<max(1, names.count)).map { names.prefix($0).joined(separator: "/") } }

    /// Reads a path; nil if it does not lead to a file below the folder that it begins in.
    package init?(path: String, size: UInt64) {
        guard path.utf8.count <= Self.maximumLength, !path.utf8.contains(0) else { return nil }
        // By bytes: in text, a slash and an accent after it are one character, which is no slash.
        let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard names.count <= Self.maximumDepth, names.allSatisfy(Self.isName) else { return nil }
        (self.names, self.size) = (names, size)
    }

    /// Whether a file or a folder can have a name.
    private static func isName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
    }
}
