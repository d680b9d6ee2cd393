extension ReceiverStateMachine {
    /// What to do about a manifest.
    package enum OnReceivedManifest: Equatable, Sendable {
        /// Examine the offer, show it and ask.
        case ask(Manifest)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do to learn how much of an offer is missing.
    package enum OnSurveyStarted: MachineAction, Equatable, Sendable {
        /// Ask for these digest lists.
        case sendDigestQuery(DigestQuery)
        /// Nothing: there is nothing to ask for, it was asked before, or the offer was answered.
        case none
    }

    /// What to do about the answer to an offer.
    package enum OnOfferAnswered: Equatable, Sendable {
        /// Send the selection.
        case sendSelection(ResourceSelection)
        /// Send a refusal and end the transfer.
        case sendDecline(Refusal)
        /// Nothing: the answer came too late.
        case none
    }

    /// What to do about a part of a digest list.
    package enum OnReceivedDigests: EndingAction, Equatable, Sendable {
        /// Locate the chunks of the resource that are present, by the digests of all its chunks. Write nothing before the
        /// selection.
        case locateChunks(Int, [ContentDigest])
        /// Nothing: the list has further parts, or its resource is not wanted.
        case awaitNextPart
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do once more is known of what must be transferred of a resource.
    package enum OnChunksLocated: MachineAction, Equatable, Sendable {
        /// Ask for a list of pieces first.
        case sendPieceQuery(PieceQuery)
        /// Read a list that came before the selection, and look for the pieces of the resource.
        case readList(Int, ReceivedPieceList)
        /// Ask for these bytes of pieces, and await chunks of the resource; there may be nothing to ask for.
        case sendRangeRequests(Int, ChunkRuns, ByteRuns)
        /// No more is compared before the offer is answered; whether everything was.
        case finishEstimate(Int, isComplete: Bool)
        /// Ask for the missing chunks.
        case sendRequest(ChunkRequest)
        /// Ask for nothing; the resource is whole and to be stored.
        case sendRequestAndStore(ChunkRequest)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about a part of a list of pieces.
    package enum OnReceivedPieceList: EndingAction, Equatable, Sendable {
        /// Read the list, and look for the pieces of the resource.
        case readList(Int, ReceivedPieceList)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: more parts must come, the offer was answered after the list was queried, or the transfer has ended.
        case none
    }

    /// What to do about a data frame.
    package enum OnReceivedData: EndingAction, Equatable, Sendable {
        /// Await the bytes of chunks.
        case keep(Int)
        /// Await bytes of pieces.
        case assemble(Int)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about bytes of a data frame.
    package enum OnReceivedBytes: MachineAction, Equatable, Sendable {
        /// Verify and keep them.
        case keep(Int)
        /// Verify and keep them; the resource is then whole and to be stored.
        case keepAndStore(Int)
        /// Put them together with what is present.
        case assemble(Int)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when a lane has ended.
    package enum OnLaneEnded: MachineAction, Equatable, Sendable {
        /// Forget the beginning of a chunk of the resource that came over it.
        case forget(Int)
        /// Nothing: none came over it.
        case none
    }

    /// What to do about an invitation to open lanes.
    package enum OnReceivedLanes: EndingAction, Equatable, Sendable {
        /// Open them, as far as there is room.
        case openLanes(LaneInvitation)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when everything of a resource was handed out.
    package enum OnReceivedAllDispatched: EndingAction, Equatable, Sendable {
        /// Wait for the end of all lanes; then report what the resource still lacks.
        case awaitEndOfLanes(Int)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do when all lanes have ended.
    package enum OnLanesEnded: MachineAction, Equatable, Sendable {
        /// Ask again for what was lost.
        case sendRequest(ChunkRequest)
        /// Nothing: nothing was lost, or the transfer has ended.
        case none
    }

    /// What to do once a resource is stored.
    package enum OnResourceStored: MachineAction, Equatable, Sendable {
        /// Tell the sender.
        case sendConfirmation(Confirmation)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do about the place among the receivers of the sender.
    package enum OnReceivedTurn: Equatable, Sendable {
        /// Show it to the person.
        case show(TurnNotice)
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do at the end of the transfer.
    package enum OnReceivedDone: Equatable, Sendable {
        /// Commit everything.
        case commit
        /// End the transfer.
        case end(ConversationEnd)
        /// Nothing: the transfer has ended.
        case none
    }

    /// What to do once everything is committed.
    package enum OnCommitted: Equatable, Sendable {
        /// Tell the sender and end the transfer.
        case sendAcknowledgement(Acknowledgement)
        /// Nothing: the transfer has ended.
        case none
    }
}
