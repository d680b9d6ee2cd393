import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Drives the receiver's side of one session.
actor ReceiveDriver: SessionDriver {
    /// What a sender is told whose offer cannot be taken: not what is here, nor how much room there is, which is nobody's
    /// business before anybody has agreed.
    private static let cannotTakeOffer = Failure(
        code: "cannotTake",
        message: "The receiver cannot accept the offer. Its screen shows why."
    )

    nonisolated let jobs: AsyncStream<SessionJob>

    let jobsIn: AsyncStream<SessionJob>.Continuation
    private let sink: any ResourceSink
    let trust: any TrustStore
    private let token: LinkToken?
    private let pairingLock: NIOLockedValueBox<AddressLockout>
    let pool: NIOThreadPool
    private var invitation: InvitationRequest
    private let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void

    var lifecycle: SessionLifecycle
    var machine: ReceiverStateMachine
    var pairing: PairingStateMachine?
    /// Whether what had to be compared was, and the offer is taken.
    var isPairingSettled = false
    var meter = ProgressMeter()
    var lastProgress: ContinuousClock.Instant?
    var peer: RemotePeer?
    var manifest: Manifest?
    var transfer: (any IncomingTransfer)?
    /// The resources of which parts are awaited, by their positions.
    var arrivals: [Int: ArrivingResource] = [:]
    var lanes = ReceiverLanes()
    /// Opens another connection to the sender at an address, that must prove this id.
    let openLane: @Sendable (SocketAddress, PeerID?) async throws -> FrameConnection
    /// Held by whoever writes to the sink.
    let writing = NIOLock()
    /// Verified chunks on their way to the sink, with their resource, the oldest first.
    var keeping: [(position: Int, work: PooledWork<UInt64>)] = []
    private var cause: (any Error)?

    init(
        lifecycle: SessionLifecycle,
        sink: any ResourceSink,
        trust: any TrustStore,
        token: LinkToken?,
        pairingLock: NIOLockedValueBox<AddressLockout>,
        pool: NIOThreadPool,
        context: Data?,
        openLane: @escaping @Sendable (SocketAddress, PeerID?) async throws -> FrameConnection,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer,
        report: @escaping @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
    ) {
        self.lifecycle = lifecycle
        self.sink = sink
        self.trust = trust
        self.token = token
        self.pairingLock = pairingLock
        self.pool = pool
        let limit = lifecycle.configuration.limits.maximumInvitationTimeout
        let seconds = lifecycle.configuration.invitationTimeout.components.seconds
        self.invitation = InvitationRequest(timeout: max(1, min(limit, Int(clamping: seconds))), context: context)
        self.openLane = openLane
        self.decide = decide
        self.report = report
        self.machine = ReceiverStateMachine(limits: lifecycle.configuration.limits)
        (self.jobs, self.jobsIn) = AsyncStream.makeStream()
    }

    /// How the session ended; to be asked when it has.
    var outcome: SessionOutcome {
        let result: Result<TransferReceipt, any Error>
        switch machine.end ?? .connectionLost {
        case .completed(let acknowledgement):
            result = .success(
                TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            )
        case let end:
            result = .failure(cause ?? PeerError(end) ?? PeerError(.connectionLost, "The session ended."))
        }
        return SessionOutcome(
            peer: peer,
            result: result,
            bytesTransferred: meter.bytesTransferred,
            bytesSaved: meter.bytesSaved
        )
    }

    func received(_ part: InboundPart) async {
        await inTurn { await receivedInTurn(part) }
    }

    private func receivedInTurn(_ part: InboundPart) async {
        guard machine.end == nil else { return }
        lifecycle.noteState(machine.stateName)
        defer { lifecycle.noteState(machine.stateName) }
        switch lifecycle.received(part) {
        case .handled:
            if case .opened = part { report(nil, .connection(.handshaking)) }
        case .connected(let hello):
            await connected(hello)
        case .joins:
            perform(machine.receivedOther(.join))
        case .forRole(let part):
            await receivedForRole(part)
        case .violated(let error):
            perform(machine.receivedInvalid(error))
        case .encryptionMismatch(let wish):
            fail(PeerError.encryptionMismatch(wish))
            lifecycle.connection.close()
        }
    }

    func transportClosed(_ error: (any Error)?) {
        if let error {
            lifecycle.logger.debug("connection closed", metadata: ["error": "\(error)"])
            if machine.end == nil, lifecycle.security == nil {
                cause = lifecycle.connection.refusal ?? PeerError(securing: error)
            }
        }
        perform(machine.transportClosed())
        abandonLanes()
        jobsIn.finish()
    }

    func tick(at now: ContinuousClock.Instant) {
        lifecycle.noteState(machine.stateName)
        watchLanes(at: now)
        noteKeptInTime()
        switch lifecycle.tick(at: now) {
        case .none:
            break
        case .expired(.linger):
            lifecycle.connection.close()
        case .expired(.offer):
            answer(.decline(Refusal(.noAnswer, "The offer was not answered in time.")))
        case .expired(let deadline):
            fail(PeerError.deadline(deadline))
        case .silent:
            perform(machine.transportClosed())
        }
    }

    func cancel(_ cancellation: Cancellation) {
        perform(machine.cancel(cancellation))
    }
}

