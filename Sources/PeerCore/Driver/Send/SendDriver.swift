import Logging
import NIOCore
import NIOPosix

/// Drives the sender's side of one connection.
actor SendDriver: TransferDriver {
    nonisolated let jobs = TransferJobs()
    let context: SendContext
    /// Supplies the resources: what all receivers get, or what the application has made for this one.
    var source: any ResourceSource
    /// The invitation that is or was decided on.
    var invitation: Invitation?
    let conversation: ConversationDriver
    var lifecycle: TransferLifecycle
    var machine: SenderStateMachine
    /// Which offer is made, if there are several.
    var choice: SenderChoiceStateMachine
    /// How many offers were made before the one at hand.
    var offerNumber = 0
    /// Whether the receiver waits for an offer that is being made.
    var isPreparing = false
    /// How long the receiver may take to answer the offer.
    var offerTimeout: Duration
    var responses = ResponseQueue()
    var progress = ProgressMeter.Reports()
    var cause: (any Error)?
    /// What the receiver wants of the offer; nil before it has said so.
    var selection: ResourceSelection?
    /// The resource that is being sent.
    var content: ReadableContent?
    /// Whether this connection is a lane of another transfer, which uses it.
    var isLane = false
    var lanes: SenderLaneStateMachine
    /// The turn of the receiver among others.
    var turn = OwnTurn()
    var laneConnections = LaneConnections()

    init(conversation: sending ConversationDriver, lifecycle: TransferLifecycle, context: SendContext) {
        self.conversation = conversation
        self.lifecycle = lifecycle
        self.context = context
        self.source = context.source
        self.lanes = SenderLaneStateMachine(lifecycle.configuration, at: .now)
        self.offerTimeout = lifecycle.configuration.offerTimeout
        let manifest = context.source.manifest
        self.machine = SenderStateMachine(manifest: manifest, limits: lifecycle.configuration.limits)
        self.choice = SenderChoiceStateMachine(context.choice?.catalogue)
        self.lifecycle.workByteCount = manifest.totalSize
        conversation.whenSlotIsNeeded(
            invitation: { [weak self] in self?.add { await $0.giveUpInvitation() } },
            transfer: { [weak self] in self?.add { await $0.makeRoom() } }
        )
    }

    private nonisolated func add(_ job: @escaping @Sendable (SendDriver) async -> Void) {
        jobs.add { await job(self) }
    }

    /// The offer.
    var manifest: Manifest { source.manifest }

    /// The offered kinds.
    private var offered: [ResourceKind] { manifest.entries.map(\.kind) }

    /// What a receiver says of what it was sent; what it says of anything else is ignored.
    private func receipt(_ acknowledgement: Acknowledgement) -> TransferReceipt {
        TransferReceipt(acknowledgement, of: selection?.kinds ?? [], offered: offered)
    }

    /// How far the peer came, if it was not accepted; read it after the end.
    var visit: VisitReports.Visit { conversation.visit }

    /// The receiver, once it is known.
    var peer: RemotePeer? { conversation.remote }

    /// The executor of the transfer's tasks.
    var executor: EventLoopExecutor { .of(lifecycle.connection.channel.eventLoop) }

    /// The outcome of the transfer; read it after the end.
    var outcome: TransferOutcome {
        let result: Result<TransferReceipt, any Error>
        switch machine.end ?? .connectionLost {
        case .completed(let acknowledgement): result = .success(receipt(acknowledgement))
        case let end:
            let error =
                cause ?? conversation.cause ?? PeerError(end) ?? PeerError(.connectionLost, "The transfer ended.")
            result = .failure(machine.isOutcomeUnknown ? PeerError.outcomeUnknown(error) : error)
        }
        return TransferOutcome(
            peer: peer,
            result: result,
            bytesTransferred: progress.meter.bytesTransferred,
            bytesSaved: progress.meter.bytesSaved,
            unknownKinds: offered.filter { selection?.unknown.contains($0) == true },
            offer: choice.current
        )
    }

    func received(_ input: Inbound) async {
        guard machine.end == nil else { return }
        lifecycle.noteState(machine.stateName)
        defer { lifecycle.noteState(machine.stateName) }
        // A receiver sends nothing on a lane after joining.
        guard !isLane else { return lifecycle.connection.close() }
        lifecycle.isBusy = true
        defer { lifecycle.isBusy = false }
        switch input {
        case .opened(let security):
            if security == .plainText { context.slot.admission.retries.plainTextConnected() }
            lifecycle.connection.send(.preface)
            await handle(conversation.opened(security.certifiedID, at: .now))
        case .encryptionMismatch(let wish):
            if case .encryption = wish { context.slot.admission.retries.refused(context.slot.number) }
            lifecycle.connection.send(.preface)
            let failure = Failure(encryptionMismatch: wish)
            await handle(conversation.refuseEncryption(telling: failure, .encryptionMismatch(wish)))
        case .frame(let frame): await handle(conversation.received(frame, at: .now))
        case .invalid(let error): await handle(conversation.receivedInvalid(error))
        case .dataHeader, .data: await handle(conversation.receivedData())
        }
    }

    func transportClosed(_ error: (any Error)?) {
        if let error {
            lifecycle.logger.debug("connection closed", metadata: ["error": "\(error)"])
            if machine.end == nil, conversation.state.isOpening {
                cause = lifecycle.connection.refusal ?? PeerError(securing: error)
            }
        }
        if !isLane { perform(machine.transportClosed()) }
        abandonLanes()
        responses.finish()
        jobs.finish()
    }

    func tick(at now: ContinuousClock.Instant) async {
        lifecycle.noteState(machine.stateName)
        do {
            if machine.end == nil { try content?.checkSize() }
        } catch {
            fail(error)
        }
        await watchLanes(at: now)
        await reportArrived(at: now)
        tellTurn(at: now)
        await handle(conversation.tick(at: now, isBusy: lifecycle.isBusy))
        if machine.end == nil, let deadline = lifecycle.tick(at: now) { fail(PeerError.deadline(deadline)) }
    }

    func cancel(_ cancellation: Cancellation) {
        // The words are said on the main connection of the transfer.
        guard !isLane else { return lifecycle.connection.close() }
        perform(machine.cancel(cancellation))
    }
}

