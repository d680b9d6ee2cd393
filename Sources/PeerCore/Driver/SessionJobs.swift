/// The work of a session that runs beside its reader.
struct SessionJobs: Sendable {
    /// Read by the task group of the session.
    let stream: AsyncStream<SessionJob>
    private let continuation: AsyncStream<SessionJob>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Adds work.
    ///
    /// - Returns: Whether it will run; false once the session has ended.
    @discardableResult
    func add(_ job: @escaping SessionJob) -> Bool {
        if case .enqueued = continuation.yield(job) { true } else { false }
    }

    /// Accepts no more work; the session ends when all jobs have ended.
    func finish() {
        continuation.finish()
    }
}
