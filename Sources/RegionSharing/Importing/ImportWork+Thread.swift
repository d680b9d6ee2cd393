package import RegionStore

extension ImportWork {
    /// Does work on a thread of its own; it is stopped when the task is cancelled.
    ///
    /// - Throws: `ImportWork.TooLong`; `CancellationError` after a stop; the error of `body`.
    package func onOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable (ImportWork) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try await OwnThread.run { try self.run { try body(self) } }
        } onCancel: {
            stop()
        }
    }
}
