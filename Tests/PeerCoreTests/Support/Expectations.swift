import PeerCore
import Testing

/// The error with which something failed; nil, and an issue, if it did not fail with a ``PeerError``.
func peerError<Success>(
    _ result: Result<Success, any Error>?,
    sourceLocation: SourceLocation = #_sourceLocation
) -> PeerError? {
    switch result {
    case .failure(let error as PeerError):
        return error
    case .failure(let error):
        Issue.record("\(error) is not a PeerError", sourceLocation: sourceLocation)
    case .success(let value):
        Issue.record("it succeeded: \(value)", sourceLocation: sourceLocation)
    case nil:
        Issue.record("there is no result", sourceLocation: sourceLocation)
    }
    return nil
}

/// The result of something that may throw.
func outcome<Success>(_ body: () async throws -> Success) async -> Result<Success, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
