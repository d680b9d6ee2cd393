package import NIOCore

/// Assembles one resource, whether a peer, a file on a stick or a network in memory delivers it.
///
/// Call the method for a request before its answer arrives: a list of pieces, then their missing bytes, or whole chunks. The
/// assembly accepts only what was requested, and returns the chunks to verify and keep. It verifies nothing, because hashing
/// takes long.
package struct ResourceAssembly: Sendable {
    private enum Round: Sendable {
        /// Nothing is expected. Can become any other round.
        case none
        /// The list of the pieces of the first of these chunks; some of it may have come. Can become `comparing`.
        case list(ChunkRuns, ByteBuffer)
        /// The list has come, and its pieces are looked for. Can become `pieces` or `none`.
        case comparing
        /// Bytes of pieces. Can become `none`.
        case pieces(PieceAssembler)
        /// Whole chunks. Can become `chunks` or `none`.
        case chunks(ChunkArrival)
    }

    /// Chunks that are complete.
    package enum Gathered: Equatable, Sendable {
        /// Verify these by their digests.
        case chunks([ChunkVerifier.Gathered])
        /// Combine these with what is present.
        case pieces([PieceAssembler.GatheredChunk])
    }

    /// The number of the connection with which a transfer began; lanes have higher numbers.
    package static let mainConnection = 0

    package let layout: ChunkLayout
    /// The digests of all chunks.
    package let digests: [ContentDigest]
    private var round = Round.none

    package init(layout: ChunkLayout, digests: [ContentDigest]) {
        self.layout = layout
        self.digests = digests
    }

    // MARK: What is asked for

    /// Expects the list of the pieces of the first of some chunks.
    package mutating func expectList(of chunks: ChunkRuns) { round = .list(chunks, ByteBuffer()) }

    /// A list that came earlier is compared.
    mutating func compare() { round = .comparing }

    /// Expects the bytes of pieces that are present nowhere.
    ///
    /// - Returns: Those of the chunks for which no bytes are missing; nil if no list is being compared.
    package mutating func expectPieces(
        _ missing: ByteRuns,
        of chunks: ChunkRuns
    ) -> [PieceAssembler.GatheredChunk]? {
        guard isComparing else { return nil }
        var assembler = PieceAssembler(layout: layout, digests: digests, chunks: chunks, missing: missing)
        defer { round = .pieces(assembler) }
        return assembler.takeWhole()
    }

    /// Expects whole chunks.
    package mutating func expectChunks(_ chunks: ChunkRuns, onMainOnly: Bool = false) {
        round = .chunks(ChunkArrival(chunks, layout: layout, digests: digests, isForMainOnly: onMainOnly))
    }

    /// Ends the round, unless more of it has to come.
    ///
    /// - Returns: Whether nothing has to come.
    package mutating func endRound() -> Bool {
        guard isComplete else { return false }
        round = .none
        return true
    }

    // MARK: What is known

    /// Whether nothing is expected.
    var isIdle: Bool { if case .none = round { true } else { false } }

    /// Whether a list has come whose pieces are looked for.
    var isComparing: Bool { if case .comparing = round { true } else { false } }

    /// Whether a list has to come, or the rest of it.
    var awaitsList: Bool { if case .list = round { true } else { false } }

    /// Whether all that is expected has come.
    package var isComplete: Bool {
        switch round {
        case .none: true
        case .list, .comparing: false
        case .pieces(let assembler): assembler.isComplete
        case .chunks(let arrival): arrival.isComplete
        }
    }

    /// Whether requested bytes, or the rest of a list that has begun, have not come.
    var awaitsData: Bool {
        switch round {
        // Before the first part, the sender reads the pieces from its disk.
        case .list(_, let bytes): bytes.readableBytes > 0
        case .pieces(let assembler): assembler.awaitsFrame
        case .chunks(let arrival): !arrival.isComplete
        case .none, .comparing: false
        }
    }

    /// The expected chunks that have not come completely.
    var missingChunks: ChunkRuns { if case .chunks(let arrival) = round { arrival.missingChunks } else { .none } }

    // MARK: What comes

    /// A part of a list of pieces came.
    ///
    /// - Returns: The list if it is complete, nil if more parts must come.
    /// - Throws: ``ProtocolError`` if the part was not asked for or is not the next one.
    package mutating func received(_ part: PieceListPart) throws(ProtocolError) -> PieceList.Received? {
        guard case .list(let chunks, var bytes) = round, part.bytes.readableBytes > 0,
            part.rest == 0 || part.bytes.readableBytes == PieceListPart.maximumLength
        else { throw .unrequestedList }
        guard bytes.readableBytes + part.bytes.readableBytes + part.rest <= PieceList.maximumLength else {
            throw ProtocolError(.limitExceeded, "The other side sent a list of pieces that is too long.")
        }
        // Taken out of the round, because a change would copy what has come otherwise.
        round = .comparing
        bytes.writeImmutableBuffer(part.bytes)
        if part.rest == 0 { return PieceList.Received(query: chunks, wanted: chunks, bytes: bytes) }
        round = .list(chunks, bytes)
        return nil
    }

    /// A data frame begins.
    ///
    /// - Throws: ``ProtocolError`` if its bytes are not the next ones of those that were asked for.
    package mutating func received(
        _ header: DataHeader,
        on connection: Int = mainConnection,
        isStriped: Bool = false
    ) throws(ProtocolError) {
        // Taken out of the round, because a change would copy what is gathered otherwise.
        switch round {
        case .pieces(var assembler):
            round = .none
            guard connection == Self.mainConnection, assembler.begin(header) else { throw .unrequestedData }
            round = .pieces(assembler)
        case .chunks(var arrival):
            round = .none
            let isStriped = isStriped && !arrival.isForMainOnly
            guard isStriped || connection == Self.mainConnection,
                arrival.begin(header, on: connection, isStriped: isStriped)
            else { throw .unrequestedData }
            round = .chunks(arrival)
        case .none, .list, .comparing:
            throw .unrequestedData
        }
    }

    /// Bytes of the last data frame on a connection came.
    ///
    /// - Throws: ``ProtocolError`` if more bytes come than were asked for.
    package mutating func received(
        _ buffers: [ByteBuffer],
        on connection: Int = mainConnection
    ) throws(ProtocolError) -> Gathered {
        switch round {
        case .pieces(var assembler):
            round = .none
            defer { round = .pieces(assembler) }
            return .pieces(try assembler.gather(buffers))
        case .chunks(var arrival):
            round = .none
            defer { round = .chunks(arrival) }
            return .chunks(try arrival.gather(buffers, on: connection))
        case .none, .list, .comparing:
            throw .unrequestedData
        }
    }

    /// A connection has ended; the chunks that it began and did not complete stay missing.
    mutating func connectionEnded(_ connection: Int) {
        guard case .chunks(var arrival) = round else { return }
        round = .none
        arrival.connectionEnded(connection)
        round = .chunks(arrival)
    }
}

extension ProtocolError {
    /// A part of a list of pieces came that was not asked for.
    static let unrequestedList = ProtocolError(
        .unexpectedFrame,
        "The other side sent a list of pieces that was not requested."
    )

    /// Bytes came that were not asked for, or not in their order.
    static let unrequestedData = ProtocolError(
        .unexpectedFrame,
        "The other side sent data that was not requested."
    )
}
