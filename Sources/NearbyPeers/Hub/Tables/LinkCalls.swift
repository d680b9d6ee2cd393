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

    /// The peer of a connection is known, so the call waits for a link with it from now on; returns false if it is over.
    mutating func identified(_ call: Int, as id: PeerID) -> Bool {
        waiting[call]?.subject = .peer(id)
        return waiting[call] != nil
    }

    /// Completes a call, if it still waits.
    mutating func finish(_ call: Int, _ result: Result<PeerID, PeerError>) {
        waiting.removeValue(forKey: call)?.continuation.resume(returning: result)
    }

    /// Fails the call that waits for the peer of a connection, if there is one.
    mutating func fail(connection: Int, _ error: PeerError) {
        guard let call = waiting.first(where: { $0.value.subject == .connection(connection) })?.key else { return }
        finish(call, .failure(error))
    }
}

/// A call that dials an address, whose peer is not known yet.
struct IdentityCall: Sendable {
    var number: Int
    /// A number from the beginning of the call, before its connection was opened.
    var beginning: Int
    var request: PeerStateMachine.Request
    var destination: Destination
}
