public import FoundationEssentials
import NIOConcurrencyHelpers
import NIOCore
public import PeerCore
import PeerProtocol

/// A stream of bytes between two peers, in both directions.
///
/// Each direction carries at most 64 KiB of unread bytes, and up to 4 MiB if its reader keeps up. A stream that is not
/// read delays nothing but itself. A stream survives broken connections, and ends with the link.
///
/// ```swift
/// let stream = try await session.openStream(named: "log", to: peer)
/// try await stream.write(Data("hello".utf8))
/// stream.finish()
/// for try await bytes in stream.bytes { print(bytes.count) }
/// ```
///
/// A stream that is released before it is finished is cancelled. If it is released later, further bytes from the other side are
/// dropped.
public final class PeerStream: Sendable {
    /// The most bytes that are read at once.
    private static let pieceLength = 64 * 1024
    // What is put into the queue at once leaves it as one record, without a copy. A piece as long as the queue would wait until the
    // last one has been sent alone.
    /// The most bytes that are put into the queue at once.
    private static let writtenLength = MuxStateMachine.maximumPieceLength

    private struct State {
        var isFinished = false
        var isRead = false
    }

    /// The name, which the opener chose.
    public let name: String
    /// The peer at the other end.
    public let peer: PeerID
    /// The opener's description of the stream, at most 4,096 bytes.
    public let metadata: Data

    private let link: LinkDriver
    private let number: UInt32
    private let state = NIOLockedValueBox(State())

    init(name: String, metadata: Data, number: UInt32, link: LinkDriver) {
        self.name = name
        self.peer = link.peer
        self.metadata = metadata
        self.link = link
        self.number = number
    }

    deinit {
        let state = state.withLockedValue { $0 }
        if !state.isFinished {
            link.cancel(number, .cancelled, "")
        } else if !state.isRead {
            // The other side may still send. Unread bytes would fill the stream's window and stop it.
            link.discard(number)
        } else {
            link.release(number)
        }
    }

    /// The received bytes, in pieces of any length; reading makes room for more.
    ///
    /// Read them in one task.
    public var bytes: Bytes { Bytes(stream: self) }

    /// The received bytes as lines of UTF-8, without their ends; what follows the last end is a line, too.
    ///
    /// Read them in one task, and not together with ``bytes``.
    ///
    /// ```swift
    /// for try await line in stream.lines() { print(line) }
    /// ```
    ///
    /// - Parameter length: The most bytes of a line. If the other side sends a longer one, reading fails with
    ///   `PeerError.Code.protocolViolation`.
    /// - Returns: The lines.
    public func lines(atMost length: Int = 65_536) -> PeerStreamLines {
        PeerStreamLines(bytes: bytes, maximumLength: max(1, length))
    }

    /// Sends bytes, and waits while the other side does not read.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.peerCancelled` if the other side has ended the stream,
    ///   `PeerError.Code.connectionLost` if the link has ended, `PeerError.Code.cancelled` if the task is cancelled.
    public func write(_ bytes: Data) async throws(PeerError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let first = rest.prefix(Self.writtenLength)
            rest = rest.dropFirst(first.count)
            var piece = StreamBytes.buffer(capacity: first.count)
            piece.writeBytes(first)
            try await link.write(piece, to: number)
        }
    }

    /// Ends the direction from this side; the other direction stays open.
    public func finish() {
        state.withLockedValue { $0.isFinished = true }
        link.finish(number)
    }

    /// Ends both directions at once.
    ///
    /// - Parameter reason: What the other side is told, at most 1,000 bytes.
    public func cancel(_ reason: String = "") {
        state.withLockedValue { $0 = State(isFinished: true, isRead: true) }
        link.cancel(number, .cancelled, reason)
    }

    func accept() { link.accept(number) }

    /// Whether this is the stream with this number of this link.
    func isStream(_ number: UInt32, of link: LinkDriver) -> Bool { self.number == number && self.link === link }

    /// Refuses the stream, because it has no reader.
    func refuse() {
        state.withLockedValue { $0 = State(isFinished: true, isRead: true) }
        link.cancel(number, .notTaken, "The other side takes no streams.")
    }

    fileprivate func read() async throws(PeerError) -> Data? {
        guard let bytes = try await link.read(number, atMost: Self.pieceLength) else {
            state.withLockedValue { $0.isRead = true }
            return nil
        }
        return bytes.data
    }

    /// The bytes that arrive on a stream.
    public struct Bytes: AsyncSequence, Sendable {
        /// Some bytes, at least one.
        public typealias Element = Data
        /// `PeerError` with `PeerError.Code.peerCancelled` or `PeerError.Code.connectionLost`.
        public typealias Failure = PeerError

        let stream: PeerStream

        /// Creates an iterator; all iterators share the bytes.
        public func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

        /// Waits for bytes.
        public struct Iterator: AsyncIteratorProtocol {
            let stream: PeerStream

            /// Returns the next bytes; nil when the other side has finished.
            public mutating func next() async throws(PeerError) -> Data? {
                try await stream.read()
            }

            /// Returns the next bytes; nil when the other side has finished.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> Data? {
                try await stream.read()
            }
        }
    }
}

/// The streams that peers open; ends when the session ends.
///
/// See <doc:StreamingBytes> for an example.
public struct IncomingStreams: AsyncSequence, Sendable {
    /// A stream.
    public typealias Element = PeerStream
    /// Reading does not fail.
    public typealias Failure = Never

    let reader: QueueReader<PeerStream>

    /// Creates an iterator; all iterators share the streams.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for streams.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: QueueReader<PeerStream>

        /// Returns the next stream; nil when the session has ended or the task is cancelled.
        public mutating func next() async -> PeerStream? { await next(isolation: nil) }

        /// Returns the next stream; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PeerStream? {
            let stream = await reader.next()
            // Only now: until then the stream counts as one that waits, and the peer may not open many of those.
            stream?.accept()
            return stream
        }
    }
}
