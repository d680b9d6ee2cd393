import HostNetwork
import NIOConcurrencyHelpers

/// The turns of all transfers of a sender: performs what the ``TurnStateMachine`` decides.
package final class SendingTurns: Sendable {
    private struct State {
        var machine = TurnStateMachine()
        /// The tasks that wait for the permission to send, by the number of their receiver.
        var waiting: [Int: [CheckedContinuation<Void, Never>]] = [:]

        func mustWait(_ number: Int) -> Bool { machine[number]?.mayTake(number) == false }
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// A receiver, whose connection uses this interface, has selected so many bytes; its turn ends with ``SendingTurn/leave()``.
    package func join(on network: String, left: UInt64) -> SendingTurn {
        SendingTurn(turns: self, number: change { $0.joined(on: network, left: left, at: .now) })
    }

    /// The place of a receiver that would want so many bytes, with the rate of the network if it is known.
    package func prospect(on network: String, left: UInt64) -> TransferTurn {
        let rate = NetworkRate(of: network)?.bytesPerSecond
        return read { $0.prospect(on: network, left: left, systemRate: rate) }
    }

    /// Time has passed.
    package func tick() { change { $0.tick(at: .now) } }

    /// Reads the state.
    func read<Result>(_ body: (TurnStateMachine) -> Result) -> Result {
        state.withLockedValue { body($0.machine) }
    }

    /// Changes the state without effect on those that wait.
    func note<Result>(_ body: (inout TurnStateMachine) -> Result) -> Result {
        state.withLockedValue { body(&$0.machine) }
    }

    /// Changes the state, and wakes those that need not wait any more.
    @discardableResult
    func change<Result>(_ body: (inout TurnStateMachine) -> Result) -> Result {
        let (result, awakened) = state.withLockedValue { state in
            let result = body(&state.machine)
            var awakened: [CheckedContinuation<Void, Never>] = []
            for number in state.waiting.keys where !state.mustWait(number) {
                awakened += state.waiting.removeValue(forKey: number) ?? []
            }
            return (result, awakened)
        }
        for waiter in awakened { waiter.resume() }
        return result
    }

    /// Waits until a receiver may be sent something, or is gone.
    func wait(for number: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLockedValue { state in
                    guard state.mustWait(number) else { return false }
                    state.waiting[number, default: []].append(continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            change { $0.left(number, at: .now) }
        }
    }
}
