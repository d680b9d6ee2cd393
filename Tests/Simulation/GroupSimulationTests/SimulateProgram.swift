import Foundation

/// The program `Simulate`.
enum SimulateProgram {
    /// The built program, beside that of the tests.
    private static let path: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        let folder = folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/Simulate") }
        return (folder ?? folders[0]) + "/Simulate"
    }()

    /// Runs the program.
    ///
    /// - Returns: Its exit status, and the lines that it has printed.
    static func run(_ arguments: [String]) async throws -> (status: Int32, output: [Substring]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // In a thread of its own, because it waits for minutes.
        let text = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = output.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return (status, text.split(separator: "\n"))
    }
}
