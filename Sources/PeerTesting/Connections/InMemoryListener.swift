import NIOConcurrencyHelpers
import PeerCore

/// The listening program of a machine.
final class InMemoryListener: Sendable {
    private struct State {
        var isStopped = false
        /// The connections that the program has not taken yet.
        var waiting: [ObjectIdentifier: InMemoryConnection] = [:]
    }

    let local: LocalPeer
    let configuration: ConnectionConfiguration
    private let arrivals: AsyncStream<InMemoryConnection>.Continuation
    private let state = NIOLockedValueBox(State())

    init(
        local: LocalPeer,
        configuration: ConnectionConfiguration,
        arrivals: AsyncStream<InMemoryConnection>.Continuation
    ) {
        self.local = local
        self.configuration = configuration
        self.arrivals = arrivals
    }

    /// The error of a program that connects and finds the wrong peer here; nil if it is the right one.
    func refusal(of connector: LocalPeer, expecting expected: ExpectedPeer?) -> PeerError? {
        if let expected, !expected.accepts(local.id) {
            return PeerError(
                .notTrusted,
                "Another machine answers at the address.",
                remedy: "Check the address and the program that runs there."
            )
        }
        guard connector.application.name == local.application.name else {
            let error = Preface(application: connector.application.name).mismatch
            return PeerError(.protocolViolation, error.message, cause: error)
        }
        return nil
    }

    /// Hands a connection to the program; closes it if the program does not listen any more.
    func accept(_ connection: InMemoryConnection) {
        let isStopped = state.withLockedValue { state in
            if !state.isStopped { state.waiting[ObjectIdentifier(connection)] = connection }
            return state.isStopped
        }
        if isStopped { connection.abort() } else { arrivals.yield(connection) }
    }

    /// The program has taken a connection, and closes it.
    func took(_ connection: InMemoryConnection) {
        state.withLockedValue { $0.waiting[ObjectIdentifier(connection)] = nil }
    }

    /// Stops, and closes the connections that wait.
    func stop() {
        let waiting = state.withLockedValue { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        arrivals.finish()
        for connection in waiting { connection.abort() }
    }
}
