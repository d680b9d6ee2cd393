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
        case ended(ConversationEnd)
    }

    private let limits: ProtocolLimits
    private var state: State = .idle

    /// Creates a machine.
    package init(limits: ProtocolLimits = .standard) {
        self.limits = limits
    }

    /// How the transfer ended; nil while it goes on.
    package var end: ConversationEnd? {
        if case .ended(let end) = state { end } else { nil }
    }

    /// Whether the commit has begun: the outcome is then what the store says.
    package var isOutcomeLocal: Bool {
        if case .committing = state { true } else { false }
    }

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
    package mutating func receivedManifest(_ body: Data) -> OnReceivedManifest {
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
    /// - Returns: What to do.
    package mutating func offerAccepted(_ kinds: Set<ResourceKind>, unknown: [ResourceKind] = []) -> OnOfferAnswered {
        guard case .receiving(var reception) = state, !reception.hasSelection else { return .none }
        let manifest = reception.manifest
        let wanted = manifest.entries.indices.filter { kinds.contains(manifest.entries[$0].kind) }
        reception.select(wanted)
        state = .receiving(reception)
        return .sendSelection(ResourceSelection(kinds: wanted.map { manifest.entries[$0].kind }, unknown: unknown))
    }

    /// The person does not take the offer.
    package mutating func offerDeclined(_ refusal: Refusal) -> OnOfferAnswered {
        guard case .receiving(let reception) = state, !reception.hasSelection else { return .none }
        state = .ended(.declined(refusal))
        return .sendDecline(refusal)
    }

    /// Passes a frame to the resources; ends the transfer if it may not come.
    mutating func received<Action: EndingAction>(
        _ type: FrameType,
        beforeSelection isEarly: Bool = false,
        _ event: (inout ResourceReception) throws(ProtocolError) -> Action
    ) -> Action {
        switch state {
        case .receiving(var reception) where isEarly || reception.hasSelection:
            // Taken out of the state, because a change would copy its lists otherwise.
            state = .idle
            do {
                let action = try event(&reception)
                state = .receiving(reception)
                return action
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .awaitingManifest, .receiving, .committing:
            return .end(unexpected(type))
        case .ended:
            return .none
        }
    }

    /// Passes an event of the driver to the resources.
    mutating func noted<Action: MachineAction>(_ event: (inout ResourceReception) -> Action) -> Action {
        guard case .receiving(var reception) = state else { return .none }
        state = .idle
        defer { state = .receiving(reception) }
        return event(&reception)
    }

    /// The sender says when it serves this side.
    package mutating func receivedTurn(_ notice: TurnNotice) -> OnReceivedTurn {
        switch state {
        case .awaitingManifest, .receiving: .show(notice)
        case .idle, .committing: .end(unexpected(.turn))
        case .ended: .none
        }
    }

    /// The sender says that it has sent everything.
    package mutating func receivedDone(_ completion: Completion) -> OnReceivedDone {
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
    /// - Parameters:
    ///   - time: When.
    ///   - imported: How many items were taken over, by kind.
    ///   - keptLocal: How many items were left as they were, by kind.
    ///   - changes: What happened to single items.
    /// - Returns: What to do.
    package mutating func committed(
        at time: Date,
        imported: [String: Int],
        keptLocal: [String: Int],
        changes: [ItemChange] = []
    ) -> OnCommitted {
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

    private mutating func unexpected(_ type: FrameType) -> ConversationEnd {
        finish(.violated(.unexpected(type)))
    }

    private mutating func violated(_ code: ProtocolError.Code, _ message: String) -> ConversationEnd {
        finish(.violated(ProtocolError(code, message)))
    }

    package mutating func finish(_ end: ConversationEnd) -> ConversationEnd {
        state = .ended(end)
        return end
    }
}
