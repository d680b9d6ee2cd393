import Logging
import NIOCore
import NIOPosix

/// Drives the sender's side of one session.
actor SendDriver: SessionDriver {
    nonisolated let jobs: AsyncStream<SessionJob>

    let jobsIn: AsyncStream<SessionJob>.Continuation
    let orders: AsyncStream<PendingResponse>
    let ordersIn: AsyncStream<PendingResponse>.Continuation
    let source: any ResourceSource
    let trust: any TrustStore
    let admission: Admission
    let session: Int
    let pool: NIOThreadPool
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void

    var lifecycle: SessionLifecycle
    var machine: SenderStateMachine
    var pairing: PairingStateMachine?
    /// The invitation that is being answered.
    var request: InvitationRequest?
    /// What the session has come to, as long as it is not accepted.
    var visit = Admission.Visit.unasked
    /// Whether what had to be compared was and the receiver has taken the offer, or the failure is counted.
    var isPairingSettled = false
    var meter = ProgressMeter()
    var lastProgress: ContinuousClock.Instant?
    var peer: RemotePeer?
    private var cause: (any Error)?
    private var unknownKinds: [ResourceKind] = []
    /// How many requests are not answered whole.
    var unsentCount = 0
    /// How many bytes of each resource the receiver compares, or has compared, page by page.
    var comparedBytes: [Int: UInt64] = [:]
    /// The resource whose bytes are on the way.
    var content: ReadableContent?
    /// Whether this connection is a lane of another session, which does everything with it.
    var isLane = false
    /// Whether the receiver can use lanes.
    var isLaneCapable = false
    var lanes: SenderLanes
    /// What of the request at hand no connection has taken.
    var work: ChunkQueue?
    /// The resources that the receiver has confirmed.
    var confirmedPositions: Set<Int> = []
    /// Where the answer to what was handed out goes.
    var dispatchAnswers: AsyncStream<DispatchAnswer>.Continuation?

    init(
        lifecycle: SessionLifecycle,
        source: any ResourceSource,
        trust: any TrustStore,
        admission: Admission,
        session: Int,
        pool: NIOThreadPool,
        decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        report: @escaping @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
    ) {
        self.lifecycle = lifecycle
        self.source = source
        self.trust = trust
        self.admission = admission
        self.session = session
        self.pool = pool
        self.decide = decide
        self.report = report
        self.lanes = SenderLanes(lifecycle.configuration)
        self.machine = SenderStateMachine(manifest: source.manifest, limits: lifecycle.configuration.limits)
        self.lifecycle.workByteCount = source.manifest.totalSize
        (self.jobs, self.jobsIn) = AsyncStream.makeStream()
        (self.orders, self.ordersIn) = AsyncStream.makeStream()
    }

    /// Where the tasks of the session run.
    var executor: EventLoopExecutor { .of(lifecycle.connection.channel.eventLoop) }

    /// How the session ended; to be asked when it has.
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
            bytesTransferred: meter.bytesTransferred,
            bytesSaved: meter.bytesSaved,
            unknownKinds: unknownKinds
        )
    }

    func received(_ part: InboundPart) async {
        guard machine.end == nil else { return }
        lifecycle.noteState(machine.stateName)
        defer { lifecycle.noteState(machine.stateName) }
        // The peer has said all that it has to say on a lane.
        guard !isLane else { return lifecycle.connection.close() }
        lifecycle.isBusy = true
        defer { lifecycle.isBusy = false }
        switch lifecycle.received(part) {
        case .handled:
            if case .opened(let security) = part {
                if security == .plainText { admission.retries.came() }
                report(nil, .connection(.handshaking))
            }
        case .connected(let hello):
            await connected(hello)
        case .joins(let secret):
            await join(secret)
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
        ordersIn.finish()
        jobsIn.finish()
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
            let peer = try await lifecycle.peer(hello, trust: trust)
            guard machine.end == nil else { return }
            self.peer = peer
            isLaneCapable = lifecycle.features.contains(Hello.lanesFeature)
            report(peer, .connection(.connected))
            lifecycle.arm(.manifest, after: lifecycle.configuration.manifestTimeout)
            jobsIn.yield { await self.sendOrdered(encrypted: peer.security != .plainText) }
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
            .pageDigests, .lanes, .join, .allDispatched:
            perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedSelection(_ selection: ResourceSelection) async {
        guard pairingAllowsAnswer(.selection) else { return }
        isPairingSettled = true
        admission.offerAnswered(session)
        unknownKinds = source.manifest.entries.map(\.kind).filter(selection.unknown.contains)
        switch machine.receivedSelection(selection) {
        case .sendDigests(let positions):
            lifecycle.disarm(.offer)
            for position in positions {
                let entry = source.manifest.entries[position]
                meter.expect(position, kind: entry.kind, size: entry.size)
                ordersIn.yield(.digests(position))
            }
            noteProgress()
        case .sendDone(let completion):
            lifecycle.disarm(.offer)
            lifecycle.send(.done(completion))
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
        if case .encryption = wish { admission.retries.refused(session) }
        let failure = Failure(encryptionMismatch: wish)
        // Nothing was said yet; these words are in plain text and give nothing away.
        lifecycle.connection.send(.preface)
        lifecycle.send(.failure(failure))
        perform(machine.fail(failure))
    }

    func fail(_ error: any Error) {
        guard machine.end == nil else { return }
        if let refusal = error as? IdentityRefusal {
            cause = refusal.error
            visit = .impostor
            return perform(machine.fail(refusal.failure))
        }
        if Task.isCancelled, error is CancellationError { cancel(.programStopped) }
        guard machine.end == nil else { return }
        cause = error
        perform(machine.fail(Failure(reporting: error)))
    }

    func perform(_ action: SenderStateMachine.OnEvent) {
        if case .end(let end) = action { finish(end) }
    }

    func finish(_ end: SessionEnd) {
        lifecycle.noteState(machine.stateName)
        notePairing(end)
        lifecycle.finish(end)
        abandonLanes()
        // The receiver closes after its last word; so do we after hearing it.
        if case .completed = end { lifecycle.connection.close() }
        ordersIn.finish()
        switch end {
        case .completed(let acknowledgement):
            let receipt = TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            report(peer, .transfer(.completed(receipt)))
        case .cancelled, .cancelledByPeer:
            report(peer, .transfer(.cancelled))
        default:
            guard let error = cause as? PeerError ?? PeerError(end) else { break }
            report(peer, .transfer(.failed(machine.isOutcomeUnknown ? .outcomeUnknown(error) : error)))
        }
        report(peer, .connection(.disconnected))
    }
}
