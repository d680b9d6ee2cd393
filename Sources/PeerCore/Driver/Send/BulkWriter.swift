import NIOCore

/// Sends chunks of resources as fast as the connection accepts them.
///
/// At most two pieces at a time are on their way to the kernel. ``UnsentBudget`` limits their length and the kernel's unsent
/// bytes by what arrives at the peer, so that urgent frames do not wait long behind them.
struct BulkWriter: Sendable {
    /// The resource could not be read; the connection is intact.
    struct SourceFailure: Error {
        var cause: any Error
    }

    /// The longest piece; together with the overhead of TLS records it fits a buffer of one mebibyte.
    static let maximumLength = 1008 * 1024
    /// The offset of a piece in its buffer.
    ///
    /// Processors copy more slowly if the target's offset in its page is a few bytes beyond the source's. A file begins at the
    /// start of a page, a large buffer 16 bytes after it.
    private static let distance = 64

    let connection: FrameConnection
    let limits: ProtocolLimits
    let isEncrypted: Bool
    /// The executor of the sending task.
    let executor: EventLoopExecutor
    /// The turn of the receiver; nil if it need not wait for others.
    var turn: SendingTurn?

    /// Sends parts of one resource; returns false if `sent`, which gets the length of each part, has stopped it.
    ///
    /// - Throws: ``SourceFailure`` if the resource cannot be read, anything else if the connection fails.
    func send(
        _ position: Int,
        from content: ReadableContent,
        next: (Int) -> Range<UInt64>?,
        sent: (Int) -> Bool
    ) async throws -> Bool {
        // The network may have become slow since the previous resource.
        var budget = await beginBudget()
        SocketTuning.setUnsentLength(budget.unsentLength, on: connection.channel)
        var inFlight: (future: EventLoopFuture<Void>, length: Int)?
        while let piece = next(min(budget.nextLength, turn?.lengthLimit ?? .max)) {
            if let turn, !turn.take(piece.count) {
                // What was sent counts before others are served.
                if let previous = inFlight {
                    inFlight = nil
                    try await previous.future.get()
                    guard sent(previous.length) else { return false }
                }
                guard await turn.wait(piece.count) else { return false }
            }
            let header = DataHeader(resource: position, offset: piece.lowerBound, length: piece.count)
            let outgoing = try outbound(header, piece, content)
            let written = connection.channel.eventLoop.makePromise(of: Void.self)
            connection.channel.writeAndFlush(outgoing, promise: written)
            // A waiting piece needs its file open, even if the transfer has ended meanwhile.
            written.futureResult.whenComplete { _ in withExtendedLifetime(content) {} }
            if let previous = inFlight {
                inFlight = nil
                try await previous.future.get()
                guard sent(previous.length) else { return false }
            }
            inFlight = (written.futureResult, piece.count)
            await look(at: &budget)
            // A connection that accepts everything at once would never suspend this task.
            try await executor.yieldIfNeeded()
        }
        if let last = inFlight {
            try await last.future.get()
            guard sent(last.length) else { return false }
        }
        return true
    }

    /// Sends frames, each when the connection has taken the one before; returns false if `sent` has stopped it.
    func send(_ frames: some Sequence<Frame>, sent: () -> Bool) async throws -> Bool {
        let budget = await beginBudget()
        SocketTuning.setUnsentLength(budget.unsentLength, on: connection.channel)
        for frame in frames {
            try await connection.channel.writeAndFlush(Outbound.frame(frame)).get()
            guard sent() else { return false }
            try await executor.yieldIfNeeded()
        }
        return true
    }

    private func beginBudget() async -> UnsentBudget {
        UnsentBudget(
            longestLength: min(Self.maximumLength, limits.maximumDataLength),
            acknowledged: await SocketTuning.statistics(of: connection.channel)?.acknowledged ?? 0,
            at: .now
        )
    }

    private func outbound(_ header: DataHeader, _ piece: Range<UInt64>, _ content: ReadableContent) throws -> Outbound {
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

    /// Reads how much has arrived and adjusts the kernel's limit of unsent bytes.
    private func look(at budget: inout UnsentBudget) async {
        guard budget.isDue(at: .now), let statistics = await SocketTuning.statistics(of: connection.channel) else {
            return
        }
        let before = budget.unsentLength
        budget.counted(statistics.acknowledged, at: .now)
        guard budget.unsentLength != before else { return }
        SocketTuning.setUnsentLength(budget.unsentLength, on: connection.channel)
    }
}
