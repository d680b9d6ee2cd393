/// A request of the receiver that is not answered yet.
enum PendingResponse: Sendable {
    /// The digests of all chunks.
    case digests(Int)
    /// The digests of the pages of these chunks.
    case pageDigests(Int, ChunkRuns)
    /// These pages.
    case pages(Int, PageRuns)
    /// These chunks.
    case chunks(Int, ChunkRuns)
    /// The end of a transfer of which nothing is wanted.
    case done(Completion)

    /// The resource's position in the manifest; nil for the end.
    var position: Int? {
        switch self {
        case .digests(let position), .pageDigests(let position, _), .pages(let position, _),
            .chunks(let position, _):
            position
        case .done:
            nil
        }
    }

    /// Whether the answer consists of bytes of the resource.
    var isBulk: Bool {
        switch self {
        case .digests, .pageDigests, .done: false
        case .pages, .chunks: true
        }
    }
}

/// The requests that wait for their answers.
///
/// One job answers them in order.
struct ResponseQueue: Sendable {
    /// Read by the job that answers.
    let stream: AsyncStream<PendingResponse>
    private let continuation: AsyncStream<PendingResponse>.Continuation
    /// How many requests for bytes are not completely answered.
    private var owed = 0
    /// How many bytes of each resource the receiver compares page by page.
    private var comparedBytes: [Int: UInt64] = [:]

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Whether requested bytes are still to be sent; if not, the receiver has work of its own to do.
    var owesBytes: Bool { owed > 0 }

    /// Adds a request.
    mutating func add(_ response: PendingResponse) {
        if response.isBulk { owed += 1 }
        continuation.yield(response)
    }

    /// A request for bytes is completely answered.
    mutating func answered() {
        owed -= 1
    }

    /// The receiver compares more bytes of a resource page by page.
    mutating func compares(_ bytes: UInt64, of position: Int) {
        comparedBytes[position, default: 0] += bytes
    }

    /// How many bytes of a resource the receiver compares page by page.
    func comparedBytes(of position: Int) -> UInt64 {
        comparedBytes[position, default: 0]
    }

    /// Accepts no more requests; the job ends.
    func finish() {
        continuation.finish()
    }
}
