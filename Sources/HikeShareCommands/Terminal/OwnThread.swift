import Dispatch

/// Work that blocks, and that nothing else shall wait for.
enum OwnThread {
    /// Runs work on a thread of its own.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "hikeshare.work").async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
