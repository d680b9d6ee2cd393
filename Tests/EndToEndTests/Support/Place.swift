import Foundation

/// Where things are that the tests need.
enum Place {
    /// The built program: it lies beside the tests.
    static let program: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        let found = folders.map { $0 + "/hikeshare" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? folders[0] + "/hikeshare"
    }()

    /// The folder that the project is in.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// A file of the example region.
    static func example(_ name: String) -> String { repository + "/Docs/example/" + name }
}
