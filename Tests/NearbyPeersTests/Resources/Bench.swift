import Foundation
import PeerTestSupport

/// Folders for a received file and for parts that are kept.
struct Bench: Sendable {
    let directory: TemporaryDirectory

    /// The folder of the destination.
    var folder: URL { directory.url.appending(path: "folder", directoryHint: .isDirectory) }
    /// A folder that nothing must be written to.
    var outside: URL { directory.url.appending(path: "outside", directoryHint: .isDirectory) }
    /// The folder of the parts; it does not exist at first.
    var partials: URL { directory.url.appending(path: "partials", directoryHint: .isDirectory) }

    /// All names in the folder.
    var names: [String] { list(folder) }
    /// The names in the folder that people see.
    var visibleNames: [String] { names.filter { !$0.hasPrefix(".") } }
    /// The names of the parts.
    var keptNames: [String] { list(partials).filter { $0 != "lock" } }

    static func with(_ body: (Bench) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let bench = Bench(directory: directory)
            for url in [bench.folder, bench.outside] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
            try await body(bench)
        }
    }

    /// A place in the folder.
    func url(_ name: String) -> URL { folder.appending(path: name, directoryHint: .notDirectory) }

    private func list(_ url: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
