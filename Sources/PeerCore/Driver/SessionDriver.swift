import NIOCore

/// The actor that drives one session: it passes events to a state machine and performs the machine's actions.
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
