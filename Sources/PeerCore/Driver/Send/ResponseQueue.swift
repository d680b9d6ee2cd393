extension ResponseQueue {
    /// A request of the receiver that is not answered yet.
    enum Response: Sendable {
        /// The digests of all chunks.
        case digests(Int)
        /// The list of the pieces of the first of these chunks.
        case pieces(Int, ChunkRuns)
        /// These bytes of pieces.
        case ranges(Int, ByteRuns)
        /// These chunks.
        case chunks(Int, ChunkRuns)
        /// The end of a transfer from which the receiver wants nothing.
        case done(Completion)

        /// The resource's position in the manifest; nil for the end.
        var position: Int? {
            switch self {
            case .digests(let position), .pieces(let position, _), .ranges(let position, _),
                .chunks(let position, _):
                position
            case .done: nil
            }
        }

        /// Whether the answer consists of bytes of the resource.
        var isBulk: Bool {
            switch self {
            case .digests, .pieces, .done: false
            case .ranges, .chunks: true
            }
        }
    }
}

/// The requests that wait for their answers.
///
/// One job answers them in order.
struct ResponseQueue: Sendable {
    /// Read by the job that answers.
    let stream: AsyncStream<Response>
    private let continuation: AsyncStream<Response>.Continuation
    /// How many requests for bytes are not completely answered.
    private var owed = 0
    /// How many bytes of pieces of each resource were requested, and how far.
    private var requested: [Int: (count: UInt64, end: UInt64)] = [:]

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Whether requested bytes are still to be sent; if not, the receiver has work of its own to do.
    var owesBytes: Bool { owed > 0 }

    /// Adds a request.
    mutating func add(_ response: Response) {
        if response.isBulk { owed += 1 }
        continuation.yield(response)
    }

    /// A request for bytes is completely answered.
    mutating func answered() { owed -= 1 }

    /// The receiver requests bytes of pieces; returns how many it has passed over since its last request.
    mutating func requests(_ runs: ByteRuns, of position: Int) -> UInt64 {
        let (count, end) = requested[position] ?? (0, 0)
        let last = max(end, runs.ranges.last?.upperBound ?? 0)
        requested[position] = (count + runs.byteCount, last)
        return last - end - min(last - end, runs.byteCount)
    }

    /// How many bytes of pieces of a resource the receiver has requested.
    func requestedBytes(of position: Int) -> UInt64 { requested[position]?.count ?? 0 }

    /// How many bytes of a resource it has passed over.
    func passedBytes(of position: Int) -> UInt64 {
        requested[position].map { $0.end - min($0.end, $0.count) } ?? 0
    }

    /// Accepts no more requests; the job ends.
    func finish() { continuation.finish() }
}
