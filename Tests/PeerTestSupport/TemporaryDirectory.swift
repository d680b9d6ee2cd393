public import Foundation

/// A folder of a test's own, removed with everything in it when the scope ends.
public struct TemporaryDirectory: Sendable {
    /// Where the folder is.
    public let path: String

    /// The folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// Returns the path of something in the folder.
    public func path(_ name: String) -> String { path + "/" + name }

    /// Makes a folder, calls `body` with it and removes it.
    ///
    /// One in memory is for many small files that no disk should be bothered with.
    public static func with<Result>(
        isInMemory: Bool = false,
        _ body: (TemporaryDirectory) async throws -> Result
    ) async throws -> Result {
        let base = isInMemory ? "/dev/shm" : ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let directory = TemporaryDirectory(path: base + "/hikeshare-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        return try await body(directory)
    }
}
