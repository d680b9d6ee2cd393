extension SenderStateMachine {
    /// What to do at the start.
    package enum OnStart: Equatable, Sendable {
        /// Send the manifest.
        case sendManifest(Manifest)
        /// Nothing: it was started before, or has ended.
        case none
    }

    /// What to do about a query for digest lists.
    package enum OnReceivedDigestQuery: EndingAction, Equatable, Sendable {
        /// Send the digest lists of these resources.
        case sendDigests([Int])
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about the selection.
    package enum OnReceivedSelection: Equatable, Sendable {
        /// Send the digest lists of these resources, the wanted ones whose lists were not queried.
        case sendDigests([Int])
        /// Send the end of the transfer: nothing is wanted.
        case sendDone(Completion)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about a request for chunks.
    package enum OnReceivedRequest: EndingAction, Equatable, Sendable {
        /// Send these chunks of the resource, after those that were asked for before.
        case sendChunks(Int, ChunkRuns)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about a query for pieces.
    package enum OnReceivedPieceQuery: EndingAction, Equatable, Sendable {
        /// List the pieces of the first of these chunks, after what was asked for before.
        case listPieces(Int, ChunkRuns)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when a list of pieces is made.
    package enum OnPiecesListed: MachineAction, Equatable, Sendable {
        /// Send it, part by part.
        case sendPieceList([PieceListPart])
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about a request for bytes of pieces.
    package enum OnReceivedRangeRequest: EndingAction, Equatable, Sendable {
        /// Send these bytes of the resource, after what was asked for before.
        case sendRanges(Int, ByteRuns)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do to get lanes.
    package enum OnLanesWanted: MachineAction, Equatable, Sendable {
        /// Ask the peer to open them.
        case sendLanes(LaneInvitation)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when the chunks of a resource were handed out.
    package enum OnChunksDispatched: MachineAction, Equatable, Sendable {
        /// Tell the peer.
        case sendAllDispatched(AllDispatched)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when the chunks of a resource were sent.
    package enum OnChunksSent: Equatable, Sendable {
        /// Send the end of the transfer.
        case sendDone(Completion)
        /// Nothing: more is to come, or the transfer has ended.
        case none
    }
}
