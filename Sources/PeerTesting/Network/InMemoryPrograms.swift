import NIOConcurrencyHelpers
public import NearbyPeers
import PeerCore

extension InMemoryNetwork {
    /// Runs a test with programs that start, end, are killed, and start again.
    ///
    /// ```swift
    /// try await network.withPrograms { programs in
    ///     let anna = try await programs.start("anna", with: configuration("anna"))
    ///     await programs.kill("anna")
    /// }
    /// ```
    ///
    /// - Parameter body: The test. When it returns, all programs that still run are ended.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` throws; otherwise what a program has thrown.
    public func withPrograms<Result: Sendable>(
        _ body: @Sendable (InMemoryPrograms) async throws -> Result
    ) async throws -> Result {
        let programs = InMemoryPrograms(self)
        do {
            let result = try await body(programs)
            try await programs.endAll()
            return result
        } catch {
            // The test has failed already, and this is the first reason.
            try? await programs.endAll()
            throw error
        }
    }
}

/// The programs of a test on an ``InMemoryNetwork``, at most one on each machine.
public final class InMemoryPrograms: Sendable {
    private struct Program: Sendable {
        var task: Task<Void, any Error>
        var stop: AsyncStream<Void>.Continuation
    }

    private let network: InMemoryNetwork
    private let running = NIOLockedValueBox<[String: Program]>([:])

    init(_ network: InMemoryNetwork) { self.network = network }

    /// Starts a program on a machine, and waits until it listens; one that still runs there is ended before.
    ///
    /// - Parameters:
    ///   - machine: The machine.
    ///   - configuration: The settings of its session.
    ///   - main: What the program does. When it returns, the session keeps running until the program is ended or killed.
    /// - Returns: The session.
    /// - Throws: What `withPeerSession` throws.
    @discardableResult
    public func start(
        _ machine: String,
        with configuration: PeerSession.Configuration,
        main: @escaping @Sendable (PeerSession) async throws -> Void = { _ in }
    ) async throws -> PeerSession {
        try await end(machine)
        let (sessions, ready) = AsyncStream.makeStream(of: PeerSession.self)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let environment = network.machine(machine)
        let task = Task(executorPreference: network.executor) {
            defer { ready.finish() }
            try await withPeerSession(configuration, environment: environment) { session in
                ready.yield(session)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await main(session)
                        return false
                    }
                    group.addTask {
                        for await _ in stops {}
                        return true
                    }
                    while let isStopped = try await group.next(), !isStopped {}
                    group.cancelAll()
                }
            }
        }
        running.withLockedValue { $0[machine] = Program(task: task, stop: stop) }
        if let session = await sessions.first(where: { _ in true }) { return session }
        // It could not start, or no task waits for it.
        running.withLockedValue { $0[machine] = nil }
        task.cancel()
        stop.finish()
        try await task.value
        throw CancellationError()
    }

    /// Ends the program of a machine: it hands over what waits, and says goodbye.
    ///
    /// This needs no time of the clock if the peers read.
    ///
    /// - Throws: What the program has thrown.
    public func end(_ machine: String) async throws {
        guard let program = running.withLockedValue({ $0.removeValue(forKey: machine) }) else { return }
        program.stop.finish()
        try await program.task.value
    }

    /// Kills the program of a machine: its connections break, and it says nothing any more.
    ///
    /// - Parameters:
    ///   - machine: The machine.
    ///   - silently: Whether its peers notice nothing until they have waited for long, as when a machine loses its power.
    public func kill(_ machine: String, silently: Bool = false) async {
        guard let program = running.withLockedValue({ $0.removeValue(forKey: machine) }) else { return }
        // In one job, so that the program cannot connect again before it is cancelled, and say goodbye.
        await Task(executorPreference: network.executor) { [network] in
            for other in network.machineNames where other != machine { network.cut(machine, other, silently: silently) }
            program.task.cancel()
            program.stop.finish()
        }.value
        _ = await program.task.result
    }

    /// Ends all programs; throws what the first of them has thrown.
    func endAll() async throws {
        var failure: (any Error)?
        for machine in running.withLockedValue({ $0.keys.sorted() }) {
            do { try await end(machine) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
