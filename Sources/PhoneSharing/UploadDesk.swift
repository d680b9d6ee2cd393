import RegionSharing
import RegionStore

/// Where the files of all phones are examined and decided on.
///
/// Files are examined one at a time, because memory is bounded, and decided on one at a time. The examination of a large file, to which a
/// person has agreed, does not hold up the others.
final class UploadDesk: Sendable {
    private let unasked = AsyncLock()
    private let agreed = AsyncLock()
    private let decisions = AsyncLock()

    /// Examines a file of which nobody was asked, in a bounded time.
    ///
    /// - Throws: `ImportWork.TooLong` if it takes longer; `CancellationError`; the error of `body`.
    func examine<Result: Sendable>(_ body: @escaping @Sendable (ImportWork) throws -> Result) async throws -> Result {
        try await unasked.take { try await Self.run(ImportWork(.unasked), body) }
    }

    /// Examines a file to whose examination a person has agreed.
    ///
    /// - Throws: `CancellationError`; the error of `body`.
    func examineAgreed<Result: Sendable>(
        _ body: @escaping @Sendable (ImportWork) throws -> Result
    ) async throws -> Result {
        try await agreed.take { try await Self.run(ImportWork(.agreed), body) }
    }

    /// Decides on a file while no other file is decided on.
    func decide<Result>(_ body: () async throws -> Result) async throws -> Result { try await decisions.take(body) }

    private static func run<Result: Sendable>(
        _ work: ImportWork,
        _ body: @escaping @Sendable (ImportWork) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try await OwnThread.run { try work.run { try body(work) } }
        } onCancel: {
            work.stop()
        }
    }
}
