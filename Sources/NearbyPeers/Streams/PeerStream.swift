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
/// When a stream is released, the direction to this side ends: further bytes are dropped. If the other side has finished and
/// everything was read, the direction from this side is finished, as by ``finish()``. Otherwise, a stream that this side has not
/// finished is cancelled.
public final class PeerStream: Sendable {
    /// The most bytes that are read at once.
    private static let pieceLength = 64 * 1024
    // What is put into the queue at once leaves it as one record, without a copy. A piece as long as the queue would wait until the
    // last one has been sent alone.
    /// The most bytes that are put into the queue at once.
    private static let writtenLength = MuxStateMachine.maximumContentLength

    /// The name, which the opener chose.
    public let name: String
    /// The peer at the other end.
    public let peer: PeerID
    /// The opener's description of the stream, at most 4,096 bytes.
    public let metadata: Data

    private let link: LinkDriver
    private let number: UInt32
    private let isFinished = NIOLockedValueBox(false)

    init(name: String, metadata: Data, number: UInt32, link: LinkDriver) {
        self.name = name
        self.peer = link.peer
        self.metadata = metadata
        self.link = link
        self.number = number
    }

    deinit { link.letGo(of: number, isFinished: isFinished.withLockedValue { $0 }) }

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
        isFinished.withLockedValue { $0 = true }
        link.finish(number)
    }

    /// Ends both directions at once.
    ///
    /// - Parameter reason: What the other side is told, at most 1,000 bytes.
    public func cancel(_ reason: String = "") {
        isFinished.withLockedValue { $0 = true }
        link.cancel(number, .cancelled, reason)
    }

    func accept() { link.accept(number) }

    /// Whether this is the stream with this number of this link.
    func isStream(_ number: UInt32, of link: LinkDriver) -> Bool { self.number == number && self.link === link }

    /// Refuses the stream, because it has no reader.
    func refuse() {
        isFinished.withLockedValue { $0 = true }
        link.cancel(number, .notTaken, "The other side takes no streams.")
    }

    fileprivate func read() async throws(PeerError) -> Data? {
        var bytes = try await link.read(number, atMost: Self.pieceLength)
        return bytes?.takeData()
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
            public mutating func next() async throws(PeerError) -> Data? { try await next(isolation: nil) }

            /// Returns the next bytes; nil when the other side has finished.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> Data? {
                try await stream.read()
            }
        }
    }
}