extension ReceiveDriver {
    private func connected(_ hello: Hello) async {
        do {
            var peer = try await lifecycle.peer(hello, trust: trust)
            peer.admittedByLink = token != nil
            self.peer = peer
            guard machine.end == nil else { return }
            report(peer, .connection(.connected))
            try preparePairing(with: peer)
            guard case .sendInvite(let request) = machine.start(invitation) else { return }
            lifecycle.connection.awaitLongFrames()
            lifecycle.send(.invite(request))
            // The sender declines when its time is over; a little later we stop waiting for that.
            lifecycle.arm(.invitation, after: .seconds(request.timeout) + lifecycle.configuration.silenceTimeout)
            report(peer, .transfer(.waitingForPeer))
        } catch {
            fail(error)
        }
    }

    /// Finds out whether digits have to be compared, and tells the sender with the invitation.
    private func preparePairing(with peer: RemotePeer) throws {
        guard peer.security != .plainText else { return }
        if let token {
            // The link names the key, so what its owner calls itself matters to nobody.
            invitation.token = token
            return
        }
        switch peer.trust {
        case .impostor(let name):
            throw IdentityRefusal.impostor(name, peer.id)
        case .trusted:
            invitation.isPeerPinned = true
        case .unknown:
            let address = lifecycle.addressKey
            guard let time = pairingLock.withLockedValue({ $0.timeLocked(address, at: .now) }) else { break }
            throw PeerError(
                .declined,
                "Too many failed pairings with this machine.",
                remedy: "Try again in \(time.components.seconds + 1) seconds, or use a link."
            )
        }
        pairing = lifecycle.makePairing(.receiver(isRequired: !invitation.isPeerPinned), with: peer.id)
    }

    private func receivedForRole(_ part: InboundPart) async {
        switch part {
        case .dataHeader(let header): receivedData(header, on: SessionConnection.main)
        case .data(let buffers): await keep(buffers, on: SessionConnection.main)
        case .frame(let frame): await received(frame)
        case .opened, .encryptionMismatch, .invalid: break
        }
    }

