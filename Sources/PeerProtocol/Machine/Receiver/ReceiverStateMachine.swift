package import FoundationEssentials

/// The receiver's side of a transfer, once the sender has accepted it.
///
/// One method for each event; each returns what the driver must do. What an illegal event means is as in
/// ``SenderStateMachine``.
package struct ReceiverStateMachine: SessionStateMachine, Sendable {
    private enum State {
        /// The sender has not accepted. Can become `awaitingManifest` or `ended`.
        case idle
        /// Can become `deciding` or `ended`.
        case awaitingManifest
        /// A person is asked. Can become `transferring` or `ended`.
        case deciding(OfferInquiry)
        /// Resources arrive. Can become `committing` or `ended`.
        case transferring(ResourceReception)
        /// Everything is there. Can become `ended`.
        case committing(Manifest)
        /// Final.
        case ended(SessionEnd)
    }

    private let limits: ProtocolLimits
    private var state: State = .idle

    /// Creates a machine.
    package init(limits: ProtocolLimits = .standard) {
        self.limits = limits
    }

    /// How the session ended; nil while it goes on.
    package var end: SessionEnd? {
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
        case .deciding: "deciding"
        case .transferring: "transferring"
        case .committing: "committing"
        case .ended: "ended"
        }
    }

    /// Whether the sender owes us bytes that we asked for, or the rest of a digest list.
    package var isAwaitingData: Bool {
        if case .transferring(let reception) = state { reception.isAwaitingData } else { false }
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
                state = .deciding(OfferInquiry(manifest, maximumPageCount: limits.maximumPageCount))
                return .ask(manifest)
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .deciding, .transferring, .committing:
            return .end(unexpected(.manifest))
        case .ended:
            return .none
        }
    }

    /// Whether the answer to the offer is awaited.
    var isDeciding: Bool {
        if case .deciding = state { true } else { false }
    }

    /// Whether this side has said what it wants of the offer.
    package var hasSelection: Bool {
        switch state {
        case .transferring, .committing: true
        case .idle, .awaitingManifest, .deciding, .ended: false
        }
    }

    /// The driver wants to know, before the offer is answered, how much is missing of the resources of these kinds.
    package mutating func startSurvey(_ kinds: Set<ResourceKind>) -> OnSurveyStarted {
        notedWhileDeciding { $0.begin(kinds) }
    }

    /// The driver has found out which chunks of a resource are missing, before the offer is answered.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - missing: All chunks that are missing.
    ///   - comparable: Those of them whose pages are to be compared with an older version.
    /// - Returns: What to do.
    package mutating func chunksSurveyed(
        _ resource: Int,
        missing: ChunkRuns,
        comparable: ChunkRuns = .none
    ) -> OnSurveyAdvanced {
        notedWhileDeciding { $0.chunksSurveyed(resource, missing: missing, comparable: comparable) }
    }

    /// The driver has found out which pages differ, before the offer is answered.
    package mutating func pagesSurveyed(_ resource: Int) -> OnSurveyAdvanced {
        notedWhileDeciding { $0.pagesSurveyed(resource) }
    }

    /// The person takes these kinds of the offer.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that are wanted; those that are not in the manifest do not count.
    ///   - unknown: The kinds in the manifest that are not understood here.
    /// - Returns: What to do.
    package mutating func offerAccepted(_ kinds: Set<ResourceKind>, unknown: [ResourceKind] = []) -> OnOfferAnswered {
        guard case .deciding(let inquiry) = state else { return .none }
        let manifest = inquiry.manifest
        let wanted = manifest.entries.indices.filter { kinds.contains(manifest.entries[$0].kind) }
        state = .transferring(inquiry.reception(of: wanted))
        return .sendSelection(ResourceSelection(kinds: wanted.map { manifest.entries[$0].kind }, unknown: unknown))
    }

    /// The person does not take the offer.
    package mutating func offerDeclined(_ refusal: Refusal) -> OnOfferAnswered {
        guard case .deciding = state else { return .none }
        state = .ended(.declined(refusal))
        return .sendDecline(refusal)
    }

    /// Passes a frame to the inquiry about the offer; ends the session if it may not come.
    mutating func receivedWhileDeciding<Action: EndingAction>(
        _ event: (inout OfferInquiry) throws(ProtocolError) -> Action
    ) -> Action {
        guard case .deciding(var inquiry) = state else { return .none }
        // Taken out of the state, because a change would copy its lists otherwise.
        state = .idle
        do {
            let action = try event(&inquiry)
            state = .deciding(inquiry)
            return action
        } catch {
            return .end(finish(.violated(error)))
        }
    }

    /// Passes an event of the driver to the inquiry about the offer.
    private mutating func notedWhileDeciding<Action: MachineAction>(_ event: (inout OfferInquiry) -> Action) -> Action {
        guard case .deciding(var inquiry) = state else { return .none }
        state = .idle
        defer { state = .deciding(inquiry) }
        return event(&inquiry)
    }

    /// Passes a frame to the resources; ends the session if it may not come.
    mutating func received<Action: EndingAction>(
        _ type: FrameType,
        _ event: (inout ResourceReception) throws(ProtocolError) -> Action
    ) -> Action {
        switch state {
        case .transferring(var reception):
            // Taken out of the state, because a change would copy its lists otherwise.
            state = .idle
            do {
                let action = try event(&reception)
                state = .transferring(reception)
                return action
            } catch {
                return .end(finish(.violated(error)))
            }
        case .idle, .awaitingManifest, .deciding, .committing:
            return .end(unexpected(type))
        case .ended:
            return .none
        }
    }

    /// Passes an event of the driver to the resources.
    mutating func noted<Action: MachineAction>(_ event: (inout ResourceReception) -> Action) -> Action {
        guard case .transferring(var reception) = state else { return .none }
        state = .idle
        defer { state = .transferring(reception) }
        return event(&reception)
    }

    /// The sender says that it has sent everything.
    package mutating func receivedDone(_ completion: Completion) -> OnReceivedDone {
        switch state {
        case .transferring(let reception):
            // Only what this side has verified and stored counts, whatever the sender says.
            guard reception.isStored, completion.id == reception.manifest.id else {
                return .end(
                    violated(.unexpectedFrame, "The other side ended the transfer before it was complete.")
                )
            }
            state = .committing(reception.manifest)
            return .commit
        case .idle, .awaitingManifest, .deciding, .committing:
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

    private mutating func unexpected(_ type: FrameType) -> SessionEnd {
        finish(.violated(.unexpected(type)))
    }

    private mutating func violated(_ code: ProtocolError.Code, _ message: String) -> SessionEnd {
        finish(.violated(ProtocolError(code, message)))
    }

    package mutating func finish(_ end: SessionEnd) -> SessionEnd {
        state = .ended(end)
        return end
    }
}
