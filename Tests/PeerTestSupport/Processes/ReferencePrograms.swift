import Foundation

/// What other programs read of files.
///
/// `Scripts/setup test` installs them.
public enum ReferencePrograms {
    /// A program is missing or has failed.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    /// Runs a script of `Tests/ReferenceArchives`.
    ///
    /// - Parameters:
    ///   - script: The name of the script.
    ///   - arguments: Its arguments.
    /// - Returns: The lines that it prints.
    /// - Throws: ``Failure``, or what starting a process throws.
    public static func run(_ script: String, _ arguments: [String]) async throws -> [String] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let python = tests.deletingLastPathComponent().appendingPathComponent(".build/python/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(description: "\(python) is missing: Scripts/setup test installs it")
        }
        let path = tests.appendingPathComponent("ReferenceArchives/\(script)").path
        return try await ChildProcess.with(python, [path] + arguments) { child in
            let (status, output, errors) = await child.complete()
            guard status == .exited(0) else {
                throw Failure(description: "\(script) \(arguments): \(errors.joined(separator: "\n"))")
            }
            return output
        }
    }
}
