import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol
import PeerStorage

/// One attached connection of a resource, from the attempt to make it until its reads and writes have ended.
final class ResourceCarriage: Sendable {
    /// The time that a stopped transfer has to tell the other side why; the other side is told over the link too.
    private static let farewellTime: Duration = .milliseconds(200)
    /// How long to wait for the end of a transfer that was given up; a disk may never answer.
    private static let patience: Duration = .milliseconds(150)

    private struct State {
        var task: Task<Void, Never>?
        /// Why the transfer was given up; nil if it was not.
        var error: PeerError?
    }

    /// Stops the transfer, and tells the other side why.
    let control = TransferControl()
    private let transport: any PeerTransport
    private let end = Awaited<Result<TransferReceipt, PeerError>>()
    private let state = NIOLockedValueBox(State())

    init(_ transport: any PeerTransport) { self.transport = transport }

    /// Carries the resource; called once.
    ///
    /// If the transfer is stopped or given up, or the task is cancelled, this returns soon, whatever delays the transfer.
    func carry(
        _ transfer: AttachedTransfer,
        by route: AttachedTransfer.Route
    ) async -> Result<TransferReceipt, PeerError> {
        // This is not a child of the waiting task, which would have to wait for its end.
        let task = Task(executorPreference: transport.executor) { [self] in
            do throws(PeerError) {
                end.fulfil(.success(try await transport.carry(transfer, by: route)))
            } catch {
                end.fulfil(.failure(state.withLockedValue { $0.error } ?? error))
            }
        }
        let isGivenUp = state.withLockedValue { state in
            state.task = task
            return state.error != nil
        }
        if isGivenUp { task.cancel() }
        let farewell = Task(executorPreference: transport.executor) { [self] in
            guard await control.cancellation() != nil,
                (try? await transport.clock.sleep(for: Self.farewellTime)) != nil
            else { return }
            giveUp(PeerError(.cancelled, "The transfer was stopped."))
        }
        defer { farewell.cancel() }
        return await end.value(ifCancelled: .failure(.taskCancelled), after: Self.patience, by: transport.clock) {
            self.giveUp(.taskCancelled)
        }
    }

    /// Closes the connection at once, without a last word.
    func giveUp(_ error: PeerError) {
        let (task, error) = state.withLockedValue { state in
            let first = state.error ?? error
            state.error = first
            return (state.task, first)
        }
        task?.cancel()
        // The task gets a moment to end with its own outcome, which may be success.
        _ = transport.clock.schedule(at: transport.clock.now + Self.patience) { self.end.fulfil(.failure(error)) }
    }
}
