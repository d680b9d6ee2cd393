extension SenderStateMachine {
    /// What to do about an event.
    package enum Action: Equatable, Sendable {
        case sendManifest(Manifest)
        /// Send the digest lists of these resources.
        case sendDigests([Int])
        /// Send these chunks of the resource, after those that were asked for before.
        case sendChunks(Int, ChunkRuns)
        /// List the pieces of the first of these chunks, after what was asked for before.
        case listPieces(Int, ChunkRuns)
        /// Send a list of pieces, part by part.
        case sendPieceList([PieceListPart])
        /// Send these bytes of the resource, after what was asked for before.
        case sendRanges(Int, ByteRuns)
        /// Ask the peer to open lanes.
        case sendLanes(LaneInvitation)
        /// Tell the peer that the chunks of a resource were handed out.
        case sendAllDispatched(AllDispatched)
        /// Send the end of the transfer: everything was sent, or nothing is wanted.
        case sendDone(Completion)
        /// End the transfer.
        case end(Conversation.End)
        /// Nothing: more is to come, it was started before, or the transfer has ended.
        case none
    }
}
