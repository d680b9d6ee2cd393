extension ReceiverStateMachine {
    /// What to do about an event.
    package enum Action: Equatable, Sendable {
        /// Examine the offer, show it and ask.
        case ask(Manifest)
        /// Ask for these digest lists, to learn how much of the offer is missing.
        case sendDigestQuery(DigestQuery)
        /// Send the selection.
        case sendSelection(ResourceSelection)
        /// Send a refusal and end the transfer.
        case sendDecline(Refusal)
        /// Locate the chunks of the resource that are present, by the digests of all its chunks. Write nothing before the
        /// selection.
        case locateChunks(Int, [ContentDigest])
        /// Ask for a list of pieces first.
        case sendPieceQuery(PieceQuery)
        /// Read the list, and look for the pieces of the resource.
        case readList(Int, PieceList.Received)
        /// Ask for these bytes of pieces, and combine the chunks that lack none; both lists may be empty.
        case sendRangeRequests(Int, ChunkRuns, ByteRuns, ready: [PieceAssembler.GatheredChunk])
        /// No more is compared before the offer is answered; whether everything was.
        case finishEstimate(Int, isComplete: Bool)
        /// Ask for the missing chunks, at first or again.
        case sendRequest(ChunkRequest)
        /// Ask for nothing; the resource is whole and to be stored.
        case sendRequestAndStore(ChunkRequest)
        /// Verify these chunks and keep them; whether the resource is then whole and to be stored.
        case keep(Int, [ChunkVerifier.Gathered], isWhole: Bool)
        /// Combine these chunks with what is present, and keep them.
        case combine(Int, [PieceAssembler.GatheredChunk])
        /// Open lanes, as far as there is room.
        case openLanes(LaneInvitation)
        /// Wait for the end of all lanes; then report what the resource still lacks.
        case awaitEndOfLanes(Int)
        /// Tell the sender that a resource is stored.
        case sendConfirmation(Confirmation)
        /// Show the person the place among the receivers of the sender.
        case show(TurnNotice)
        /// Commit everything.
        case commit
        /// Tell the sender that everything is committed, and end the transfer.
        case sendAcknowledgement(Acknowledgement)
        /// End the transfer.
        case end(Conversation.End)
        /// Nothing: more must come, it was asked before, the resource is not wanted, or the transfer has ended.
        case none
    }
}
