import Foundation

/// Where things are that the tests need.
enum Place {
    /// The folder of the built programs: they lie beside the tests.
    static let folder: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/hikeshare") } ?? folders[0]
    }()

    /// The program that is tested: that of this build, or the one that `HIKESHARE_PROGRAM` names.
    static let program = ProcessInfo.processInfo.environment["HIKESHARE_PROGRAM"] ?? folder + "/hikeshare"

    /// The folder that the project is in.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// A file of the example region.
    static func example(_ name: String) -> String { repository + "/Docs/example/" + name }
}
