/// The work of a transfer that runs beside its reader.
struct TransferJobs: Sendable {
    /// Read by the task group of the transfer.
    let stream: AsyncStream<TransferJob>
    /// Ends when no more work is accepted.
    let over: AsyncStream<Never>
    /// The same, for a task that is cancelled.
    let isOver = Awaited<Void>()
    private let continuation: AsyncStream<TransferJob>.Continuation
    private let overIn: AsyncStream<Never>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
        (over, overIn) = AsyncStream.makeStream()
    }

    /// Adds work; returns false once the transfer has ended, so that the work does not run.
    @discardableResult
    func add(_ job: @escaping TransferJob) -> Bool {
        if case .enqueued = continuation.yield(job) { true } else { false }
    }

    /// Accepts no more work; the transfer ends when all jobs have ended.
    func finish() {
        continuation.finish()
        overIn.finish()
        isOver.fulfil(())
    }
}
