public import FoundationEssentials

/// The receiver's side of a transfer, after the handshake.
///
/// One method for each event; each returns what the driver must do. What an illegal event means is as in
/// ``SenderStateMachine``.
public struct ReceiverStateMachine: Sendable {
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
    }

    private enum Resource {
        /// Its digest list is awaited.
        case wanted
        /// Its digest list is proved; what is missing is being found out.
        case listed
        /// Its missing chunks are on the way.
        case requested(ChunkCursor)
        /// It is whole and stored.
        case stored
    }

    /// What to do at the start.
    public enum OnStart: Equatable, Sendable {
        /// Send an invitation.
        case sendInvite(InvitationRequest)
        /// Nothing: it was started before.
        case none
    }

    /// What to do about a manifest.
    public enum OnReceivedManifest: Equatable, Sendable {
        /// Examine the offer, show it and ask.
        case ask(Manifest)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about the answer to an offer.
    public enum OnOfferAnswered: Equatable, Sendable {
        /// Send wishes.
        case sendWishes(Wishes)
        /// Send a refusal and end the session.
        case sendDecline(Refusal)
        /// Nothing: the answer came too late.
        case none
    }

    /// What to do about a digest list.
    public enum OnReceivedDigests: Equatable, Sendable {
        /// Find out which chunks of the resource are missing.
        case locateChunks(Int)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do once it is known which chunks of a resource are missing.
    public enum OnChunksLocated: Equatable, Sendable {
        /// Ask for them.
        case sendRequest(ChunkRequest)
        /// Ask for nothing; the resource is whole and to be stored.
        case sendRequestAndStore(ChunkRequest)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about a data frame.
    public enum OnReceivedData: Equatable, Sendable {
        /// Verify and keep the bytes that follow.
        case keep(Int)
        /// Verify and keep the bytes that follow; the resource is then whole and to be stored.
        case keepAndStore(Int)
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do once a resource is stored.
    public enum OnResourceStored: Equatable, Sendable {
        /// Tell the sender.
        case sendConfirmation(Confirmation)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do at the end of the transfer.
    public enum OnReceivedDone: Equatable, Sendable {
        /// Commit everything.
        case commit
        /// End the session.
        case end(SessionEnd)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do once everything is committed.
    public enum OnCommitted: Equatable, Sendable {
        /// Tell the sender and end the session.
        case sendAcknowledgement(Acknowledgement)
        /// Nothing: the session has ended.
        case none
    }

    /// What to do about any other event.
    public enum OnEvent: Equatable, Sendable {
        /// End the session.
        case end(SessionEnd)
        /// Nothing.
        case none
    }

    private let limits: ProtocolLimits
    private var state: State = .idle

    /// Creates a machine.
    public init(limits: ProtocolLimits = .standard) {
        self.limits = limits
    }

    /// How the session ended; nil while it goes on.
    public var end: SessionEnd? {
        if case .ended(let end) = state { end } else { nil }
    }

    /// Whether the sender has yet to answer our invitation.
    public var isInviting: Bool {
        if case .inviting = state { true } else { false }
    }

    /// Whether the sender owes us the manifest.
    public var isAwaitingManifest: Bool {
        if case .awaitingManifest = state { true } else { false }
    }

    /// Whether the sender owes us bytes that we asked for.
    public var isAwaitingData: Bool {
        guard case .transferring(let transferring) = state else { return false }
        return transferring.resources.values.contains { resource in
            if case .requested(let cursor) = resource { !cursor.isAtEnd } else { false }
        }
    }

    /// The handshake is complete: asks for a transfer.
    public mutating func start(_ invitation: InvitationRequest) -> OnStart {
        guard case .idle = state else { return .none }
        state = .inviting
        return .sendInvite(invitation)
    }

    /// The sender accepts.
    public mutating func receivedAccept() -> OnEvent {
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
    public mutating func receivedDecline(_ refusal: Refusal) -> OnEvent {
        switch state {
        case .inviting: .end(finish(.declinedByPeer(refusal)))
        case .idle, .awaitingManifest, .deciding, .transferring, .committing: .end(unexpected(.decline))
        case .ended: .none
        }
    }

    /// The sender's manifest came.
    public mutating func receivedManifest(_ body: Data) -> OnReceivedManifest {
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
    public mutating func offerAccepted(_ kinds: Set<ResourceKind>, unknown: [ResourceKind] = []) -> OnOfferAnswered {
        guard case .deciding(let manifest) = state else { return .none }
        var resources: [Int: Resource] = [:]
        var wanted: [ResourceKind] = []
        for (position, entry) in manifest.entries.enumerated() where kinds.contains(entry.kind) {
            resources[position] = .wanted
            wanted.append(entry.kind)
        }
        state = .transferring(Transferring(manifest: manifest, resources: resources))
        return .sendWishes(Wishes(kinds: wanted, unknown: unknown))
    }

    /// The person does not take the offer.
    public mutating func offerDeclined(_ refusal: Refusal) -> OnOfferAnswered {
        guard case .deciding = state else { return .none }
        state = .ended(.declined(refusal))
        return .sendDecline(refusal)
    }

    /// The digest list of a resource came.
    public mutating func receivedDigests(_ list: DigestList) -> OnReceivedDigests {
        switch state {
        case .transferring(var transferring):
            guard case .wanted = transferring.resources[list.resource] else { return .end(unexpected(.digests)) }
            let entry = transferring.manifest.entries[list.resource]
            guard list.digests.count == entry.layout.chunkCount,
                ContentDigest(resourceSize: entry.size, chunkDigests: list.digests) == entry.digest
            else {
                return .end(
                    violated(.digestMismatch, "The list of digests of the \(entry.kind) does not match the manifest.")
                )
            }
            transferring.resources[list.resource] = .listed
            state = .transferring(transferring)
            return .locateChunks(list.resource)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.digests))
        case .ended:
            return .none
        }
    }

    /// The driver has found out which chunks of a resource are missing.
    public mutating func chunksLocated(_ resource: Int, missing: ChunkRuns) -> OnChunksLocated {
        guard case .transferring(var transferring) = state, case .listed = transferring.resources[resource] else {
            return .none
        }
        let cursor = ChunkCursor(runs: missing, layout: transferring.manifest.entries[resource].layout)
        transferring.resources[resource] = .requested(cursor)
        state = .transferring(transferring)
        let request = ChunkRequest(resource: resource, runs: missing.ranges)
        return cursor.isAtEnd ? .sendRequestAndStore(request) : .sendRequest(request)
    }

    /// A data frame begins.
    public mutating func receivedData(_ header: DataHeader) -> OnReceivedData {
        switch state {
        case .transferring(var transferring):
            guard transferring.arriving == nil || transferring.arriving == header.resource,
                case .requested(var cursor) = transferring.resources[header.resource],
                cursor.pass(offset: header.offset, length: header.length)
            else {
                return .end(violated(.unexpectedFrame, "The other side sent data that nobody asked for."))
            }
            transferring.resources[header.resource] = .requested(cursor)
            transferring.arriving = cursor.isAtEnd ? nil : header.resource
            state = .transferring(transferring)
            return cursor.isAtEnd ? .keepAndStore(header.resource) : .keep(header.resource)
        case .idle, .inviting, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(.data))
        case .ended:
            return .none
        }
    }

    /// The driver has stored a resource whole.
    public mutating func resourceStored(_ resource: Int) -> OnResourceStored {
        guard case .transferring(var transferring) = state,
            case .requested(let cursor) = transferring.resources[resource], cursor.isAtEnd
        else { return .none }
        transferring.resources[resource] = .stored
        state = .transferring(transferring)
        let entry = transferring.manifest.entries[resource]
        return .sendConfirmation(Confirmation(name: entry.name, digest: entry.digest))
    }

    /// The sender says that it has sent everything.
    public mutating func receivedDone(_ completion: Completion) -> OnReceivedDone {
        switch state {
        case .transferring(let transferring):
            let missing = transferring.resources.values.contains { resource in
                if case .stored = resource { false } else { true }
            }
            guard !missing, completion.name.id == transferring.manifest.id else {
                return .end(
                    violated(.unexpectedFrame, "The other side ended the transfer before everything was there.")
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
    public mutating func committed(at time: Date, imported: [String: Int], keptLocal: [String: Int]) -> OnCommitted {
        guard case .committing(let manifest) = state else { return .none }
        let acknowledgement = Acknowledgement(id: manifest.id, time: time, imported: imported, keptLocal: keptLocal)
        state = .ended(.completed(acknowledgement))
        return .sendAcknowledgement(acknowledgement)
    }

    /// The peer was stopped by a person.
    public mutating func receivedCancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessCommitting(.cancelledByPeer(cancellation))
    }

    /// The peer failed.
    public mutating func receivedFailure(_ failure: Failure) -> OnEvent {
        endUnlessCommitting(.failedByPeer(failure))
    }

    /// A frame came that only a receiver sends, or a second handshake.
    public mutating func receivedOther(_ type: FrameType) -> OnEvent {
        guard end == nil else { return .none }
        return .end(unexpected(type))
    }

    /// What came cannot be read, or does not verify.
    public mutating func receivedInvalid(_ error: ProtocolError) -> OnEvent {
        endUnlessEnded(.violated(error))
    }

    /// A person at this side stops the session.
    public mutating func cancel(_ cancellation: Cancellation) -> OnEvent {
        endUnlessCommitting(.cancelled(cancellation))
    }

    /// Something failed at this side.
    public mutating func fail(_ failure: Failure) -> OnEvent {
        endUnlessEnded(.failed(failure))
    }

    /// The connection ended.
    public mutating func transportClosed() -> OnEvent {
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
        return end
    }
}
