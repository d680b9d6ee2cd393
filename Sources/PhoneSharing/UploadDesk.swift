import RegionSharing
import RegionStore

/// Where the files of all phones are examined and decided on.
///
/// Files are examined one at a time, because memory is bounded, and decided on one at a time. The examination of a large file, to
/// which a person has agreed, does not hold up the others.
package final class UploadDesk: Sendable {
    package init() {}

    private let unasked = AsyncLock()
    private let agreed = AsyncLock()
    private let decisions = AsyncLock()

    /// Examines a file without asking, in a bounded time.
    func examine<Result: Sendable>(_ body: @escaping @Sendable (ImportWork) throws -> Result) async throws -> Result {
        try await unasked.take { try await ImportWork(.unasked).onOwnThread(body) }
    }

    /// Examines a file to whose examination a person has agreed.
    func examineAgreed<Result: Sendable>(
        _ body: @escaping @Sendable (ImportWork) throws -> Result
    ) async throws -> Result {
        try await agreed.take { try await ImportWork(.agreed).onOwnThread(body) }
    }

    /// Decides on a file while no other file is decided on.
    func decide<Result>(_ body: () async throws -> Result) async throws -> Result { try await decisions.take(body) }
}
