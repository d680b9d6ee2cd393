package import FoundationEssentials

/// The receiver's side of a transfer, after the handshake.
///
/// One method for each event; each returns what the driver must do. What an illegal event means is as in
/// ``SenderStateMachine``.
package struct ReceiverStateMachine: Sendable {
    private enum State {
        /// Can become `inviting` or `ended`.
        case idle
        /// Can become `awaitingManifest` or `ended`.
        case inviting
        /// Can become `deciding` or `ended`.
        case awaitingManifest
        /// A person is asked. Can become `transferring` or `ended`.
        case deciding(Manifest)
        /// Resources arrive. Can become `committing` or `ended`.
        case transferring(Transferring)
        /// Everything is there. Can become `ended`.
        case committing(Manifest)
        /// Final.
        case ended(SessionEnd)
    }

    private struct Transferring {
        var manifest: Manifest
        var resources: [Int: Resource]
        /// The resource whose data arrive; they are never mixed with another's.
        var arriving: Int?
        /// Whether the sender has asked for lanes, so that data may come over several connections.
        var isStriped = false
        /// The resources of which everything was handed out to several connections.
        var allDispatched: Set<Int> = []

        /// Whether chunks of a resource were asked for.
        func wasRequested(_ resource: Int) -> Bool {
            if case .stored = resources[resource] { true } else { isArriving(resource) }
        }

        /// Whether chunks of a resource were asked for that are not stored.
        func isArriving(_ resource: Int) -> Bool {
            switch resources[resource] {
            case .requested, .spread: true
            case .wanted, .listed, .searching, .stored, nil: false
            }
        }

        /// Takes the next piece of what was asked for; nil if it is not that.
        mutating func receivedData(_ header: DataHeader, on connection: Int) -> OnReceivedData? {
            let resource = header.resource
            guard arriving == nil || arriving == resource else { return nil }
            if isStriped, !allDispatched.contains(resource), case .requested(let cursor) = resources[resource] {
                resources[resource] = .spread(StripedArrival(cursor, layout: manifest.entries[resource].layout))
            }
            switch resources[resource] {
            case .spread(var arrival):
                guard arrival.pass(header, on: connection) else { return nil }
                resources[resource] = .spread(arrival)
                arriving = arrival.isAtEnd ? nil : resource
                return arrival.isAtEnd ? .keepAndStore(resource) : .keep(resource)
            case .requested(var cursor):
                guard connection == SessionConnection.main,
                    cursor.pass(offset: header.offset, length: header.length)
                else { return nil }
                resources[resource] = .requested(cursor)
                arriving = cursor.isAtEnd ? nil : resource
                return cursor.isAtEnd ? .keepAndStore(resource) : .keep(resource)
            case .searching(var search):
                guard connection == SessionConnection.main, search.received(header) else { return nil }
                resources[resource] = .searching(search)
                arriving = search.isAwaitingPages ? resource : nil
                return .assemble(resource)
            case .wanted, .listed, .stored, nil:
                return nil
            }
        }
    }

    private enum Resource {
        /// Its digest list is awaited.
        case wanted
        /// Its digest list is proved; what is missing is being found out.
        case listed
        /// Pages of missing chunks are compared with those of an older version.
        case searching(PageRequestStateMachine)
        /// Its missing chunks are on the way.
        case requested(ChunkCursor)
        /// The same, over several connections.
        case spread(StripedArrival)
        /// It is whole and stored.
        case stored

        /// Whether everything that was asked for has begun to come.
        var hasArrived: Bool {
            switch self {
            case .requested(let cursor): cursor.isAtEnd
            case .spread(let arrival): arrival.isAtEnd
            case .wanted, .listed, .searching, .stored: false
            }
        }
    }

    private let limits: ProtocolLimits
    private var state: State = .idle
    /// The digest list of which some parts have come.
    private var list: DigestListAssembler?

    /// Creates a machine.
    package init(limits: ProtocolLimits = .standard) {
        self.limits = limits
    }

    /// How the session ended; nil while it goes on.
    package var end: SessionEnd? {
        if case .ended(let end) = state { end } else { nil }
    }

    /// The name of the state, for logs.
    package var stateName: String {
        switch state {
        case .idle: "idle"
        case .inviting: "inviting"
        case .awaitingManifest: "awaitingManifest"
        case .deciding: "deciding"
        case .transferring: "transferring"
        case .committing: "committing"
        case .ended: "ended"
        }
    }

    /// Whether the sender owes us bytes that we asked for, or the rest of a digest list.
    package var isAwaitingData: Bool {
        guard case .transferring(let transferring) = state else { return false }
        guard list == nil else { return true }
        return transferring.resources.values.contains { resource in
            switch resource {
            case .requested(let cursor): !cursor.isAtEnd
            case .spread: true
            case .searching(let search): search.isAwaitingPages
            case .wanted, .listed, .stored: false
            }
        }
    }

    /// The handshake is complete: asks for a transfer.
    package mutating func start(_ invitation: InvitationRequest) -> OnStart {
        guard case .idle = state else { return .none }
        state = .inviting
        return .sendInvite(invitation)
    }

    /// The sender accepts.
    package mutating func receivedAccept() -> OnEvent {
        switch state {
        case .inviting:
            state = .awaitingManifest
            return .none
        case .idle, .awaitingManifest, .deciding, .transferring, .committing:
            return .end(unexpected(.accept))
        case .ended:
            return .none
        }
    }

    /// The sender declines.
    package mutating func receivedDecline(_ refusal: Refusal) -> OnEvent {
        switch state {
        case .inviting: .end(finish(.declinedByPeer(refusal)))
        case .idle, .awaitingManifest, .deciding, .transferring, .committing: .end(unexpected(.decline))
        case .ended: .none
        }
    }

    /// The sender's manifest came.
    package mutating func receivedManifest(_ body: Data) -> OnReceivedManifest {
        switch state {
        case .awaitingManifest:
            do {
                let manifest = try Manifest(parsing: body, limits: limits)
                state = .deciding(manifest)
                return .ask(manifest)
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .inviting, .deciding, .transferring, .committing:
            return .end(unexpected(.manifest))
        case .ended:
            return .none
        }
    }

    /// The person takes these kinds of the offer.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that are wanted; those that are not in the manifest do not count.
    ///   - unknown: The kinds in the manifest that are not understood here.
    /// - Returns: What to do.
    package mutating func offerAccepted(_ kinds: Set<ResourceKind>, unknown: [ResourceKind] = []) -> OnOfferAnswered {
        guard case .deciding(let manifest) = state else { return .none }
        var resources: [Int: Resource] = [:]
        var wanted: [ResourceKind] = []
        for (position, entry) in manifest.entries.enumerated() where kinds.contains(entry.kind) {
            resources[position] = .wanted
            wanted.append(entry.kind)
        }
        state = .transferring(Transferring(manifest: manifest, resources: resources))
        return .sendSelection(ResourceSelection(kinds: wanted, unknown: unknown))
    }

    /// The person does not take the offer.
    package mutating func offerDeclined(_ refusal: Refusal) -> OnOfferAnswered {
        guard case .deciding = state else { return .none }
        state = .ended(.declined(refusal))
        return .sendDecline(refusal)
    }

    /// A part of the digest list of a resource came.
    package mutating func receivedDigests(_ part: DigestListPart) -> OnReceivedDigests {
        switch state {
        case .transferring(var transferring):
            guard case .wanted = transferring.resources[part.resource] else { return .end(unexpected(.digests)) }
            let entry = transferring.manifest.entries[part.resource]
            if list == nil { list = DigestListAssembler(resource: part.resource, entry: entry) }
            guard list?.append(part) == true else {
                return .end(violated(.unexpectedFrame, "The other side sent digests that are not the next ones."))
            }
            guard let list, list.isComplete else { return .awaitNextPart }
            self.list = nil
            guard list.isProved else {
                return .end(
                    violated(.digestMismatch, "The list of digests of the \(entry.kind) does not match the manifest.")
                )
            }
            transferring.resources[part.resource] = .listed
            state = .transferring(transferring)
            return .locateChunks(part.resource, list.digests)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.digests))
        case .ended:
            return .none
        }
    }

    /// The driver has found out which chunks of a resource are missing.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - missing: All chunks that are missing.
    ///   - comparable: Those of them that an older version may have in part, at the same place.
    /// - Returns: What to do.
    package mutating func chunksLocated(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns = .none
    ) -> OnChunksLocated {
        guard case .transferring(let transferring) = state, case .listed = transferring.resources[resource] else {
            return .none
        }
        guard !comparable.ranges.isEmpty else { return request(missing, of: resource, transferring) }
        let search = PageRequestStateMachine(
            layout: transferring.manifest.entries[resource].layout,
            missing: missing,
            comparable: comparable,
            maximumPageCount: limits.maximumPageCount
        )
        return go(on: search, for: resource, transferring)
    }

    /// Goes on with the next round of a search, or asks for what it has left.
    private mutating func go(
        on search: PageRequestStateMachine,
        for resource: Int,
        _ transferring: Transferring
    ) -> OnChunksLocated {
        var (search, transferring) = (search, transferring)
        guard let chunks = search.nextQuery() else { return request(search.missingChunks, of: resource, transferring) }
        transferring.resources[resource] = .searching(search)
        state = .transferring(transferring)
        return .sendPageQuery(PageQuery(resource: resource, runs: chunks.ranges))
    }

    private mutating func request(
        _ missing: ChunkRuns,
        of resource: Int,
        _ transferring: Transferring
    ) -> OnChunksLocated {
        // The sender reads runs that touch as one.
        let missing = missing.joined
        var transferring = transferring
        let cursor = ChunkCursor(runs: missing, layout: transferring.manifest.entries[resource].layout)
        transferring.resources[resource] = .requested(cursor)
        state = .transferring(transferring)
        let request = ChunkRequest(resource: resource, runs: missing.ranges)
        return cursor.isAtEnd ? .sendRequestAndStore(request) : .sendRequest(request)
    }

    /// The digests of pages came.
    package mutating func receivedPageDigests(_ list: PageDigestList) -> OnReceivedPageDigests {
        switch state {
        case .transferring(var transferring):
            guard case .searching(var search) = transferring.resources[list.resource],
                let chunks = search.receivedDigests(count: list.digests.count)
            else {
                return .end(violated(.unexpectedFrame, "The other side sent digests of pages that were not requested."))
            }
            transferring.resources[list.resource] = .searching(search)
            state = .transferring(transferring)
            return .comparePages(list.resource, chunks)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.pageDigests))
        case .ended:
            return .none
        }
    }

    /// The driver has found out which pages differ from the older version's.
    package mutating func pagesCompared(_ resource: Int, differing: PageRuns) -> OnPagesCompared {
        guard case .transferring(var transferring) = state,
            case .searching(var search) = transferring.resources[resource], search.compared(differing)
        else { return .none }
        transferring.resources[resource] = .searching(search)
        state = .transferring(transferring)
        return .sendPageRequest(PageRequest(resource: resource, runs: differing.ranges))
    }

    /// The driver has put together the chunks whose pages came.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - failed: Those of the chunks that do not match their digest; they are asked for as a whole, once.
    /// - Returns: What to do.
    package mutating func chunksAssembled(_ resource: Int, except failed: ChunkRuns) -> OnChunksLocated {
        guard case .transferring(let transferring) = state,
            case .searching(var search) = transferring.resources[resource], search.assembled(except: failed)
        else { return .none }
        return go(on: search, for: resource, transferring)
    }

    /// A data frame begins.
    ///
    /// - Parameters:
    ///   - header: What stands before its bytes.
    ///   - connection: The connection on which it comes: 0 for the main one, else a lane's number.
    /// - Returns: What to do.
    package mutating func receivedData(
        _ header: DataHeader,
        on connection: Int = SessionConnection.main
    ) -> OnReceivedData {
        switch state {
        case .transferring(var transferring):
            guard let action = transferring.receivedData(header, on: connection) else {
                return .end(violated(.unexpectedFrame, "The other side sent data that was not requested."))
            }
            state = .transferring(transferring)
            return action
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.data))
        case .ended:
            return .none
        }
    }

    /// The sender asks for lanes.
    package mutating func receivedLanes(_ invitation: LaneInvitation) -> OnReceivedLanes {
        switch state {
        case .transferring(var transferring):
            transferring.isStriped = true
            state = .transferring(transferring)
            return .openLanes(invitation)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.lanes))
        case .ended:
            return .none
        }
    }

    /// The sender has handed out everything of a resource to its connections.
    package mutating func receivedAllDispatched(_ allDispatched: AllDispatched) -> OnReceivedAllDispatched {
        switch state {
        case .transferring(var transferring):
            guard transferring.isStriped, transferring.wasRequested(allDispatched.resource),
                transferring.allDispatched.insert(allDispatched.resource).inserted
            else { return .end(unexpected(.allDispatched)) }
            state = .transferring(transferring)
            return .awaitEndOfLanes(allDispatched.resource)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.allDispatched))
        case .ended:
            return .none
        }
    }

    /// No lane is left on which anything of a resource could still come that was handed out.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - missing: What has not come of it, because a lane was lost.
    /// - Returns: What to do.
    package mutating func lanesEnded(_ resource: Int, missing: ChunkRuns) -> OnLanesEnded {
        guard case .transferring(var transferring) = state, transferring.allDispatched.contains(resource),
            transferring.isArriving(resource), !missing.ranges.isEmpty
        else { return .none }
        let missing = missing.joined
        let layout = transferring.manifest.entries[resource].layout
        transferring.resources[resource] = .requested(ChunkCursor(runs: missing, layout: layout))
        state = .transferring(transferring)
        return .sendRequest(ChunkRequest(resource: resource, runs: missing.ranges))
    }

    /// The driver has stored a resource whole.
    package mutating func resourceStored(_ resource: Int) -> OnResourceStored {
        guard case .transferring(var transferring) = state,
            transferring.resources[resource]?.hasArrived == true
        else { return .none }
        transferring.resources[resource] = .stored
        if transferring.arriving == resource { transferring.arriving = nil }
        state = .transferring(transferring)
        let entry = transferring.manifest.entries[resource]
        return .sendConfirmation(Confirmation(resource: resource, digest: entry.digest))
    }

    /// The sender says that it has sent everything.
    package mutating func receivedDone(_ completion: Completion) -> OnReceivedDone {
        switch state {
        case .transferring(let transferring):
            let missing = transferring.resources.values.contains { resource in
                if case .stored = resource { false } else { true }
            }
            guard !missing, completion.id == transferring.manifest.id else {
                return .end(
                    violated(.unexpectedFrame, "The other side ended the transfer before it was complete.")
                )
            }
            state = .committing(transferring.manifest)
            return .commit
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.done))
        case .ended:
            return .none
        }
    }

    /// The driver has committed everything.
    ///
    /// - Parameters:
    ///   - time: When.
    ///   - imported: How many items were taken over, by kind.
    ///   - keptLocal: How many items were left as they were, by kind.
    /// - Returns: What to do.
    package mutating func committed(at time: Date, imported: [String: Int], keptLocal: [String: Int]) -> OnCommitted {
        guard case .committing(let manifest) = state else { return .none }
        let acknowledgement = Acknowledgement(id: manifest.id, time: time, imported: imported, keptLocal: keptLocal)
        state = .ended(.completed(acknowledgement))
        return .sendAcknowledgement(acknowledgement)
    }

    /// The peer was stopped by a person.
    package mutating func receivedCancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessCommitting(.cancelledByPeer(cancellation))
    }

    /// The peer failed.
    package mutating func receivedFailure(_ failure: Failure) -> OnEvent {
        endUnlessCommitting(.failedByPeer(failure))
    }

    /// A frame came that only a receiver sends, or a second handshake.
    package mutating func receivedOther(_ type: FrameType) -> OnEvent {
        guard end == nil else { return .none }
        return .end(unexpected(type))
    }

    /// What came cannot be read, or does not verify.
    package mutating func receivedInvalid(_ error: ProtocolError) -> OnEvent {
        endUnlessEnded(.violated(error))
    }

    /// A person at this side stops the session.
    package mutating func cancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessCommitting(.cancelled(cancellation))
    }

    /// Something failed at this side.
    package mutating func fail(_ failure: Failure) -> OnEvent {
        endUnlessEnded(.failed(failure))
    }

    /// The connection ended.
    package mutating func transportClosed() -> OnEvent {
        endUnlessCommitting(.connectionLost)
    }

    /// Once the commit has begun, only its own outcome ends the session: the truth is what the store says.
    private mutating func endUnlessCommitting(_ end: SessionEnd) -> OnEvent {
        if case .committing = state { return .none }
        return endUnlessEnded(end)
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
        state = .ended(end)
        list = nil
        return end
    }
}
