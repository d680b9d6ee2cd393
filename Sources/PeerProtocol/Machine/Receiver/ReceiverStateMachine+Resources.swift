package import NIOCore

/// The events of the resources that arrive; ``ResourceReception`` decides.
extension ReceiverStateMachine {
    /// A part of the digest list of a resource came.
    package mutating func receivedDigests(_ part: DigestListPart) -> Action {
        received(.digests, beforeSelection: true) { reception throws(ProtocolError) in
            try reception.receivedDigests(part)
        }
    }

    /// The driver wants to know, before the offer is answered, how much is missing of the resources of these kinds.
    package mutating func startSurvey(_ kinds: Set<ResourceKind>) -> Action {
        noted { $0.startSurvey(kinds) }
    }

    /// The driver has located the chunks of a resource that are present; after the selection, it has also copied them.
    ///
    /// If they were located before the selection, this is called again after it.
    package mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns = .none
    ) -> Action {
        noted { $0.chunksLocated(resource, missing: missing, comparable: comparable) }
    }

    /// A part of a list of pieces came.
    package mutating func receivedPieceList(_ part: PieceListPart) -> Action {
        received(.pieceList, beforeSelection: true) { reception throws(ProtocolError) in
            try reception.receivedPieceList(part)
        }
    }

    /// The driver has read a list and looked for its pieces.
    package mutating func piecesCompared(_ resource: Int, _ chunks: ChunkRuns, missing: ByteRuns) -> Action {
        noted { $0.piecesCompared(resource, chunks, missing: missing) }
    }

    /// The driver has combined chunks with what is present.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - failed: Those of the chunks that do not match their digest; they are requested as a whole, once.
    package mutating func chunksCombined(_ resource: Int, except failed: [Int]) -> Action {
        noted { $0.chunksCombined(resource, except: failed) }
    }

    /// A data frame begins.
    ///
    /// - `connection`: The connection on which it comes: 0 for the main one, else a lane's number.
    package mutating func receivedData(
        _ header: DataHeader,
        on connection: Int = ResourceAssembly.mainConnection
    ) -> Action {
        received(.data) { reception throws(ProtocolError) in try reception.receivedData(header, on: connection) }
    }

    /// Bytes of the last data frame on a connection came.
    package mutating func receivedBytes(
        _ buffers: [ByteBuffer],
        on connection: Int = ResourceAssembly.mainConnection
    ) -> Action {
        noted { reception throws(ProtocolError) in try reception.receivedBytes(buffers, on: connection) }
    }

    /// The sender asks for lanes.
    package mutating func receivedLanes(_ invitation: LaneInvitation) -> Action {
        received(.lanes) { reception throws(ProtocolError) in reception.receivedLanes(invitation) }
    }

    /// The sender has handed out everything of a resource to its connections.
    package mutating func receivedAllDispatched(_ frame: AllDispatched) -> Action {
        received(.allDispatched) { reception throws(ProtocolError) in try reception.receivedAllDispatched(frame) }
    }

    /// A lane has ended; a chunk that it had begun is incomplete.
    package mutating func laneEnded(_ lane: Int) {
        _ = noted { reception in
            reception.laneEnded(lane)
            return .none
        }
    }

    /// All lanes that could still carry bytes of a resource have ended.
    package mutating func lanesEnded(_ resource: Int) -> Action { noted { $0.lanesEnded(resource) } }

    /// The driver has stored a complete resource.
    package mutating func resourceStored(_ resource: Int) -> Action {
        noted { $0.resourceStored(resource) }
    }
}
