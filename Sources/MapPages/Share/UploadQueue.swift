package import PeerStorage
import Synchronization

/// The files that browsers have sent and that a person has not decided on yet, and what became of the others.
package final class UploadQueue: Sendable {
    /// A file that a browser has sent.
    package struct Upload: Sendable {
        /// Its number, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The file, which has no name and is gone when it is closed.
        package var file: OpenFile
    }

    /// What became of a file.
    package enum State: Hashable, Sendable {
        /// There is no decision yet.
        case waiting
        /// The person said no, or the file cannot be used; the sentence says why.
        case refused(String)
        /// There was no decision in time; the sentence says what to do.
        case unanswered(String)
        /// It was added; the sentence says what.
        case added(String)
    }

    /// The maximum number of files that wait for a decision.
    private static let maximumWaiting = 3
    /// The maximum number of results that are kept.
    private static let maximumResults = 200
    /// The number of refused files after which nothing more is taken from a client.
    private static let maximumRefusals = 2
    /// The maximum number of clients whose refused files are counted; if there are more, nothing is taken any more.
    private static let maximumClients = 1000

    private struct Entries {
        var count = 0
        var results: [Int: State] = [:]
        /// The clients of the files that wait.
        var clients: [Int: String] = [:]
        var refusals: [String: Int] = [:]
    }

    /// The files, one after the other, in the order in which they arrived.
    package let uploads: AsyncStream<Upload>
    private let continuation: AsyncStream<Upload>.Continuation
    private let entries = Mutex(Entries())

    /// Creates an empty queue.
    package init() {
        (uploads, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Whether another file may wait.
    var hasRoom: Bool { entries.withLock { $0.clients.count < Self.maximumWaiting } }

    /// Returns whether a client may send a file: not after several were refused.
    func takesFiles(of client: String) -> Bool {
        entries.withLock { entries in
            guard let refusals = entries.refusals[client] else { return entries.refusals.count < Self.maximumClients }
            return refusals < Self.maximumRefusals
        }
    }

    /// Adds a file; returns its number, or nil if too many wait already.
    func add(_ file: OpenFile, from client: String) -> Int? {
        entries.withLock { entries in
            guard entries.clients.count < Self.maximumWaiting else { return nil }
            let number = entries.count + 1
            // A file whose result is known may still be in the stream.
            guard case .enqueued = continuation.yield(Upload(number: number, client: client, file: file)) else {
                return nil
            }
            entries.count = number
            entries.clients[number] = client
            entries.results[number] = .waiting
            entries.results[number - Self.maximumResults] = nil
            return number
        }
    }

    /// Returns what became of a file; nil if there is no such file.
    func state(of number: Int) -> State? {
        entries.withLock { $0.results[number] }
    }

    /// Notes what became of a file.
    package func finish(_ number: Int, _ state: State) {
        entries.withLock { entries in
            guard let client = entries.clients.removeValue(forKey: number) else { return }
            entries.results[number] = state
            if case .refused = state { entries.refusals[client, default: 0] += 1 }
        }
    }
}
