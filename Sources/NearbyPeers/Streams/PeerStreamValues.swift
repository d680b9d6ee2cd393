import FoundationEssentials
public import PeerCore

extension PeerStream {
    /// Sends a value as a line of JSON, and waits while the other side does not read.
    ///
    /// ```swift
    /// try await stream.write(value: Position(latitude: 42.59, longitude: 1.44))
    /// ```
    ///
    /// A date is the number of seconds since 1970, and data are text in Base64. The reader takes lines of at most 64 KiB, unless it
    /// allows more. Write in one task at a time, as the lines of two could mix.
    ///
    /// - Parameter value: The value.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the value has no form in JSON, or more values than a message
    ///   may have; the errors of ``write(_:)``.
    public func write(value: some Encodable & Sendable) async throws(PeerError) {
        try await write(try MessageCoding.json(of: value, for: "value for “\(name)”") + Data("\n".utf8))
    }

    /// The received lines as values, each in JSON, as ``write(value:)`` sends them.
    ///
    /// Read them in one task, and not together with ``bytes`` or ``lines(atMost:)``. Empty lines are skipped.
    ///
    /// ```swift
    /// for try await position in stream.values(of: Position.self) { print(position.latitude) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - length: The most bytes of a line. If the other side sends a longer one, reading fails with
    ///     `PeerError.Code.protocolViolation`.
    /// - Returns: The values.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type,
        atMost length: Int = 65_536
    ) -> PeerStreamValues<Value> {
        PeerStreamValues(lines: lines(atMost: length))
    }
}

/// The values that arrive on a stream, each as a line of JSON.
///
/// See ``PeerStream/values(of:atMost:)`` for an example.
public struct PeerStreamValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value
    /// `PeerError` with `PeerError.Code.protocolViolation` if a line is too long or no such value, and those of
    /// ``PeerStream/Bytes``.
    public typealias Failure = PeerError

    let lines: PeerStreamLines

    /// Creates an iterator; all iterators share the bytes.
    public func makeAsyncIterator() -> Iterator { Iterator(lines: lines.makeAsyncIterator()) }

    /// Waits for values.
    public struct Iterator: AsyncIteratorProtocol {
        var lines: PeerStreamLines.Iterator

        /// Returns the next value; nil when the other side has finished.
        ///
        /// If a line cannot be decoded, the call fails, and the next one reads the following line. After any other error, it
        /// returns nil.
        public mutating func next() async throws(PeerError) -> Value? { try await next(isolation: nil) }

        /// Returns the next value; nil when the other side has finished.
        ///
        /// If a line cannot be decoded, the call fails, and the next one reads the following line. After any other error, it
        /// returns nil.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> Value? {
            while let line = try await lines.next(isolation: actor) {
                if line.isEmpty { continue }
                if let value = MessageCoding.value(Value.self, in: Data(line.utf8)) { return value }
                throw PeerError(
                    .protocolViolation,
                    "The other side has sent a line that is no \(Value.self) in JSON.",
                    remedy: "Use the same version of the application on both sides."
                )
            }
            return nil
        }
    }
}
