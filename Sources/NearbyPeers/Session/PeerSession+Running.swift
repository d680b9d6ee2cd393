public import PeerCore

/// Runs a session for as long as `body` does.
///
/// When this returns, everything that belongs to the session has ended. If the body returns, waiting data is sent for up to 2
/// seconds, and linked peers are told that this machine has left. If the body throws or the task is cancelled, the peers are
/// told at once, and waiting data is lost. The tasks of the application's handlers are cancelled, and the call does not wait
/// for a handler that does not return.
///
/// - Parameters:
///   - configuration: The settings of the session.
///   - environment: The network and the clock; tests use one of their own.
///   - isolation: The actor of the caller, on which the body runs.
///   - body: Uses the session. If the session cannot go on, its task is cancelled.
/// - Returns: What `body` returned.
/// - Throws: `PeerError` with `PeerError.Code.cannotListen` or `PeerError.Code.invalidArgument`; what `body` throws;
///   `CancellationError` if the task is cancelled and `body` does not return.
public func withPeerSession<Result>(
    _ configuration: PeerSession.Configuration,
    environment: PeerEnvironment = .system,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (PeerSession) async throws -> Result
) async throws -> Result {
    let session = try PeerSession(configuration, environment.transport)
    return try await withoutActuallyEscaping(body) { body in
        try await Handed(body).run(in: session, isolation: isolation).value
    }
}

/// Runs a session for as long as `body` does, which throws no other errors than those of the library.
///
/// ```swift
/// do {
///     try await withPeerSession(configuration) { session throws(PeerError) in try await session.advertise() }
/// } catch {
///     show(error.message)
/// }
/// ```
///
/// - Parameters:
///   - configuration: The settings of the session.
///   - environment: The network and the clock; tests use one of their own.
///   - isolation: The actor of the caller, on which the body runs.
///   - body: Uses the session. If the session cannot go on, its task is cancelled.
/// - Returns: What `body` returned.
/// - Throws: `PeerError` with `PeerError.Code.cannotListen` or `PeerError.Code.invalidArgument`; what `body` throws;
///   `PeerError.Code.cancelled` if the task is cancelled and `body` does not return.
public func withPeerSession<Result>(
    _ configuration: PeerSession.Configuration,
    environment: PeerEnvironment = .system,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (PeerSession) async throws(PeerError) -> Result
) async throws(PeerError) -> Result {
    do {
        return try await withPeerSession(configuration, environment: environment, isolation: isolation) {
            (session) async throws -> Result in
            try await body(session)
        }
    } catch let error as PeerError {
        throw error
    } catch is CancellationError {
        throw .taskCancelled
    } catch {
        throw PeerError(.cannotListen, "The session has stopped because of an error of the network.", cause: error)
    }
}

/// A value that goes from task to task although it is not `Sendable`.
///
/// The task that called ``withPeerSession(_:environment:isolation:_:)-(_,_,_,(PeerSession)->Result)`` waits while another one runs the body, and that one runs it
/// on the caller's actor. So the body, what it captures and what it returns are used by one task at a time, in one isolation.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Handed {
    /// Runs the body in a session that begins and ends with it.
    fileprivate func run<Result>(
        in session: PeerSession,
        isolation: (any Actor)?
    ) async throws -> Handed<Result> where Value == (PeerSession) async throws -> Result {
        try await withThrowingTaskGroup(of: Handed<Result>?.self) { group in
            let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
            // This is a separate task, so that a session that is cancelled still has a moment to say goodbye.
            let running = Task(executorPreference: session.hub.transport.executor) {
                defer { isListening.finish() }
                try await session.hub.run { isListening.yield() }
            }
            group.addTask {
                try await withTaskCancellationHandler {
                    try await running.value
                } onCancel: {
                    session.hub.work.add { await session.hub.leave(telling: "", within: SessionHub.farewellTime) }
                }
                return nil
            }
            group.addTask {
                // If the listener failed, the other task throws the reason.
                guard await listening.first(where: { true }) != nil else { return nil }
                do {
                    let result = try await call(session, isolation: isolation)
                    await session.leave()
                    return result
                } catch {
                    await session.hub.leave(telling: "", within: SessionHub.farewellTime)
                    throw error
                }
            }
            var result: Handed<Result>?
            // The first error ends the other task.
            while let next = try await group.next() { result = next ?? result }
            guard let result else { throw CancellationError() }
            return result
        }
    }

    /// Calls the body on the caller's actor.
    private func call<Result>(
        _ session: PeerSession,
        isolation: isolated (any Actor)?
    ) async throws -> Handed<Result> where Value == (PeerSession) async throws -> Result {
        Handed<Result>(try await value(session))
    }
}
