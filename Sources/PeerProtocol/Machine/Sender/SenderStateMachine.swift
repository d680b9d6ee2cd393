package import NIOCore

/// The sender's side of a transfer, once the receiver is accepted.
///
/// One method for each event; each returns what the driver must do. An event that is possible only because both sides
/// act at once (a frame that crossed with our own cancellation, say) finds the machine ended and returns `.none`.
/// Anything else that may not come is the peer's fault and ends the transfer with a ``ProtocolError``.
package struct SenderStateMachine: TransferStateMachine, Sendable {
    private enum State {
        /// The receiver is not accepted. Can become `sending` or `ended`.
        case idle
        /// The manifest was sent; after the selection, resources are being sent. Can become `awaitingAcknowledgement` or `ended`.
        case sending(ResourceTransmission)
        /// Everything was sent. Can become `ended`.
        case awaitingAcknowledgement(ResourceTransmission)
        /// Final.
        case ended(Conversation.End)
    }

    private let manifest: Manifest
    let limits: ProtocolLimits
    private var state: State = .idle
    /// Whether the transfer ended without the peer's word, although the peer may have committed everything.
    package private(set) var isOutcomeUnknown = false

    /// Creates a machine that offers what the manifest lists.
    package init(manifest: Manifest, limits: ProtocolLimits = .standard) {
        self.manifest = manifest
        self.limits = limits
    }

    /// How the transfer ended; nil until then.
    package var end: Conversation.End? { if case .ended(let end) = state { end } else { nil } }

    /// Never: the receiver decides the outcome.
    package var isOutcomeLocal: Bool { false }

    /// The name of the state, for logs.
    package var stateName: String {
        switch state {
        case .idle: "idle"
        case .sending(let transmission): transmission.wanted == nil ? "offering" : "transferring"
        case .awaitingAcknowledgement: "awaitingAcknowledgement"
        case .ended: "ended"
        }
    }

    /// The receiver is accepted.
    package mutating func start() -> Action {
        guard case .idle = state else { return .none }
        state = .sending(ResourceTransmission(manifest))
        return .sendManifest(manifest)
    }

    /// Whether the peer has said what it wants of the offer.
    package var hasSelection: Bool {
        switch state {
        case .sending(let transmission): transmission.wanted != nil
        case .awaitingAcknowledgement: true
        case .idle, .ended: false
        }
    }

    /// The peer asks for digest lists before it answers the offer.
    package mutating func receivedDigestQuery(_ query: DigestQuery) -> Action {
        received(.digestQuery, beforeSelection: true) { transmission throws(ProtocolError) in
            try transmission.receivedDigestQuery(query)
        }
    }

    /// The peer says what it wants of the offer.
    package mutating func receivedSelection(_ selection: ResourceSelection) -> Action {
        guard case .sending(var transmission) = state, transmission.wanted == nil else {
            return end == nil ? .end(unexpected(.selection)) : .none
        }
        do {
            let unlisted = try transmission.select(selection)
            // A receiver that has everything wants nothing, and still commits: items may have to be merged.
            guard transmission.wanted != [] else {
                state = .awaitingAcknowledgement(transmission)
                return .sendDone(Completion(id: manifest.id))
            }
            state = .sending(transmission)
            return .sendDigests(unlisted)
        } catch {
            return .end(finish(.violated(error)))
        }
    }

    /// The driver has sent all requested chunks of a resource.
    package mutating func chunksSent(_ resource: Int) -> Action {
        guard case .sending(var transmission) = state, transmission.chunksSent(resource) else { return .none }
        guard transmission.isSent else {
            state = .sending(transmission)
            return .none
        }
        state = .awaitingAcknowledgement(transmission)
        return .sendDone(Completion(id: manifest.id))
    }

    /// The peer has a resource whole and verified.
    package mutating func receivedConfirmation(_ confirmation: Confirmation) -> OnTransferEvent {
        switch state {
        case .sending(var transmission):
            guard transmission.receivedConfirmation(confirmation) else { return .end(unexpected(.confirmation)) }
            state = .sending(transmission)
            return .none
        case .awaitingAcknowledgement(var transmission):
            guard transmission.receivedConfirmation(confirmation) else { return .end(unexpected(.confirmation)) }
            state = .awaitingAcknowledgement(transmission)
            return .none
        case .idle:
            return .end(unexpected(.confirmation))
        case .ended:
            return .none
        }
    }

    /// Passes a frame to the resources; ends the transfer if it may not come.
    mutating func received(
        _ type: FrameType,
        beforeSelection isEarly: Bool = false,
        _ event: (inout ResourceTransmission) throws(ProtocolError) -> Action
    ) -> Action {
        switch state {
        case .sending(var transmission) where isEarly || transmission.wanted != nil:
            do {
                let action = try event(&transmission)
                state = .sending(transmission)
                return action
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .sending, .awaitingAcknowledgement:
            return .end(unexpected(type))
        case .ended:
            return .none
        }
    }

    /// Passes an event of the driver to the resources.
    mutating func noted(_ event: (inout ResourceTransmission) -> Action) -> Action {
        guard case .sending(var transmission) = state else { return .none }
        defer { state = .sending(transmission) }
        return event(&transmission)
    }

    /// The peer has committed everything.
    package mutating func receivedAcknowledgement(_ acknowledgement: Acknowledgement) -> OnTransferEvent {
        switch state {
        case .awaitingAcknowledgement(let transmission)
        where acknowledgement.id == manifest.id && transmission.isConfirmed:
            return .end(finish(.completed(acknowledgement)))
        case .idle, .sending, .awaitingAcknowledgement:
            return .end(unexpected(.acknowledgement))
        case .ended:
            return .none
        }
    }

    /// The peer declines the offer.
    package mutating func receivedDecline(_ refusal: Refusal) -> OnTransferEvent {
        switch state {
        case .sending(let transmission) where transmission.wanted == nil: .end(finish(.declinedByPeer(refusal)))
        case .idle, .sending, .awaitingAcknowledgement: .end(unexpected(.decline))
        case .ended: .none
        }
    }

    private mutating func unexpected(_ type: FrameType) -> Conversation.End {
        finish(.violated(.unexpected(type)))
    }

    package mutating func finish(_ end: Conversation.End) -> Conversation.End {
        // After `done`, the receiver may have committed although its acknowledgement was lost.
        if case .awaitingAcknowledgement = state {
            switch end {
            // A peer that breaks the protocol is not believed.
            case .completed, .failedByPeer, .cancelledByPeer, .violated: break
            default: isOutcomeUnknown = true
            }
        }
        state = .ended(end)
        return end
    }
}

/// The events of the resources that are sent; ``ResourceTransmission`` decides.
extension SenderStateMachine {
    /// The peer says which chunks of a resource it lacks.
    package mutating func receivedRequest(_ request: ChunkRequest) -> Action {
        received(.request) { transmission throws(ProtocolError) in try transmission.receivedRequest(request) }
    }

    /// The peer asks for the pieces of chunks, to look for them in what it has.
    package mutating func receivedPieceQuery(_ query: PieceQuery) -> Action {
        received(.pieceQuery, beforeSelection: true) { transmission throws(ProtocolError) in
            try transmission.receivedPieceQuery(query)
        }
    }

    /// The driver has made the list of the first of the chunks that were queried last: those before `end`.
    package mutating func piecesListed(_ resource: Int, _ list: ByteBuffer, until end: Int) -> Action {
        noted { $0.piecesListed(resource, list, until: end) }
    }

    /// The peer says which bytes of pieces it lacks.
    package mutating func receivedRangeRequest(_ request: RangeRequest) -> Action {
        received(.rangeRequest) { transmission throws(ProtocolError) in
            try transmission.receivedRangeRequest(request)
        }
    }

    /// The driver has sent the bytes of a request for bytes of pieces.
    package mutating func rangesSent(_ resource: Int) { _ = noted { $0.rangesSent(resource) } }

    /// The driver wants to send bulk data over lanes, too.
    package mutating func lanesWanted(_ count: Int, secret: ConnectionSecret) -> Action {
        guard (1...limits.maximumLaneCount).contains(count) else { return .none }
        return noted {
            $0.wanted == nil ? .none : .sendLanes(LaneInvitation(secret: secret, count: count))
        }
    }

    /// The driver has handed out all requested chunks of a resource, and closed the lanes that some of them went to.
    ///
    /// The peer confirms the resource, or asks once more for what a lane has lost.
    package mutating func chunksDispatched(_ resource: Int) -> Action {
        noted { $0.chunksDispatched(resource) }
    }
}
