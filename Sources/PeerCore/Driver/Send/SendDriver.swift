import Logging
import NIOCore
import NIOPosix

/// Drives the sender's side of one session.
actor SendDriver: SessionDriver {
    nonisolated let jobs = SessionJobs()
    let context: SendContext
    var lifecycle: SessionLifecycle
    var machine: SenderStateMachine
    var invitation = InvitationStage()
    var responses = ResponseQueue()
    var progress = ProgressReports()
    var peer: RemotePeer?
    private var cause: (any Error)?
    private var unknownKinds: [ResourceKind] = []
    /// The resource that is being sent.
    var content: ReadableContent?
    /// Whether this connection is a lane of another session, which uses it.
    var isLane = false
    var lanes: SenderLaneStateMachine
    var laneConnections = LaneConnections()

    init(lifecycle: SessionLifecycle, context: SendContext) {
        self.lifecycle = lifecycle
        self.context = context
        self.lanes = SenderLaneStateMachine(lifecycle.configuration, at: .now)
        let manifest = context.source.manifest
        self.machine = SenderStateMachine(manifest: manifest, limits: lifecycle.configuration.limits)
        self.lifecycle.workByteCount = manifest.totalSize
    }

    /// The offer.
    nonisolated var manifest: Manifest { context.source.manifest }

    /// How far the peer came, if it was not accepted.
    ///
    /// Read it after the end.
    var visit: VisitReports.Visit { invitation.visit }

    /// The executor of the session's tasks.
    var executor: EventLoopExecutor { .of(lifecycle.connection.channel.eventLoop) }

    /// The outcome of the session.
    ///
    /// Read it after the end.
    var outcome: SessionOutcome {
        let result: Result<TransferReceipt, any Error>
        switch machine.end ?? .connectionLost {
        case .completed(let acknowledgement):
            result = .success(
                TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            )
        case let end:
            let error = cause ?? PeerError(end) ?? PeerError(.connectionLost, "The session ended.")
            result = .failure(machine.isOutcomeUnknown ? PeerError.outcomeUnknown(error) : error)
        }
        return SessionOutcome(
            peer: peer,
            result: result,
            bytesTransferred: progress.meter.bytesTransferred,
            bytesSaved: progress.meter.bytesSaved,
            unknownKinds: unknownKinds
        )
    }

    func received(_ part: InboundPart) async {
        guard machine.end == nil else { return }
        lifecycle.noteState(machine.stateName)
        defer { lifecycle.noteState(machine.stateName) }
        // A receiver sends nothing on a lane after joining.
        guard !isLane else { return lifecycle.connection.close() }
        lifecycle.isBusy = true
        defer { lifecycle.isBusy = false }
        switch lifecycle.received(part) {
        case .handled:
            if case .opened(let security) = part {
                if security == .plainText { context.admission.retries.came() }
                context.report(nil, .connection(.handshaking))
            }
        case .connected(let hello):
            await connected(hello)
        case .joins(let secret):
            join(secret)
        case .forRole(let part):
            await receivedForRole(part)
        case .violated(let error):
            perform(machine.receivedInvalid(error))
        case .encryptionMismatch(let wish):
            refuseEncryption(wish)
        }
    }

    func transportClosed(_ error: (any Error)?) {
        if let error {
            lifecycle.logger.debug("connection closed", metadata: ["error": "\(error)"])
            if machine.end == nil, lifecycle.security == nil {
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
        switch lifecycle.tick(at: now) {
        case .none:
            break
        case .expired(.linger):
            lifecycle.connection.close()
        case .expired(.invitation):
            await answer(.decline(Refusal(.noAnswer, "There was no answer in time.")))
        case .expired(let deadline):
            fail(PeerError.deadline(deadline))
        case .silent:
            perform(machine.transportClosed())
        }
    }

    func cancel(_ cancellation: Cancellation) {
        guard !isLane else { return lifecycle.connection.close() }
        perform(machine.cancel(cancellation))
    }
}

extension SendDriver {
    private func connected(_ hello: Hello) async {
        do {
            let peer = try await lifecycle.peer(hello, trust: context.trust)
            guard machine.end == nil else { return }
            self.peer = peer
            lanes.connected(isCapable: lifecycle.features.contains(Hello.lanesFeature))
            context.report(peer, .connection(.connected))
            lifecycle.arm(.manifest, after: lifecycle.configuration.manifestTimeout)
            jobs.add { await self.answerRequests(encrypted: peer.security != .plainText) }
        } catch {
            fail(error)
        }
    }

    private func receivedForRole(_ part: InboundPart) async {
        guard case .frame(let frame) = part else { return perform(machine.receivedOther(.data)) }
        switch frame {
        case .invite(let invitation): await receivedInvite(invitation)
        case .pairingNonce(let disclosure): await receivedPairingNonce(disclosure)
        case .pairingConfirmation: await receivedPairingConfirmation()
        case .digestQuery(let query): receivedDigestQuery(query)
        case .selection(let selection): await receivedSelection(selection)
        case .request(let request): receivedRequest(request)
        case .pageQuery(let query) where lifecycle.features.contains(Hello.pagesFeature): receivedPageQuery(query)
        case .pageRequest(let request): receivedPageRequest(request)
        case .confirmation(let confirmation):
            receivedConfirmation(confirmation)
        case .acknowledgement(let acknowledgement): perform(machine.receivedAcknowledgement(acknowledgement))
        case .decline(let refusal): perform(machine.receivedDecline(refusal))
        case .cancel(let cancellation): perform(machine.receivedCancel(cancellation))
        case .failure(let failure): receivedFailure(failure)
        case .pageQuery, .hello, .ping, .pong, .accept, .pairingCommitment, .pairingReveal, .manifest, .digests, .done,
            .pageDigests, .lanes, .join, .allDispatched, .link, .record, .droppable, .credit:
            perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedSelection(_ selection: ResourceSelection) async {
        guard pairingAllowsAnswer(.selection) else { return }
        invitation.offerAnswered()
        context.admission.offerAnswered(context.session)
        unknownKinds = manifest.entries.map(\.kind).filter(selection.unknown.contains)
        switch machine.receivedSelection(selection) {
        case .sendDigests(let positions):
            lifecycle.disarm(.offer)
            for (position, entry) in manifest.entries.enumerated() where selection.kinds.contains(entry.kind) {
                progress.meter.expect(position, kind: entry.kind, size: entry.size)
            }
            for position in positions { responses.add(.digests(position)) }
            noteProgress()
        case .sendDone(let completion):
            lifecycle.disarm(.offer)
            responses.add(.done(completion))
            noteProgress()
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func refuseEncryption(_ wish: InboundPart.PeerWish) {
        let error = PeerError.encryptionMismatch(wish)
        cause = error
        if case .encryption = wish { context.admission.retries.refused(context.session) }
        let failure = Failure(encryptionMismatch: wish)
        // This is the first frame. It is in plain text and reveals nothing.
        lifecycle.connection.send(.preface)
        lifecycle.send(.failure(failure))
        perform(machine.fail(failure))
    }

    func fail(_ error: any Error) {
        guard machine.end == nil else { return }
        if let refusal = error as? IdentityRefusal {
            cause = refusal.error
            invitation.visit = .impostor
            return perform(machine.fail(refusal.failure))
        }
        if Task.isCancelled, error is CancellationError { cancel(.programStopped) }
        guard machine.end == nil else { return }
        cause = error
        perform(machine.fail(Failure(reporting: error)))
    }

    func perform(_ action: OnSessionEvent) {
        if case .end(let end) = action { finish(end) }
    }

    func finish(_ end: SessionEnd) {
        lifecycle.noteState(machine.stateName)
        notePairing(end)
        lifecycle.finish(end)
        abandonLanes()
        // The receiver closes after its last frame; so does this side.
        if case .completed = end { lifecycle.connection.close() }
        responses.finish()
        switch end {
        case .completed(let acknowledgement):
            let receipt = TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            context.report(peer, .transfer(.completed(receipt)))
        case .cancelled, .cancelledByPeer:
            context.report(peer, .transfer(.cancelled))
        default:
            guard let error = cause as? PeerError ?? PeerError(end) else { break }
            context.report(peer, .transfer(.failed(machine.isOutcomeUnknown ? .outcomeUnknown(error) : error)))
        }
        context.report(peer, .connection(.disconnected))
    }
}

/// The constants of a sender's session.
struct SendContext: Sendable {
    /// Supplies the resources.
    let source: any ResourceSource
    /// Knows the trusted peers.
    let trust: any TrustStore
    /// Decides which peers are admitted; shared by all sessions of the sender.
    let admission: Admission
    /// The session's number.
    let session: Int
    /// Whether the receiver is admitted because the connection carries a resource of a session.
    var isAttached = false
    /// Reads and hashes files.
    let pool: NIOThreadPool
    /// Decides on an invitation.
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}