extension SendDriver {
    /// Acts on what the conversation has come to.
    func handle(_ events: [Conversation.Event]) async {
        for event in events {
            switch event {
            case .opened: context.report(nil, .connection(.handshaking))
            case .connected: connected()
            case .ask(let digits): askWhoDecides(digits)
            case .accepted: begin()
            case .frame(let frame): await received(frame)
            case .join(let secret): join(secret)
            case .silent: perform(machine.transportClosed())
            case .ended(let end): if machine.end == nil { finish(machine.finish(end)) }
            case .test, .invited, .digits, .link, .notIntroduced, .attach: break
            }
        }
    }

    private func connected() {
        if let peer { lifecycle.logger[metadataKey: "peer"] = "\(peer.id.short)" }
        context.report(peer, .connection(.connected))
    }

    /// The connection carries a resource that this side sends.
    func acceptClaim() async { await handle(conversation.acceptClaim(at: .now)) }

    /// The receiver is accepted: offers it what there is, or what the application makes for it.
    private func begin() {
        if case .sendCatalogue(let catalogue) = choice.start() { return send(catalogue) }
        guard let offering = context.offering, let invitation, invitation.context != nil else { return offer() }
        make { try await offering(invitation) }
    }

    /// Makes an offer with a source that is still to be made.
    func make(_ source: @escaping @Sendable () async throws -> any ResourceSource) {
        isPreparing = true
        jobs.add {
            do {
                let source = try await EventLoopExecutor.offEventLoop { try await source() }
                await self.offer(source)
            } catch {
                await self.fail(error)
            }
        }
    }

    private func offer(_ source: any ResourceSource) {
        // The receiver may have left meanwhile.
        guard machine.end == nil else { return }
        isPreparing = false
        self.source = source
        machine = SenderStateMachine(manifest: source.manifest, limits: lifecycle.configuration.limits)
        lifecycle.workByteCount = source.manifest.totalSize
        offer()
    }

