import NIOCore

/// Sends chunks of resources as fast as the connection takes them, and not faster.
///
/// At any time at most two pieces are on their way to the kernel. A piece is small on a slow link, so that what must
/// get through quickly does not wait behind it.
struct BulkWriter: Sendable {
    /// The resource, not the connection, is the reason for an end.
    struct SourceFailure: Error {
        var cause: any Error
    }

    /// The piece length to begin with: two of them are half a second at 1 Mbit/s.
    private static let firstPiece = 32 * 1024
    /// The longest piece: with what TLS adds to its records, one mebibyte, for which buffers are made.
    static let maximumPiece = 1008 * 1024
    /// How far from the start of its buffer a piece lies.
    ///
    /// Processors copy more slowly to an address that, counted within pages, is a few bytes beyond the one read from. A file
    /// begins at the start of a page, and a large buffer 16 bytes after it.
    private static let distance = 64
    /// The shortest piece.
    private static let minimumPiece = 16 * 1024

    let connection: FrameConnection
    let limits: ProtocolLimits
    let isEncrypted: Bool
    /// Where the task that sends runs.
    let executor: EventLoopExecutor

    /// Sends parts of one resource.
    ///
    /// - Parameters:
    ///   - position: The resource's position in the manifest.
    ///   - content: The resource's bytes.
    ///   - next: Gives the next piece, which has at most so many bytes; nil at the end.
    ///   - sent: Called after each piece with its length; false stops the sending.
    /// - Returns: Whether everything was sent.
    /// - Throws: ``SourceFailure`` if the resource cannot be read, anything else if the connection fails.
    func send(
        _ position: Int,
        from content: ReadableContent,
        next: (Int) -> Range<UInt64>?,
        sent: (Int) -> Bool
    ) async throws -> Bool {
        let longest = min(Self.maximumPiece, limits.maximumDataLength)
        // The link may have become slow since the last resource.
        var pieceLength = min(Self.firstPiece, longest)
        SocketTuning.setUnsentLength(forPiecesOf: pieceLength, on: connection.channel)
        var inFlight: (future: EventLoopFuture<Void>, length: Int)?
        while let piece = next(pieceLength) {
            let header = DataHeader(resource: position, offset: piece.lowerBound, length: piece.count)
            let part = try part(header, piece, content)
            let began = ContinuousClock.now
            let written = connection.channel.eventLoop.makePromise(of: Void.self)
            connection.channel.writeAndFlush(part, promise: written)
            // A piece that waits to be sent needs its file open, even if the session has ended meanwhile.
            written.futureResult.whenComplete { _ in withExtendedLifetime(content) {} }
            if let previous = inFlight {
                inFlight = nil
                try await previous.future.get()
                guard sent(previous.length) else { return false }
            }
            inFlight = (written.futureResult, piece.count)
            // That a short run went quickly says nothing of longer pieces.
            let isTypical = piece.count == pieceLength || pieceLength == longest
            let nextLength =
                isTypical ? Self.nextLength(pieceLength, took: .now - began, longest: longest) : pieceLength
            if nextLength != pieceLength {
                SocketTuning.setUnsentLength(forPiecesOf: nextLength, on: connection.channel)
            }
            pieceLength = nextLength
            // A link that takes everything at once would never make this task wait.
            try await executor.giveWay()
        }
        if let last = inFlight {
            try await last.future.get()
            guard sent(last.length) else { return false }
        }
        return true
    }

    private func part(
        _ header: DataHeader,
        _ piece: Range<UInt64>,
        _ content: ReadableContent
    ) throws -> OutboundPart {
        if let buffer = content.slice(piece) { return .data(header, buffer) }
        do {
            guard isEncrypted else { return try content.regionPart(header) }
            var buffer = connection.channel.allocator.buffer(capacity: Self.distance + piece.count)
            buffer.moveWriterIndex(forwardBy: Self.distance)
            buffer.moveReaderIndex(forwardBy: Self.distance)
            try content.read(piece, into: &buffer)
            return .data(header, buffer)
        } catch {
            throw SourceFailure(cause: error)
        }
    }

    /// Grows pieces that take under 20 ms and shrinks those that take over 200 ms.
    private static func nextLength(_ length: Int, took time: Duration, longest: Int) -> Int {
        if time < .milliseconds(20) { return min(length * 2, longest) }
        if time > .milliseconds(200) { return max(length / 2, minimumPiece) }
        return length
    }
}
