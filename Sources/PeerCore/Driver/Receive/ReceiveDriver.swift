import FoundationEssentials
import Logging
import NIOCore
import NIOPosix

/// Drives the receiver's side of one session.
actor ReceiveDriver: SessionDriver {
    nonisolated let jobs = SessionJobs()
    let context: ReceiveContext
    var lifecycle: SessionLifecycle
    var machine: ReceiverStateMachine
    var offer: OfferStage
    var reception = Reception()
    var progress = ProgressReports()
    var peer: RemotePeer?
    var lanes: ReceiverLaneStateMachine
    /// The connections of the lanes that are open.
    var laneConnections: [Int: FrameConnection] = [:]
    var turns = ReaderTurns()
    private var cause: (any Error)?

    init(lifecycle: SessionLifecycle, context: ReceiveContext, invitationContext: Data?) {
        self.lifecycle = lifecycle
        self.context = context
        self.offer = OfferStage(lifecycle.configuration, context: invitationContext)
        self.lanes = ReceiverLaneStateMachine(lifecycle.configuration)
        self.machine = ReceiverStateMachine(limits: lifecycle.configuration.limits)
    }

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
            result = .failure(cause ?? PeerError(end) ?? PeerError(.connectionLost, "The session ended."))
        }
        return SessionOutcome(
            peer: peer,
            result: result,
            bytesTransferred: progress.meter.bytesTransferred,
            bytesSaved: progress.meter.bytesSaved
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
            if case .opened = part { context.report(nil, .connection(.handshaking)) }
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
        jobs.finish()
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
        case .expired(.comparison):
            noteComparison()
        case .expired(.survey):
            endSurvey()
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
            var peer = try await lifecycle.peer(hello, trust: context.trust)
            peer.admittedByLink = context.token != nil
            self.peer = peer
            guard machine.end == nil else { return }
            context.report(peer, .connection(.connected))
            try preparePairing(with: peer)
            guard case .sendInvite(let request) = machine.start(offer.invitation) else { return }
            lifecycle.connection.awaitLongFrames()
            lifecycle.send(.invite(request))
            // The sender declines when its time is over. This side waits a little longer.
            lifecycle.arm(.invitation, after: .seconds(request.timeout) + lifecycle.configuration.silenceTimeout)
            context.report(peer, .transfer(.waitingForPeer))
        } catch {
            fail(error)
        }
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
            .acknowledgement, .pageQuery, .pageRequest, .digestQuery, .join, .link, .record, .droppable, .credit:
            perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedDone(_ completion: Completion) async {
        switch machine.receivedDone(completion) {
        case .commit:
            guard let transfer = reception.transfer else { return }
            context.report(peer, .transfer(.committing))
            lifecycle.noteState(machine.stateName)
            do {
                let receipt = try await context.pool.runIfActive { try transfer.commit() }
                reception.transfer = nil
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

    /// Ends the session because of an error of this side.
    ///
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - failure: What the peer gets; nil for the same error.
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

    func perform(_ action: OnSessionEvent) {
        if case .end(let end) = action { finish(end) }
    }

    func finish(_ end: SessionEnd) {
        lifecycle.noteState(machine.stateName)
        // The result of a long check of received data is no longer needed.
        reception.transfer?.stop()
        endSurvey()
        lifecycle.finish(end)
        abandonLanes()
        notePairing(end)
        switch end {
        case .completed(let acknowledgement):
            let receipt = TransferReceipt(imported: acknowledgement.imported, keptLocal: acknowledgement.keptLocal)
            context.report(peer, .transfer(.completed(receipt)))
        case .cancelled, .cancelledByPeer:
            context.report(peer, .transfer(.cancelled))
        default:
            if let error = cause as? PeerError ?? PeerError(end) { context.report(peer, .transfer(.failed(error))) }
        }
        context.report(peer, .connection(.disconnected))
    }

    /// Counts a pairing that began and failed.
    private func notePairing(_ end: SessionEnd) {
        guard offer.pairingFails(with: end) else { return }
        let address = lifecycle.addressKey
        lifecycle.logger.debug("pairing failed")
        context.pairingFailures.failed(address, at: .now)
    }

    /// Abandons a transfer that was not committed.
    ///
    /// Call it after the end of the session.
    func abandonUnlessCommitted() async {
        guard let given = reception.transfer else { return }
        reception.transfer = nil
        for (_, work) in reception.pendingWrites { _ = try? await work.result() }
        // The pool's async function throws in a cancelled task.
        try? await context.pool.runIfActive(eventLoop: lifecycle.connection.channel.eventLoop) { given.abandon() }.get()
    }
}

/// The constants of a receiver's session.
struct ReceiveContext: Sendable {
    /// Stores the resources.
    let sink: any ResourceSink
    /// Knows the trusted peers.
    let trust: any TrustStore
    /// The secret of the link; nil without one.
    let token: LinkToken?
    /// Whether the sender is admitted because the connection carries a resource of a session.
    var isAttached = false
    /// Counts failed pairings for all sessions of the receiver.
    let pairingFailures: PairingFailures
    /// Reads, hashes and writes files.
    let pool: NIOThreadPool
    /// Opens another connection to the sender at an address.
    ///
    /// The sender must prove the given id.
    let openLane: @Sendable (SocketAddress, PeerID?) async throws -> FrameConnection
    /// Decides on an offer.
    let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}
