import HostNetwork
import NIOConcurrencyHelpers
import NIOCore

/// The turns of all transfers of a sender: performs what the ``TurnStateMachine`` decides.
package final class SendingTurns: Sendable {
    fileprivate struct State {
        var machine = TurnStateMachine()
        /// The tasks that wait for the permission to send, by the number of their receiver.
        var waiting: [Int: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// Creates turns without receivers.
    package init() {}

    /// A receiver has selected what it wants.
    ///
    /// - Parameters:
    ///   - network: The name of the interface of its connection; receivers on different networks do not wait for each other.
    ///   - left: The number of bytes that it wants.
    /// - Returns: Its turn; call ``SendingTurn/leave()`` at the end.
    package func join(on network: String, left: UInt64) -> SendingTurn {
        SendingTurn(turns: self, number: change { $0.joined(on: network, left: left, at: .now) })
    }

    /// The place that a receiver would have.
    ///
    /// - Parameters:
    ///   - network: The name of the interface of its connection.
    ///   - left: The number of bytes that it would want.
    /// - Returns: The place, with the rate of the network if it is known.
    package func prospect(on network: String, left: UInt64) -> TransferTurn {
        let rate = NetworkRate(of: network)?.bytesPerSecond
        return read { $0.prospect(on: network, left: left, systemRate: rate) }
    }

    /// Time has passed.
    package func tick() { change { $0.tick(at: .now) } }

    /// Reads the state.
    fileprivate func read<Result>(_ body: (TurnStateMachine) -> Result) -> Result {
        state.withLockedValue { body($0.machine) }
    }

    /// Changes the state without effect on those that wait.
    fileprivate func note<Result>(_ body: (inout TurnStateMachine) -> Result) -> Result {
        state.withLockedValue { body(&$0.machine) }
    }

    /// Changes the state, and wakes those that need not wait any more.
    @discardableResult
    fileprivate func change<Result>(_ body: (inout TurnStateMachine) -> Result) -> Result {
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
    fileprivate func wait(for number: Int) async {
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

extension SendingTurns.State {
    /// Whether a receiver must wait.
    fileprivate func mustWait(_ number: Int) -> Bool { machine.contains(number) && !machine.mayTake(number) }
}

/// The turn of one receiver.
package struct SendingTurn: Sendable {
    fileprivate let turns: SendingTurns
    fileprivate let number: Int

    /// The longest piece that may be sent now, in bytes.
    package var pieceLimit: Int { turns.read { $0.pieceLimit(of: number) } }

    /// Whether the receiver is served.
    package var isServed: Bool { turns.read { $0.isServed(number) } }

    /// The place of the receiver; nil after ``leave()``.
    package var place: TransferTurn? { turns.read { $0.turn(of: number) } }

    /// Takes the permission to send a piece; false if it must be waited for.
    package func take(_ bytes: Int) -> Bool { turns.note { $0.take(bytes, for: number) } }

    /// Waits for the permission to send a piece, and takes it; false if the receiver has left meanwhile.
    package func wait(_ bytes: Int) async -> Bool {
        while turns.read({ $0.contains(number) }) {
            if take(bytes) { return true }
            await turns.wait(for: number)
        }
        return false
    }

    /// Bytes have arrived at the receiver.
    func arrived(_ bytes: UInt64) { turns.note { $0.arrived(bytes, at: number) } }

    /// Bytes were sent; `left` are still to be sent.
    package func sent(_ bytes: Int, left: UInt64) { turns.note { $0.sent(bytes, to: number, left: left) } }

    /// Some bytes can be sent now, or none can.
    package func set(isReady: Bool) { turns.change { $0.set(number, isReady: isReady, at: .now) } }

    /// The receiver has everything, or is gone.
    package func leave() { turns.change { $0.left(number, at: .now) } }
}

/// The networks of this machine: the interfaces of its connections.
enum LocalNetwork {
    /// Returns the name of the interface with an address of this machine; the address itself if no interface has it.
    static func name(of address: SocketAddress?) -> String {
        guard let address, let host = address.host else { return "" }
        // Link-local addresses of several interfaces may be alike.
        if host.needsZone, let name = HostInterface.name(of: address.scopeIndex) { return name }
        let interface = HostInterface.all().first { $0.addresses.contains { $0.address == host } }
        return interface?.name ?? "\(host)"
    }
}
