/// The events of the resources that arrive; ``ResourceReception`` decides.
extension ReceiverStateMachine {
    /// A part of the digest list of a resource came.
    package mutating func receivedDigests(_ part: DigestListPart) -> OnReceivedDigests {
        received(.digests, beforeSelection: true) { reception throws(ProtocolError) in
            try reception.receivedDigests(part)
        }
    }

    /// The driver wants to know, before the offer is answered, how much is missing of the resources of these kinds.
    package mutating func startSurvey(_ kinds: Set<ResourceKind>) -> OnSurveyStarted {
        noted { $0.startSurvey(kinds) }
    }

    /// The driver has located the chunks of a resource that are present; after the selection, it has also copied them.
    ///
    /// If they were located before the selection, this is called again after it.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - missing: All chunks that are missing.
    ///   - comparable: Those of them of which pieces may be present.
    /// - Returns: What to do.
    package mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns = .none
    ) -> OnChunksLocated {
        noted { $0.chunksLocated(resource, missing: missing, comparable: comparable) }
    }

    /// A part of a list of pieces came.
    package mutating func receivedPieceList(_ part: PieceListPart) -> OnReceivedPieceList {
        received(.pieceList, beforeSelection: true) { reception throws(ProtocolError) in
            try reception.receivedPieceList(part)
        }
    }

    /// The driver has read a list and looked for its pieces.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - chunks: The chunks that the list covers.
    ///   - missing: The bytes of wanted chunks that are present nowhere.
    /// - Returns: What to do.
    package mutating func piecesCompared(_ resource: Int, _ chunks: ChunkRuns, missing: ByteRuns) -> OnChunksLocated {
        noted { $0.piecesCompared(resource, chunks, missing: missing) }
    }

    /// The driver has put together the chunks whose bytes came.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - failed: Those of the chunks that do not match their digest; they are asked for as a whole, once.
    /// - Returns: What to do.
    package mutating func chunksAssembled(_ resource: Int, except failed: ChunkRuns) -> OnChunksLocated {
        noted { $0.chunksAssembled(resource, except: failed) }
    }

    /// A data frame begins.
    ///
    /// - Parameters:
    ///   - header: What stands before its bytes.
    ///   - connection: The connection on which it comes: 0 for the main one, else a lane's number.
    /// - Returns: What to do.
    package mutating func receivedData(
        _ header: DataHeader,
        on connection: Int = ConnectionNumber.main
    ) -> OnReceivedData {
        received(.data) { reception throws(ProtocolError) in try reception.receivedData(header, on: connection) }
    }

    /// Bytes of the last data frame on a connection came.
    package mutating func receivedBytes(_ count: Int, on connection: Int = ConnectionNumber.main) -> OnReceivedBytes {
        noted { $0.receivedBytes(count, on: connection) }
    }

    /// The sender asks for lanes.
    package mutating func receivedLanes(_ invitation: LaneInvitation) -> OnReceivedLanes {
        received(.lanes) { reception throws(ProtocolError) in reception.receivedLanes(invitation) }
    }

    /// The sender has handed out everything of a resource to its connections.
    package mutating func receivedAllDispatched(_ frame: AllDispatched) -> OnReceivedAllDispatched {
        received(.allDispatched) { reception throws(ProtocolError) in try reception.receivedAllDispatched(frame) }
    }

    /// A lane has ended; a chunk that it had begun is incomplete.
    package mutating func laneEnded(_ lane: Int) -> OnLaneEnded {
        noted { $0.laneEnded(lane) }
    }

    /// All lanes that could still carry bytes of a resource have ended.
    package mutating func lanesEnded(_ resource: Int) -> OnLanesEnded {
        noted { $0.lanesEnded(resource) }
    }

    /// The driver has stored a complete resource.
    package mutating func resourceStored(_ resource: Int) -> OnResourceStored {
        noted { $0.resourceStored(resource) }
    }
}
