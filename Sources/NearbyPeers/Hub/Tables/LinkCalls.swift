import PeerCore

/// The calls that wait for a link, and what each of them waits for.
struct LinkCalls {
    typealias Continuation = CheckedContinuation<Result<PeerID, PeerError>, Never>

    /// What a call waits for.
    enum Subject: Hashable, Sendable {
        /// The peer at the other end of a connection to an address.
        case connection(Int)
        /// A link with a peer.
        case peer(PeerID)
    }

    private var waiting: [Int: (subject: Subject, continuation: Continuation)] = [:]

    /// A call begins to wait.
    mutating func begin(_ call: Int, for subject: Subject, _ continuation: Continuation) {
        waiting[call] = (subject, continuation)
    }

    /// What a call waits for; nil if it does not wait any more.
    func subject(of call: Int) -> Subject? { waiting[call]?.subject }

    /// Whether a call waits for this.
    func isAwaited(_ subject: Subject) -> Bool { waiting.values.contains { $0.subject == subject } }

    /// The peer of a connection is known, so the call that waits for it, which is returned, waits for a link from now on.
    mutating func identified(_ connection: Int, as id: PeerID) -> Int? {
        guard let call = call(on: connection) else { return nil }
        waiting[call]?.subject = .peer(id)
        return call
    }

    /// Completes a call, if it still waits.
    mutating func finish(_ call: Int, _ result: Result<PeerID, PeerError>) {
        waiting.removeValue(forKey: call)?.continuation.resume(returning: result)
    }

    /// Fails the call that waits for the peer of a connection, if there is one.
    mutating func fail(connection: Int, _ error: PeerError) {
        if let call = call(on: connection) { finish(call, .failure(error)) }
    }

    private func call(on connection: Int) -> Int? { waiting.first { $0.value.subject == .connection(connection) }?.key }
}

extension LinkCalls {
    /// What a call wants that has dialed an address, whose peer is not known yet.
    struct IdentityCall: Sendable {
        var request: PeerStateMachine.Request
        var destination: Destination
    }
}
