import Synchronization

/// The files that browsers have sent and that a person has not decided on yet, and what became of the others.
package final class UploadQueue: Sendable {
    /// A file that a browser has sent.
    package struct Upload: Hashable, Sendable {
        /// Its number, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The content.
        package var bytes: [UInt8]
    }

    /// What became of a file.
    package enum State: Hashable, Sendable {
        /// There is no decision yet.
        case waiting
        /// The person said no, or the file cannot be used; the sentence says why.
        case refused(String)
        /// It was added; the sentence says what.
        case added(String)
    }

    /// The maximum number of files that wait for a decision.
    ///
    /// They are held in memory.
    private static let maximumWaiting = 3
    /// The maximum number of results that are kept.
    private static let maximumResults = 200

    /// The files, one after the other, in the order in which they arrived.
    package let uploads: AsyncStream<Upload>
    private let continuation: AsyncStream<Upload>.Continuation
    private let states = Mutex<(count: Int, results: [Int: State])>((0, [:]))

    /// Creates an empty queue.
    package init() {
        (uploads, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Adds a file; returns its number, or nil if too many wait already.
    func add(_ bytes: [UInt8], from client: String) -> Int? {
        states.withLock { states in
            guard states.results.values.count(where: { $0 == .waiting }) < Self.maximumWaiting else { return nil }
            let number = states.count + 1
            let upload = Upload(number: number, client: client, bytes: bytes)
            // A file whose result is known may still be in the stream.
            guard case .enqueued = continuation.yield(upload) else { return nil }
            states.count = number
            states.results[number] = .waiting
            states.results[number - Self.maximumResults] = nil
            return number
        }
    }

    /// Returns what became of a file; nil if there is no such file.
    func state(of number: Int) -> State? {
        states.withLock { $0.results[number] }
    }

    /// Notes what became of a file.
    package func finish(_ number: Int, _ state: State) {
        states.withLock { states in
            if states.results[number] != nil { states.results[number] = state }
        }
    }
}
