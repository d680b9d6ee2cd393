/// The sender's side of a transfer, after the handshake.
///
/// One method for each event; each returns what the driver must do. An event that is possible only because both sides
/// act at once (a frame that crossed with our own cancellation, say) finds the machine ended and returns `.none`.
/// Anything else that may not come is the peer's fault and ends the session with a ``ProtocolError``.
package struct SenderStateMachine: Sendable {
    private enum State {
        /// Can become `invited` or `ended`.
        case awaitingInvitation
        /// A person is asked. Can become `offering` or `ended`.
        case invited
        /// The manifest was sent. Can become `transferring` or `ended`.
        case offering
        /// Resources are being sent. Can become `awaitingAcknowledgement` or `ended`.
        case transferring(Transferring)
        /// Everything was sent. Can become `ended`.
        case awaitingAcknowledgement(Transferring)
        /// Final.
        case ended(SessionEnd)
    }

    private struct Transferring {
        var wanted: Set<Int>
        var requested: [Int: ChunkRuns] = [:]
        /// The resources of which everything was handed out to several connections, and that have not been asked for again.
        var allDispatched: Set<Int> = []
        var sent: Set<Int> = []
        var confirmed: Set<Int> = []
        var pages: [Int: PageResponseStateMachine] = [:]

        /// Takes the one request for a resource; a second one only for what was handed out and lost.
        mutating func takes(_ runs: ChunkRuns, of resource: Int) -> Bool {
            guard let first = requested[resource] else {
                requested[resource] = runs
                return true
            }
            guard !confirmed.contains(resource), !runs.ranges.isEmpty, allDispatched.remove(resource) != nil else {
                return false
            }
            return RangeSet(first.ranges).isSuperset(of: RangeSet(runs.ranges))
        }
    }

    /// What to do about an invitation.
    package enum OnReceivedInvite: Equatable, Sendable {
        /// Ask the person, or whoever decides.
        case ask(InvitationRequest)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about the answer to an invitation.
    package enum OnInvitationAnswered: Equatable, Sendable {
        /// Send an acceptance and the manifest.
        case sendManifest(Manifest)
        /// Send a refusal and end the session.
        case sendDecline(Refusal)
        /// Nothing: the answer came too late.
        case none
    }

    /// What to do about the selection.
    package enum OnReceivedSelection: Equatable, Sendable {
        /// Send the digest lists of these resources.
        case sendDigests([Int])
        /// Send the end of the transfer: nothing is wanted.
        case sendDone(Completion)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about a request for chunks.
    package enum OnReceivedRequest: Equatable, Sendable {
        /// Send these chunks of the resource, after those that were asked for before.
        case sendChunks(Int, ChunkRuns)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about a query for page digests.
    package enum OnReceivedPageQuery: Equatable, Sendable {
        /// Hash the pages of these chunks, after what was asked for before.
        case hashPages(Int, ChunkRuns)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do when pages are hashed.
    package enum OnPagesHashed: Equatable, Sendable {
        /// Send their digests.
        case sendPageDigests(PageDigestList)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about a request for pages.
    package enum OnReceivedPageRequest: Equatable, Sendable {
        /// Send these pages of the queried chunks of the resource, after what was asked for before.
        case sendPages(Int, PageRuns, of: ChunkRuns)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do to get lanes.
    package enum OnLanesWanted: Equatable, Sendable {
        /// Ask the peer to open them.
        case sendLanes(LaneInvitation)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do when the chunks of a resource were handed out.
    package enum OnChunksDispatched: Equatable, Sendable {
        /// Tell the peer.
        case sendAllDispatched(AllDispatched)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do when the chunks of a resource were sent.
    package enum OnChunksSent: Equatable, Sendable {
        /// Send the end of the transfer.
        case sendDone(Completion)
        /// Nothing: more is to come, or the session has ended.
        case none
    }

    /// What to do about any other event.
    package enum OnEvent: Equatable, Sendable {
        /// End the session.
        case end(SessionEnd)
        /// Nothing.
        case none
    }

    private let manifest: Manifest
    private let limits: ProtocolLimits
    private var state: State = .awaitingInvitation
    /// Whether the session ended without the peer's word, although the peer may have committed everything.
    package private(set) var isOutcomeUnknown = false

    /// Creates a machine that offers what the manifest lists.
    package init(manifest: Manifest, limits: ProtocolLimits = .standard) {
        self.manifest = manifest
        self.limits = limits
    }

    /// How the session ended; nil while it goes on.
    package var end: SessionEnd? {
        if case .ended(let end) = state { end } else { nil }
    }

    /// The name of the state, for logs.
    package var stateName: String {
        switch state {
        case .awaitingInvitation: "awaitingInvitation"
        case .invited: "invited"
        case .offering: "offering"
        case .transferring: "transferring"
        case .awaitingAcknowledgement: "awaitingAcknowledgement"
        case .ended: "ended"
        }
    }

    /// Whether somebody has yet to answer the peer's invitation.
    package var isInvited: Bool {
        if case .invited = state { true } else { false }
    }

    /// The peer asks for a transfer.
    package mutating func receivedInvite(_ invitation: InvitationRequest) -> OnReceivedInvite {
        switch state {
        case .awaitingInvitation:
            state = .invited
            return .ask(invitation)
        case .invited, .offering, .transferring, .awaitingAcknowledgement:
            return .end(unexpected(.invite))
        case .ended:
            return .none
        }
    }

    /// Somebody answered the invitation: nil means yes.
    package mutating func invitationAnswered(_ refusal: Refusal?) -> OnInvitationAnswered {
        guard case .invited = state else { return .none }
        if let refusal {
            state = .ended(.declined(refusal))
            return .sendDecline(refusal)
        }
        state = .offering
        return .sendManifest(manifest)
    }

    /// The peer says what it wants of the offer.
    package mutating func receivedSelection(_ selection: ResourceSelection) -> OnReceivedSelection {
        switch state {
        case .offering:
            break
        case .awaitingInvitation, .invited, .transferring, .awaitingAcknowledgement:
            return .end(unexpected(.selection))
        case .ended:
            return .none
        }
        var wanted: Set<Int> = []
        for kind in selection.kinds {
            guard let position = manifest.entries.firstIndex(where: { $0.kind == kind }),
                wanted.insert(position).inserted
            else {
                return .end(violated(.unexpectedFrame, "The other side requested something that was not offered."))
            }
        }
        guard !wanted.isEmpty else {
            state = .awaitingAcknowledgement(Transferring(wanted: []))
            return .sendDone(Completion(id: manifest.id))
        }
        state = .transferring(Transferring(wanted: wanted))
        return .sendDigests(wanted.sorted())
    }

    /// The peer says which chunks of a resource it lacks.
    package mutating func receivedRequest(_ request: ChunkRequest) -> OnReceivedRequest {
        switch state {
        case .transferring(var transferring):
            guard transferring.wanted.contains(request.resource),
                transferring.pages[request.resource]?.isIdle != false,
                let runs = manifest.entries[request.resource].layout.runs(validating: request.runs),
                transferring.takes(runs, of: request.resource)
            else {
                return .end(violated(.unexpectedFrame, "The other side requested chunks that do not exist."))
            }
            state = .transferring(transferring)
            return .sendChunks(request.resource, runs)
        case .awaitingInvitation, .invited, .offering, .awaitingAcknowledgement:
            return .end(unexpected(.request))
        case .ended:
            return .none
        }
    }

    /// The peer asks for the page digests of chunks, to compare them with an older version.
    package mutating func receivedPageQuery(_ query: PageQuery) -> OnReceivedPageQuery {
        switch state {
        case .transferring(var transferring):
            var service = transferring.pages[query.resource] ?? PageResponseStateMachine()
            guard transferring.wanted.contains(query.resource), transferring.requested[query.resource] == nil,
                let chunks = service.received(
                    query,
                    manifest.entries[query.resource].layout,
                    maximumPageCount: limits.maximumPageCount
                )
            else {
                return .end(violated(.unexpectedFrame, "The other side requested digests that it may not request."))
            }
            transferring.pages[query.resource] = service
            state = .transferring(transferring)
            return .hashPages(query.resource, chunks)
        case .awaitingInvitation, .invited, .offering, .awaitingAcknowledgement:
            return .end(unexpected(.pageQuery))
        case .ended:
            return .none
        }
    }

    /// The driver has hashed the pages of the chunks that were queried last.
    package mutating func pagesHashed(_ resource: Int, _ digests: [PageDigest]) -> OnPagesHashed {
        guard case .transferring(var transferring) = state, var service = transferring.pages[resource],
            service.hashed()
        else { return .none }
        transferring.pages[resource] = service
        state = .transferring(transferring)
        return .sendPageDigests(PageDigestList(resource: resource, digests: digests))
    }

    /// The peer says which of the pages it lacks.
    package mutating func receivedPageRequest(_ request: PageRequest) -> OnReceivedPageRequest {
        switch state {
        case .transferring(var transferring):
            guard transferring.wanted.contains(request.resource), var service = transferring.pages[request.resource],
                let (pages, chunks) = service.received(request, manifest.entries[request.resource].layout)
            else {
                return .end(violated(.unexpectedFrame, "The other side requested pages that it may not request."))
            }
            transferring.pages[request.resource] = service
            state = .transferring(transferring)
            return .sendPages(request.resource, pages, of: chunks)
        case .awaitingInvitation, .invited, .offering, .awaitingAcknowledgement:
            return .end(unexpected(.pageRequest))
        case .ended:
            return .none
        }
    }

    /// The driver wants to send bulk data over lanes, too.
    package mutating func lanesWanted(_ count: Int, secret: LaneSecret) -> OnLanesWanted {
        guard case .transferring = state, (1...limits.maximumLaneCount).contains(count) else { return .none }
        return .sendLanes(LaneInvitation(secret: secret, count: count))
    }

    /// The driver has handed out all requested chunks of a resource, and closed the lanes that some of them went to.
    ///
    /// The peer confirms the resource, or asks once more for what a lane has lost.
    package mutating func chunksDispatched(_ resource: Int) -> OnChunksDispatched {
        guard case .transferring(var transferring) = state, transferring.requested[resource] != nil,
            !transferring.sent.contains(resource)
        else { return .none }
        transferring.allDispatched.insert(resource)
        state = .transferring(transferring)
        return .sendAllDispatched(AllDispatched(resource: resource))
    }

    /// The driver has sent all requested chunks of a resource.
    package mutating func chunksSent(_ resource: Int) -> OnChunksSent {
        guard case .transferring(var transferring) = state, transferring.requested[resource] != nil else {
            return .none
        }
        transferring.sent.insert(resource)
        guard transferring.sent == transferring.wanted else {
            state = .transferring(transferring)
            return .none
        }
        state = .awaitingAcknowledgement(transferring)
        return .sendDone(Completion(id: manifest.id))
    }

    /// The peer has a resource whole and verified.
    package mutating func receivedConfirmation(_ confirmation: Confirmation) -> OnEvent {
        let position = confirmation.resource
        let isTrue =
            manifest.entries.indices.contains(position)
            && manifest.entries[position].digest == confirmation.digest
        switch state {
        case .transferring(var transferring):
            guard isTrue, transferring.requested[position] != nil,
                transferring.confirmed.insert(position).inserted
            else { return .end(unexpected(.confirmation)) }
            state = .transferring(transferring)
            return .none
        case .awaitingAcknowledgement(var transferring):
            guard isTrue, transferring.wanted.contains(position),
                transferring.confirmed.insert(position).inserted
            else { return .end(unexpected(.confirmation)) }
            state = .awaitingAcknowledgement(transferring)
            return .none
        case .awaitingInvitation, .invited, .offering:
            return .end(unexpected(.confirmation))
        case .ended:
            return .none
        }
    }

    /// The peer has committed everything.
    package mutating func receivedAcknowledgement(_ acknowledgement: Acknowledgement) -> OnEvent {
        switch state {
        case .awaitingAcknowledgement(let transferring)
        where acknowledgement.id == manifest.id && transferring.confirmed == transferring.wanted:
            return .end(finish(.completed(acknowledgement)))
        case .awaitingInvitation, .invited, .offering, .transferring, .awaitingAcknowledgement:
            return .end(unexpected(.acknowledgement))
        case .ended:
            return .none
        }
    }

    /// The peer declines the offer.
    package mutating func receivedDecline(_ refusal: Refusal) -> OnEvent {
        switch state {
        case .offering: .end(finish(.declinedByPeer(refusal)))
        case .awaitingInvitation, .invited, .transferring, .awaitingAcknowledgement: .end(unexpected(.decline))
        case .ended: .none
        }
    }

    /// The peer was stopped by a person.
    package mutating func receivedCancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessEnded(.cancelledByPeer(cancellation))
    }

    /// The peer failed.
    package mutating func receivedFailure(_ failure: Failure) -> OnEvent {
        endUnlessEnded(.failedByPeer(failure))
    }

    /// A frame came that only a sender sends, or a second handshake.
    package mutating func receivedOther(_ type: FrameType) -> OnEvent {
        guard end == nil else { return .none }
        return .end(unexpected(type))
    }

    /// What came cannot be read.
    package mutating func receivedInvalid(_ error: ProtocolError) -> OnEvent {
        endUnlessEnded(.violated(error))
    }

    /// A person at this side stops the session.
    package mutating func cancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessEnded(.cancelled(cancellation))
    }

    /// Something failed at this side.
    package mutating func fail(_ failure: Failure) -> OnEvent {
        endUnlessEnded(.failed(failure))
    }

    /// The connection ended.
    package mutating func transportClosed() -> OnEvent {
        endUnlessEnded(.connectionLost)
    }

    private mutating func endUnlessEnded(_ end: SessionEnd) -> OnEvent {
        if case .ended = state { return .none }
        return .end(finish(end))
    }

    private mutating func unexpected(_ type: FrameType) -> SessionEnd {
        violated(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }

    private mutating func violated(_ code: ProtocolError.Code, _ message: String) -> SessionEnd {
        finish(.violated(ProtocolError(code, message)))
    }

    private mutating func finish(_ end: SessionEnd) -> SessionEnd {
        if case .awaitingAcknowledgement = state {
            switch end {
            // A peer that breaks the protocol is not to be believed anyway.
            case .completed, .failedByPeer, .cancelledByPeer, .violated: break
            default: isOutcomeUnknown = true
            }
        }
        state = .ended(end)
        return end
    }
}
