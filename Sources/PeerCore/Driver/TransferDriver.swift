import NIOCore

/// The actor that drives one transfer: it passes events to a state machine and performs the machine's actions.
///
/// While the transfer runs, only tasks on the event loop of the connection call the actor:
/// ``run(on:reading:tickInterval:cancellations:)`` starts them all, but for a reader that has handed the connection
/// over. All other callers add a job. An actor that is busy performs the calls that wait for it on the thread that it is
/// on, whatever executor their tasks prefer. So a call from another event loop could move this transfer's next task to
/// the thread of that loop. A frame that is sent there goes through the queue of the connection's event loop, and a
/// frame that the same task sends later on the right thread does not: the second one would overtake the first.
protocol TransferDriver: Actor, InboundReceiver {
    /// Work that must not delay the reader, such as asking a person or sending bulk data.
    nonisolated var jobs: TransferJobs { get }

    /// Time has passed.
    func tick(at now: ContinuousClock.Instant) async

    /// A person at this side stops the transfer.
    func cancel(_ cancellation: Cancellation) async
}

/// Work of a transfer that runs beside its reader.
typealias TransferJob = @Sendable () async -> Void

extension TransferDriver {
    /// Runs a transfer until its connection is closed; everything that it started has ended then.
    ///
    /// If it does not read the connection, another task does, and passes on the inputs and the end.
    nonisolated func run(
        on connection: FrameConnection,
        reading reads: Bool = true,
        tickInterval: Duration,
        cancellations: TransferControl
    ) async {
        await withTaskExecutorPreference(EventLoopExecutor.of(connection.channel.eventLoop)) {
            guard reads else {
                return await work(tickInterval, cancellations) {
                    for await _ in self.jobs.over {}
                    guard Task.isCancelled else { return }
                    await self.cancel(.programStopped)
                    // The reader reports the end of the connection after everything that came before it.
                    await self.jobs.isOver.value()
                }
            }
            try? await connection.asyncChannel.executeThenClose { inbound in
                await work(tickInterval, cancellations) {
                    var failure: (any Error)?
                    do {
                        for try await input in inbound { await self.received(input) }
                    } catch {
                        failure = error
                    }
                    if Task.isCancelled { await self.cancel(.programStopped) }
                    await self.transportClosed(failure)
                }
            }
        }
    }

    /// Runs the reader, the clock and all jobs until the transfer adds no more jobs.
    private nonisolated func work(
        _ tickInterval: Duration,
        _ cancellations: TransferControl,
        reader: @escaping @Sendable () async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await reader() }
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
            // What still runs is cancelled and waited for, so nothing of the transfer outlives it.
            group.cancelAll()
        }
    }
}

extension Cancellation {
    /// The reason that the other side gets when the program ends during a transfer that no person stopped.
    static let programStopped = Cancellation(reason: "The program was stopped.")
}
