import FoundationEssentials
import PeerCore

/// The lines that arrive on a stream.
///
/// See ``PeerStream/lines(atMost:)`` for an example.
public struct PeerStreamLines: AsyncSequence, Sendable {
    /// A line without its end; what is no UTF-8 is replaced by U+FFFD.
    public typealias Element = String
    /// `PeerError` with `PeerError.Code.protocolViolation` if a line is too long, and those of ``PeerStream/Bytes``.
    public typealias Failure = PeerError

    let bytes: PeerStream.Bytes
    let maximumLength: Int

    /// Creates an iterator; all iterators share the bytes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: bytes.makeAsyncIterator(), cutter: LineCutter(maximumLength: maximumLength))
    }

    /// Waits for lines.
    public struct Iterator: AsyncIteratorProtocol {
        var bytes: PeerStream.Bytes.Iterator
        var cutter: LineCutter
        /// Whether reading has failed: the rest of a line that is too long is no line.
        private var hasFailed = false

        init(bytes: PeerStream.Bytes.Iterator, cutter: LineCutter) {
            (self.bytes, self.cutter) = (bytes, cutter)
        }

        /// Returns the next line; nil when the other side has finished, and after an error.
        public mutating func next() async throws(PeerError) -> String? { try await next(isolation: nil) }

        /// Returns the next line; nil when the other side has finished, and after an error.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> String? {
            guard !hasFailed else { return nil }
            do throws(PeerError) {
                while true {
                    if let line = try cutter.next() { return line }
                    guard let more = try await bytes.next(isolation: actor) else { return try cutter.rest() }
                    cutter.add(more)
                }
            } catch {
                hasFailed = true
                throw error
            }
        }
    }
}

extension PeerStreamLines {
    /// Cuts bytes into lines, which end with a line feed or with a carriage return and a line feed.
    ///
    /// A pure value. It holds one line and what has arrived with it, at most.
    struct LineCutter: Sendable {
        let maximumLength: Int
        private var waiting: [UInt8] = []
        /// How many of the bytes that wait belong to lines that were returned.
        private var start = 0
        /// How many of them hold no end of a line.
        private var searched = 0

        init(maximumLength: Int) { self.maximumLength = maximumLength }

        /// Adds bytes.
        mutating func add(_ bytes: Data) {
            if start > 0 {
                waiting.removeFirst(start)
                (start, searched) = (0, searched - start)
            }
            waiting.append(contentsOf: bytes)
        }

        /// Returns the next complete line; nil if there is none.
        mutating func next() throws(PeerError) -> String? {
            let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n"))
            searched = end ?? waiting.count
            // The carriage return before the end of a line does not count, and what waits may end with one.
            let hasReturn = searched > start && waiting[searched - 1] == UInt8(ascii: "\r")
            let line = waiting[start..<(hasReturn ? searched - 1 : searched)]
            try check(line)
            guard let end else { return nil }
            defer { (start, searched) = (end + 1, end + 1) }
            return String(decoding: line, as: UTF8.self)
        }

        /// Returns what follows the end of the last line; nil if that is nothing.
        mutating func rest() throws(PeerError) -> String? {
            guard start < waiting.count else { return nil }
            let line = waiting[start...]
            try check(line)
            defer { (waiting, start, searched) = ([], 0, 0) }
            return String(decoding: line, as: UTF8.self)
        }

        private func check(_ line: ArraySlice<UInt8>) throws(PeerError) {
            guard line.count > maximumLength else { return }
            throw PeerError(.protocolViolation, "The other side has sent a line of more than \(maximumLength) bytes.")
        }
    }
}
