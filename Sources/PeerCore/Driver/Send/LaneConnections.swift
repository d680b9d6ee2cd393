extension LaneConnections {
    /// The receiver's answer after a resource was sent over several connections.
    enum Answer: Sendable {
        /// It has everything.
        case confirmed
        /// These chunks were lost with a lane.
        case lost(ChunkRuns)
    }
}

/// The connections of a sender's lanes, and the tasks that wait for them.
struct LaneConnections {
    /// The secret that every lane of the request at hand presents when it joins.
    private(set) var secret: ConnectionSecret
    /// The connections of the lanes that have joined.
    var open: [Int: FrameConnection] = [:]
    /// Resumed when no lane is left.
    private var waiter: CheckedContinuation<Void, Never>?
    /// Receives the receiver's answers after everything was sent.
    private var answers: AsyncStream<Answer>.Continuation?
    /// The congestion control before it was changed.
    var previousControl: CongestionControl?
    /// Whether a task is reading the kernel's statistics of the connections.
    var isMeasuring = false

    init() {
        var random = SystemRandomNumberGenerator()
        secret = ConnectionSecret(using: &random)
    }

    /// The answer to a request begins.
    ///
    /// A lane of an earlier request that joins late is known by its secret. It could be faster than what the main connection has
    /// sent since, and bring data of this request before the end of the one before.
    mutating func beginRequest() {
        var random = SystemRandomNumberGenerator()
        secret = ConnectionSecret(using: &random)
    }

    /// Resumes a continuation when the last lane ends; call it only while lanes are open.
    mutating func resumeWhenClosed(_ waiter: CheckedContinuation<Void, Never>) { self.waiter = waiter }

    /// A lane has ended.
    mutating func ended(_ lane: Int) {
        open.removeValue(forKey: lane)?.close()
        guard open.isEmpty else { return }
        waiter?.resume()
        waiter = nil
    }

    /// Closes the connections of lanes after their unsent data.
    func close(_ lanes: some Sequence<Int>) {
        for lane in lanes { open[lane]?.close() }
    }

    /// Closes all connections at once because the transfer has ended.
    func abandon() {
        for connection in open.values { connection.abort() }
        answers?.finish()
    }

    /// Starts to collect the receiver's answers.
    mutating func awaitAnswers() -> AsyncStream<Answer> {
        let (stream, continuation) = AsyncStream.makeStream(of: Answer.self)
        answers = continuation
        return stream
    }

    /// Stops collecting the receiver's answers.
    mutating func endAnswers() { answers = nil }

    /// Delivers an answer of the receiver.
    func received(_ answer: Answer) { answers?.yield(answer) }
}
