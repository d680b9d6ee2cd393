/// What a receiver says of a resource that was sent over several connections.
enum DispatchAnswer: Sendable {
    /// It has everything.
    case confirmed
    /// A lane has lost these.
    case lost(ChunkRuns)
}

/// The connections of a sender's lanes, and what waits for them.
struct LaneConnections {
    /// What every lane has to say when it joins.
    let secret: LaneSecret
    /// The connections of the lanes that have joined.
    var open: [Int: FrameConnection] = [:]
    /// Resumed when no lane is left.
    private var waiter: CheckedContinuation<Void, Never>?
    /// Where the receiver's answer goes when everything is sent.
    private var answers: AsyncStream<DispatchAnswer>.Continuation?
    /// The congestion control before it was changed.
    var previousControl: CongestionControl?
    /// Whether a task is asking the kernel how the connections fare.
    var isMeasuring = false

    init() {
        var random = SystemRandomNumberGenerator()
        secret = LaneSecret(using: &random)
    }

    /// Waits until no lane is left; to be called when some are.
    mutating func resumeWhenClosed(_ waiter: CheckedContinuation<Void, Never>) {
        self.waiter = waiter
    }

    /// A lane has ended.
    mutating func ended(_ lane: Int) {
        open.removeValue(forKey: lane)?.close()
        guard open.isEmpty else { return }
        waiter?.resume()
        waiter = nil
    }

    /// Closes connections in order.
    func close(_ lanes: some Sequence<Int>) {
        for lane in lanes { open[lane]?.close() }
    }

    /// Closes everything at once, for the session has ended.
    func abandon() {
        for connection in open.values { connection.abort() }
        answers?.finish()
    }

    /// Begins to wait for what the receiver says of everything that was sent.
    mutating func awaitAnswers() -> AsyncStream<DispatchAnswer> {
        let (stream, continuation) = AsyncStream.makeStream(of: DispatchAnswer.self)
        answers = continuation
        return stream
    }

    /// Stops to wait for what the receiver says.
    mutating func endAnswers() {
        answers = nil
    }

    /// The receiver has said what it has.
    func received(_ answer: DispatchAnswer) {
        answers?.yield(answer)
    }
}
