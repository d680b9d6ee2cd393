import Foundation

/// The files of the repository, as the tests of documents read them.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + "/" + path) }

    /// The paths below a folder of the files whose names end with `suffix`, and with an empty one also those of folders.
    static func paths(below folder: String, suffix: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).filter { $0.hasSuffix(suffix) }
            .map { folder + "/" + $0 }
    }

    /// All the code below a folder.
    static func code(below folder: String) throws -> String {
        try paths(below: folder, suffix: ".swift").map(text).joined(separator: "\n")
    }

    /// The targets with code in Sources that have a page for contributors: all but the program's one file.
    static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/Sources").sorted().filter { target in
            try target != "hikeshare" && !paths(below: "Sources/" + target, suffix: ".swift").isEmpty
        }
    }
}