    private func offer() {
        guard case .sendManifest(let manifest) = machine.start() else { return }
        if conversation.state.use == .attachment {
            // No person is asked there.
            offerTimeout = min(offerTimeout, lifecycle.configuration.unattendedOfferTimeout)
        }
        lanes.connected(isCapable: conversation.state.features.contains(Hello.lanesFeature))
        let isEncrypted = conversation.state.certifiedID != nil
        // A job, because sending data must not delay the reader: a `cancel` would come too late.
        jobs.add { [requests = responses.stream, offerNumber] in
            await self.answerRequests(requests, of: offerNumber, encrypted: isEncrypted)
        }
        // Before the manifest, so that the person who decides on the offer knows.
        if let prospect { lifecycle.send(.turn(prospect.notice)) }
        lifecycle.send(.manifest(manifest.body))
        awaitAnswer()
    }

    /// Waits until the receiver has answered what it was sent.
    func awaitAnswer() {
        // The receiver declines when its time is over. This side waits a little longer.
        lifecycle.arm(.offer, after: offerTimeout + lifecycle.configuration.silenceTimeout)
        context.report(peer, .transfer(.connected))
        lifecycle.noteState(machine.stateName)
    }

    private func received(_ frame: Frame) async {
        switch frame {
        case .digestQuery(let query): receivedDigestQuery(query)
        case .selection(let selection): await receivedSelection(selection)
        case .request(let request): receivedRequest(request)
        case .pieceQuery(let query) where conversation.state.features.contains(Hello.piecesFeature):
            receivedPieceQuery(query)
        case .rangeRequest(let request) where conversation.state.features.contains(Hello.piecesFeature):
            receivedRangeRequest(request)
        case .confirmation(let confirmation): receivedConfirmation(confirmation)
        case .pick(let pick): await receivedPick(pick)
        case .acknowledgement(let acknowledgement): await conclude(machine.receivedAcknowledgement(acknowledgement))
        case .decline(let refusal) where choice.isAwaitingPick: finish(machine.finish(.declinedByPeer(refusal)))
        case .decline(let refusal): await conclude(machine.receivedDecline(refusal))
        case .cancel(let cancellation): perform(machine.receivedCancel(cancellation))
        case .failure(let failure): receivedFailure(failure)
        default: perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedSelection(_ selection: ResourceSelection) async {
        await handle(conversation.receivedSelection())
        guard machine.end == nil else { return }
        context.slot.admission.offerAnswered(context.slot.number)
        self.selection = selection
        switch machine.receivedSelection(selection) {
        case .sendDigests(let positions):
            lifecycle.disarm(.offer)
            for (position, entry) in manifest.entries.enumerated() where selection.kinds.contains(entry.kind) {
                progress.meter.expect(position, kind: entry.kind, size: entry.size)
            }
            joinTurns()
            for position in positions { responses.add(.digests(position)) }
            noteProgress()
        case .sendDone(let completion):
            lifecycle.disarm(.offer)
            responses.add(.done(completion))
            noteProgress()
        case .end(let end): finish(end)
        default: break
        }
    }

    func fail(_ error: any Error) {
        if Task.isCancelled, error is CancellationError { cancel(.programStopped) }
        guard machine.end == nil else { return }
        cause = error
        perform(machine.fail(Failure(reporting: error)))
    }

    func perform(_ action: OnTransferEvent) { if case .end(let end) = action { finish(end) } }

    func finish(_ end: Conversation.End) {
        lifecycle.noteState(machine.stateName)
        lifecycle.logEnd(end)
        // A receiver that leaves before its part is made has still been paired, so its digits count. (Docs/Trust.md, "How sure
        // pairing is".)
        if isPreparing { conversation.settlePairing() }
        _ = conversation.end(end)
        abandonLanes()
        turn.leave()
        // The receiver closes after its last frame; so does this side.
        if case .completed = end { lifecycle.connection.close() }
        responses.finish()
        report(end)
        context.report(peer, .connection(.disconnected))
    }

    func report(_ end: Conversation.End) {
        switch end {
        case .completed(let acknowledgement):
            reportAllArrived()
            context.report(peer, .transfer(.completed(receipt(acknowledgement))))
        case .cancelled, .cancelledByPeer: context.report(peer, .transfer(.cancelled))
        default:
            guard let error = (cause ?? conversation.cause) as? PeerError ?? PeerError(end) else { break }
            context.report(peer, .transfer(.failed(machine.isOutcomeUnknown ? .outcomeUnknown(error) : error)))
        }
    }
}
