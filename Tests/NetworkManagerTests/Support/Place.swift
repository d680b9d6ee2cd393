import Foundation

/// Where built programs are.
enum Place {
    /// The program that makes a wired network: it lies beside the tests.
    static let wiredNetwork: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        let found = folders.map { $0 + "/WiredNetwork" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? folders[0] + "/WiredNetwork"
    }()
}
