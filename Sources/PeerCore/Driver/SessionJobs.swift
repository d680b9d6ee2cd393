/// Work that a driver hands out to tasks of its session.
struct SessionJobs: Sendable {
    /// Read by the task group of the session.
    let stream: AsyncStream<SessionJob>
    private let continuation: AsyncStream<SessionJob>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Hands out work.
    ///
    /// - Returns: Whether it will run; false once the session has ended.
    @discardableResult
    func add(_ job: @escaping SessionJob) -> Bool {
        if case .enqueued = continuation.yield(job) { true } else { false }
    }

    /// Hands out nothing more; the session ends when all jobs have.
    func finish() {
        continuation.finish()
    }
}