    private func received(_ frame: Frame) async {
        switch frame {
        case .accept: receivedAccept()
        case .pairingCommitment(let commitment): receivedPairingCommitment(commitment)
        case .pairingReveal(let disclosure): receivedPairingReveal(disclosure)
        case .pairingConfirmation: receivedPairingConfirmation()
        case .decline(let refusal): perform(machine.receivedDecline(refusal))
        case .manifest(let body): receivedManifest(body)
        case .digests(let part): await receivedDigests(part)
        case .pageDigests(let list): await receivedPageDigests(list)
        case .lanes(let invitation): receivedLanes(invitation)
        case .allDispatched(let allDispatched): await receivedAllDispatched(allDispatched)
        case .done(let completion): await receivedDone(completion)
        case .cancel(let cancellation): perform(machine.receivedCancel(cancellation))
        case .failure(let failure): perform(machine.receivedFailure(failure))
        case .hello, .ping, .pong, .invite, .pairingNonce, .selection, .request, .confirmation,
            .acknowledgement, .pageQuery, .pageRequest, .join:
            perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedManifest(_ body: Data) {
        lifecycle.disarm(.manifest)
        switch machine.receivedManifest(body) {
        case .ask(let manifest):
            guard let peer else { return }
            self.manifest = manifest
            lifecycle.arm(.offer, after: lifecycle.configuration.offerTimeout)
            report(peer, .transfer(.connected))
            let offer = TransferOffer(
                peer: peer,
                manifest: manifest,
                pairing: pairing?.digits,
                isPairingConfirmedByPeer: pairing?.isConfirmedByPeer ?? false
            )
            jobsIn.yield { await self.decide(on: offer) }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func decide(on offer: TransferOffer) async {
        var answer: OfferAnswer
        do {
            try await pool.runIfActive { [sink] in try sink.examine(offer.manifest) }
            answer = try await EventLoopExecutor.offEventLoop { [decide] in try await decide(offer) }
        } catch {
            return fail(error, telling: Self.cannotTakeOffer)
        }
        do {
            lifecycle.disarm(.offer)
            if let wished = answer.kinds, machine.end == nil {
                let kinds = wished.intersection(offer.manifest.entries.map(\.kind))
                if case .acceptAndPin = answer { try await confirmPairing() }
                transfer = try await pool.runIfActive { [sink] in try sink.begin(offer.manifest, accepting: kinds) }
                answer = .accept(kinds)
            }
            self.answer(answer)
        } catch {
            fail(error)
        }
    }

    private func answer(_ answer: OfferAnswer) {
        lifecycle.disarm(.offer)
        switch answer {
        case .accept(let kinds), .acceptAndPin(let kinds):
            let unknown = (manifest?.entries ?? []).map(\.kind).filter { !sink.understands($0) }
            guard case .sendSelection(let selection) = machine.offerAccepted(kinds, unknown: unknown) else { return }
            for (position, entry) in (manifest?.entries ?? []).enumerated() where selection.kinds.contains(entry.kind) {
                meter.expect(position, kind: entry.kind, size: entry.size)
            }
            lifecycle.send(.selection(selection))
            lifecycle.noteState(machine.stateName)
            isPairingSettled = true
            noteProgress()
        case .decline(let refusal):
            guard case .sendDecline = machine.offerDeclined(refusal) else { return }
            lifecycle.send(.decline(refusal))
            finish(.declined(refusal))
        }
    }

    private func receivedDone(_ completion: Completion) async {
        switch machine.receivedDone(completion) {
        case .commit:
            guard let transfer else { return }
            report(peer, .transfer(.committing))
            lifecycle.noteState(machine.stateName)
            do {
                let receipt = try await pool.runIfActive { try transfer.commit() }
                self.transfer = nil
                let action = machine.committed(
                    at: Date(),
                    imported: receipt.imported,
                    keptLocal: receipt.keptLocal
                )
                guard case .sendAcknowledgement(let acknowledgement) = action else { return }
                lifecycle.send(.acknowledgement(acknowledgement))
                finish(.completed(acknowledgement))
            } catch {
                fail(error)
            }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Ends the session for an error of this side.
    ///
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - failure: What the peer is told; nil for the same.
    func fail(_ error: any Error, telling failure: Failure? = nil) {
        guard machine.end == nil else { return }
        if let refusal = error as? IdentityRefusal {
            cause = refusal.error
            return perform(machine.fail(refusal.failure))
        }
        if Task.isCancelled, error is CancellationError { cancel(.programStopped) }
        guard machine.end == nil else { return }
        cause = error
        perform(machine.fail(failure ?? Failure(reporting: error)))
    }

    func perform(_ action: ReceiverStateMachine.OnEvent) {
        if case .end(let end) = action { finish(end) }
    }

    func finish(_ end: SessionEnd) {
        lifecycle.noteState(machine.stateName)
        // The result of a long check of what has arrived is no longer needed.
        transfer?.stop()
        lifecycle.finish(end)
        abandonLanes()
        notePairing(end)
        switch end {
        case .completed(let acknowledgement):
            let receipt = TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            report(peer, .transfer(.completed(receipt)))
        case .cancelled, .cancelledByPeer:
            report(peer, .transfer(.cancelled))
        default:
            if let error = cause as? PeerError ?? PeerError(end) { report(peer, .transfer(.failed(error))) }
        }
        report(peer, .connection(.disconnected))
    }

    /// Counts a pairing that began and came to nothing.
    private func notePairing(_ end: SessionEnd) {
        guard let pairing, pairing.hasBegun, !isPairingSettled else { return }
        if case .cancelled = end { return }
        let address = lifecycle.addressKey
        lifecycle.logger.debug("pairing failed")
        pairingLock.withLockedValue { $0.failed(address, at: .now) }
    }

    /// Gives up a transfer that was begun and not committed; to be called when the session has ended.
    func abandonUnlessCommitted() async {
        guard let given = transfer else { return }
        transfer = nil
        for (_, work) in keeping { _ = try? await work.result() }
        // The pool's own function throws in a task that was cancelled.
        try? await pool.runIfActive(eventLoop: lifecycle.connection.channel.eventLoop) { given.abandon() }.get()
    }
}
