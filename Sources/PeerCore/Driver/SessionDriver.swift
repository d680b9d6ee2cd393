import NIOCore

/// The actor that drives one session: it feeds a state machine with what happens and does what the machine says.
protocol SessionDriver: Actor {
    /// Work that must not hold up the reader: asking a person, sending bulk data.
    nonisolated var jobs: SessionJobs { get }

    /// Something came from the peer. Parts are delivered one at a time, in order.
    func received(_ part: InboundPart) async

    /// The connection is closed: nothing more will come.
    func transportClosed(_ error: (any Error)?) async

    /// Time has passed.
    func tick(at now: ContinuousClock.Instant) async

    /// A person at this side stops the session.
    func cancel(_ cancellation: Cancellation) async
}

/// Work that a driver hands out.
typealias SessionJob = @Sendable () async -> Void

extension SessionDriver {
    /// Runs a session until its connection is closed.
    ///
    /// Everything that it starts ends before it returns.
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
    /// What the other side is told when nobody stopped the transfer but the program that runs it ends.
    static let programStopped = Cancellation(reason: "The program was stopped.")
}
