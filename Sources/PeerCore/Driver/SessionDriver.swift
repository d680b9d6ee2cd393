import NIOCore

/// The actor that drives one session: it passes events to a state machine and performs the machine's actions.
///
/// While the session runs, only its own tasks call the actor: ``run(on:tickInterval:cancellations:)`` starts them all, on the event
/// loop of the connection. Anybody else adds a job. An actor that is busy performs the calls that wait for it on the thread that it
/// is on, whatever executor their tasks prefer. So a call from another event loop could move this session's next task to the thread
/// of that loop. A frame that is sent there goes through the queue of the connection's event loop, and a frame that the same task
/// sends later on the right thread does not: the second one would overtake the first.
protocol SessionDriver: Actor {
    /// Work that must not delay the reader, such as asking a person or sending bulk data.
    nonisolated var jobs: SessionJobs { get }

    /// The peer has sent a part. Parts are delivered one at a time, in order.
    func received(_ part: InboundPart) async

    /// The connection is closed.
    func transportClosed(_ error: (any Error)?) async

    /// Time has passed.
    func tick(at now: ContinuousClock.Instant) async

    /// A person at this side stops the session.
    func cancel(_ cancellation: Cancellation) async
}

/// Work of a session that runs beside its reader.
typealias SessionJob = @Sendable () async -> Void

extension SessionDriver {
    /// Runs a session until its connection is closed.
    ///
    /// Everything that the session started has ended when it returns.
    nonisolated func run(
        on connection: FrameConnection,
        tickInterval: Duration,
        cancellations: TransferControl
    ) async {
        await withTaskExecutorPreference(EventLoopExecutor.of(connection.channel.eventLoop)) {
            await runHere(on: connection, tickInterval: tickInterval, cancellations: cancellations)
        }
    }

    private nonisolated func runHere(
        on connection: FrameConnection,
        tickInterval: Duration,
        cancellations: TransferControl
    ) async {
        try? await connection.asyncChannel.executeThenClose { inbound in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    var failure: (any Error)?
                    do {
                        for try await part in inbound { await self.received(part) }
                    } catch {
                        failure = error
                    }
                    if Task.isCancelled { await self.cancel(.programStopped) }
                    await self.transportClosed(failure)
                }
                group.addTask {
                    while (try? await Task.sleep(for: tickInterval)) != nil {
                        await self.tick(at: .now)
                    }
                }
                group.addTask {
                    if let cancellation = await cancellations.cancellation() { await self.cancel(cancellation) }
                }
                for await job in jobs.stream {
                    group.addTask { await job() }
                }
                group.cancelAll()
            }
        }
    }
}

extension Cancellation {
    /// The reason that the other side gets when the program ends during a transfer that no person stopped.
    static let programStopped = Cancellation(reason: "The program was stopped.")
}

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
