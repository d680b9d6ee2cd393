package import FoundationEssentials

/// The receiver's side of a transfer, once the sender has accepted it.
///
/// One method for each event; each returns what the driver must do. What an illegal event means is as in
/// ``SenderStateMachine``.
package struct ReceiverStateMachine: TransferStateMachine, Sendable {
    private enum State {
        /// The sender has not accepted. Can become `awaitingManifest` or `ended`.
        case idle
        /// Can become `receiving` or `ended`.
        case awaitingManifest
        /// A person is asked; after the selection, resources arrive. Can become `committing` or `ended`.
        case receiving(ResourceReception)
        /// Everything is there. Can become `ended`.
        case committing(Manifest)
        /// Final.
        case ended(Conversation.End)
    }

    private let limits: ProtocolLimits
    private var state: State = .idle

    package init(limits: ProtocolLimits = .standard) { self.limits = limits }

    /// How the transfer ended; nil until then.
    package var end: Conversation.End? { if case .ended(let end) = state { end } else { nil } }

    /// Whether the commit has begun: the outcome is then what the store says.
    package var isOutcomeLocal: Bool { if case .committing = state { true } else { false } }

    /// The name of the state, for logs.
    package var stateName: String {
        switch state {
        case .idle: "idle"
        case .awaitingManifest: "awaitingManifest"
        case .receiving(let reception): reception.hasSelection ? "transferring" : "deciding"
        case .committing: "committing"
        case .ended: "ended"
        }
    }

    /// Whether the sender owes us bytes that we asked for, or the rest of a list of digests or of pieces.
    package var isAwaitingData: Bool {
        if case .receiving(let reception) = state { reception.isAwaitingData } else { false }
    }

    /// The sender has accepted.
    ///
    /// - Returns: Whether the manifest is awaited from now on; false if it was before, or if the transfer has ended.
    package mutating func start() -> Bool {
        guard case .idle = state else { return false }
        state = .awaitingManifest
        return true
    }

    /// The sender's manifest came.
    package mutating func receivedManifest(_ body: Data) -> Action {
        switch state {
        case .awaitingManifest:
            do {
                let manifest = try Manifest(parsing: body, limits: limits)
                state = .receiving(ResourceReception(manifest))
                return .ask(manifest)
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .receiving, .committing:
            return .end(unexpected(.manifest))
        case .ended:
            return .none
        }
    }

    /// Whether this side has said what it wants of the offer.
    package var hasSelection: Bool {
        switch state {
        case .receiving(let reception): reception.hasSelection
        case .committing: true
        case .idle, .awaitingManifest, .ended: false
        }
    }

    /// The person takes these kinds of the offer.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that are wanted; those that are not in the manifest do not count.
    ///   - unknown: The kinds in the manifest that this side does not understand.
    package mutating func offerAccepted(_ kinds: Set<ResourceKind>, unknown: [ResourceKind] = []) -> Action {
        guard case .receiving(var reception) = state, !reception.hasSelection else { return .none }
        let manifest = reception.manifest
        let wanted = manifest.entries.indices.filter { kinds.contains(manifest.entries[$0].kind) }
        reception.select(wanted)
        state = .receiving(reception)
        return .sendSelection(ResourceSelection(kinds: wanted.map { manifest.entries[$0].kind }, unknown: unknown))
    }

    /// The person does not take the offer.
    package mutating func offerDeclined(_ refusal: Refusal) -> Action {
        guard case .receiving(let reception) = state, !reception.hasSelection else { return .none }
        state = .ended(.declined(refusal))
        return .sendDecline(refusal)
    }

    /// Passes a frame to the resources; ends the transfer if it may not come.
    mutating func received(
        _ type: FrameType,
        beforeSelection isEarly: Bool = false,
        _ event: (inout ResourceReception) throws(ProtocolError) -> Action
    ) -> Action {
        guard end == nil else { return .none }
        let isReceiving = if case .receiving = state { true } else { false }
        guard isReceiving, isEarly || hasSelection else { return .end(unexpected(type)) }
        return noted(event)
    }

    /// Passes an event of the driver to the resources; ends the transfer if the peer is at fault.
    mutating func noted(_ event: (inout ResourceReception) throws(ProtocolError) -> Action) -> Action {
        guard case .receiving(var reception) = state else { return .none }
        // Taken out of the state, because a change would copy its lists otherwise.
        state = .idle
        do {
            let action = try event(&reception)
            state = .receiving(reception)
            return action
        } catch {
            return .end(finish(.violated(error)))
        }
    }

    /// The sender says when it serves this side.
    package mutating func receivedTurn(_ notice: TurnNotice) -> Action {
        switch state {
        case .awaitingManifest, .receiving: .show(notice)
        case .idle, .committing: .end(unexpected(.turn))
        case .ended: .none
        }
    }

    /// The sender says that it has sent everything.
    package mutating func receivedDone(_ completion: Completion) -> Action {
        switch state {
        case .receiving(let reception) where reception.hasSelection:
            // Only what this side has verified and stored counts, whatever the sender says.
            guard reception.isStored, completion.id == reception.manifest.id else {
                return .end(
                    violated(.unexpectedFrame, "The other side ended the transfer before it was complete.")
                )
            }
            state = .committing(reception.manifest)
            return .commit
        case .idle, .awaitingManifest, .receiving, .committing:
            return .end(unexpected(.done))
        case .ended:
            return .none
        }
    }

    /// The driver has committed everything.
    ///
    /// - `keptLocal`: How many items were left as they were, by kind.
    package mutating func committed(
        at time: Date,
        imported: [String: Int],
        keptLocal: [String: Int],
        changes: [ItemChange] = []
    ) -> Action {
        guard case .committing(let manifest) = state else { return .none }
        let acknowledgement = Acknowledgement(
            id: manifest.id,
            time: time,
            imported: imported,
            keptLocal: keptLocal,
            changes: changes
        )
        state = .ended(.completed(acknowledgement))
        return .sendAcknowledgement(acknowledgement)
    }

    private mutating func unexpected(_ type: FrameType) -> Conversation.End {
        finish(.violated(.unexpected(type)))
    }

    private mutating func violated(_ code: ProtocolError.Code, _ message: String) -> Conversation.End {
        finish(.violated(ProtocolError(code, message)))
    }

    package mutating func finish(_ end: Conversation.End) -> Conversation.End {
        state = .ended(end)
        return end
    }
}
