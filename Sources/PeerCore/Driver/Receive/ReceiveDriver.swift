import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Drives the receiver's side of one connection.
actor ReceiveDriver: TransferDriver {
    nonisolated let jobs = TransferJobs()
    let context: ReceiveContext
    let conversation: ConversationDriver
    var lifecycle: TransferLifecycle
    var machine: ReceiverStateMachine
    /// What was picked, if the sender has several offers.
    var choice = ReceiverChoiceStateMachine()
    /// The estimate that is running; nil if there is none.
    var runningEstimate: RunningEstimate?
    var reception = Reception()
    var progress = ProgressMeter.Reports()
    var lanes: ReceiverLaneStateMachine
    /// The connections of the lanes that are open.
    var laneConnections: [Int: FrameConnection] = [:]
    var turns = ReaderTurns()
    /// The turns of searches before the answer.
    var searches = ReaderTurns()
    private var cause: (any Error)?

    init(conversation: sending ConversationDriver, lifecycle: TransferLifecycle, context: ReceiveContext) {
        self.conversation = conversation
        self.lifecycle = lifecycle
        self.context = context
        self.lanes = ReceiverLaneStateMachine(lifecycle.configuration)
        self.machine = ReceiverStateMachine(limits: lifecycle.configuration.limits)
    }

    /// The sender, once it is known.
    var peer: RemotePeer? { conversation.remote }

    /// The outcome of the transfer.
    ///
    /// Read it after the end.
    var outcome: TransferOutcome {
        let result: Result<TransferReceipt, any Error>
        switch machine.end ?? .connectionLost {
        case .completed(let acknowledgement):
            result = .success(TransferReceipt(acknowledgement))
        case let end:
            result = .failure(
                cause ?? conversation.cause ?? PeerError(end) ?? PeerError(.connectionLost, "The transfer ended.")
            )
        }
        return TransferOutcome(
            peer: peer,
            result: result,
            bytesTransferred: progress.meter.bytesTransferred,
            bytesSaved: progress.meter.bytesSaved,
            offer: choice.hasPicked ? reception.manifest?.id : nil
        )
    }

    func received(_ input: Inbound) async { await inTurn { await receivedInTurn(input) } }

    private func receivedInTurn(_ input: Inbound) async {
        guard machine.end == nil else { return }
        lifecycle.noteState(machine.stateName)
        defer { lifecycle.noteState(machine.stateName) }
        switch input {
        case .opened(let security):
            lifecycle.connection.send(.preface)
            await handle(conversation.opened(security.certifiedID, at: .now))
        case .encryptionMismatch(let wish):
            let failure = Failure(encryptionMismatch: wish)
            await handle(conversation.refuseEncryption(telling: failure, .encryptionMismatch(wish)))
        case .frame(let frame): await handle(conversation.received(frame, at: .now))
        case .invalid(let error): await handle(conversation.receivedInvalid(error))
        case .dataHeader, .data:
            guard conversation.state.use != nil else { return await handle(conversation.receivedData()) }
            await receivedData(input)
        }
    }

    func transportClosed(_ error: (any Error)?) {
        if let error {
            lifecycle.logger.debug("connection closed", metadata: ["error": "\(error)"])
            if machine.end == nil, conversation.state.isOpening {
                cause = lifecycle.connection.refusal ?? PeerError(securing: error)
            }
        }
        perform(machine.transportClosed())
        abandonLanes()
        jobs.finish()
    }

    func tick(at now: ContinuousClock.Instant) async {
        lifecycle.noteState(machine.stateName)
        watchLanes(at: now)
        noteKeptInTime()
        reportTurn()
        // The sender waits for this side.
        if reception.arrivals.values.contains(where: \.isLocating) { noteProgress() }
        await handle(conversation.tick(at: now, isBusy: lifecycle.isBusy))
        guard machine.end == nil else { return }
        guard let deadline = lifecycle.tick(at: now) else { return }
        switch deadline {
        case .comparison:
            noteComparison()
        case .survey:
            endEstimate()
        case .offer:
            let refusal = Refusal(.noAnswer, "The offer was not answered in time.")
            // Of several offers, too: nobody is there, and the question that stands is for this one.
            if choice.isDeciding || choice.hasPicked {
                finish(machine.finish(.declined(refusal)))
            } else {
                answer(.decline(refusal))
            }
        case .manifest, .progress:
            fail(PeerError.deadline(deadline))
        }
    }

    func cancel(_ cancellation: Cancellation) { perform(machine.cancel(cancellation)) }
}

extension ReceiveDriver {
    /// Acts on what the conversation has come to.
    func handle(_ events: [Conversation.Event]) async {
        for event in events {
            switch event {
            case .opened: context.report(nil, .connection(.handshaking))
            case .connected: await connected()
            case .digits(let digits): context.report(peer, .transfer(.pairing(digits)))
            case .accepted: begin()
            case .frame(let frame): await received(frame)
            case .silent: perform(machine.transportClosed())
            case .ended(let end): if machine.end == nil { finish(machine.finish(end)) }
            case .test, .invited, .ask, .link, .notIntroduced, .join, .attach: break
            }
        }
    }

    private func connected() async {
        if let peer { lifecycle.logger[metadataKey: "peer"] = "\(peer.id.short)" }
        context.report(peer, .connection(.connected))
        await handle(conversation.invite(context.invitation, at: .now))
        if machine.end == nil { context.report(peer, .transfer(.waitingForPeer)) }
    }

    /// The connection carries a resource that this side receives.
    func acceptClaim() async { await handle(conversation.acceptClaim(at: .now)) }

    /// The sender has accepted: awaits its offer.
    private func begin() {
        guard machine.start() else { return }
        let configuration = lifecycle.configuration
        // What the other side makes for a context is work on its disk.
        let hasContext = context.invitation.context != nil
        if hasContext { context.report(peer, .transfer(.connected)) }
        let time = hasContext ? configuration.workTimeout(forBytes: 0) : configuration.manifestTimeout
        lifecycle.arm(.manifest, after: time)
    }

    private func receivedData(_ input: Inbound) async {
        switch input {
        case .dataHeader(let header): await receivedData(header, on: ResourceAssembly.mainConnection)
        case .data(let buffers): await receivedBytes(buffers, on: ResourceAssembly.mainConnection)
        case .frame, .opened, .encryptionMismatch, .invalid: break
        }
    }

    private func received(_ frame: Frame) async {
        switch frame {
        case .catalogue(let body): receivedCatalogue(body)
        case .manifest(let body): await receivedManifest(body)
        case .digests where choice.isPassingOver, .pieceList where choice.isPassingOver: break
        case .digests(let part): await receivedDigests(part)
        case .pieceList(let part): await receivedPieceList(part)
        case .lanes(let invitation): await receivedLanes(invitation)
        case .allDispatched(let allDispatched): await perform(machine.receivedAllDispatched(allDispatched))
        case .turn(let notice): await perform(machine.receivedTurn(notice))
        case .done(let completion): await perform(machine.receivedDone(completion))
        case .cancel(let cancellation): perform(machine.receivedCancel(cancellation))
        case .failure(let failure): perform(machine.receivedFailure(failure))
        default: perform(machine.receivedOther(frame.type))
        }
    }

    /// Reports what the sender has said last; not for each notice, because there may be many.
    private func reportTurn() {
        // Before the answer, it is a part of the question.
        guard machine.end == nil, machine.hasSelection, let turn = reception.turn, turn != reception.reportedTurn else {
            return
        }
        reception.reportedTurn = turn
        context.report(peer, .transfer(.queued(turn)))
    }

    func commit() async {
        guard let transfer = reception.transfer else { return }
        context.report(peer, .transfer(.committing))
        lifecycle.noteState(machine.stateName)
        do {
            // A `cancel` of the sender that comes meanwhile is read after the commit, and is too late.
            let receipt = try await context.pool.runIfActive { try transfer.commit() }
            reception.transfer = nil
            let action = machine.committed(
                at: Date(),
                imported: receipt.imported,
                keptLocal: receipt.keptLocal,
                changes: receipt.changes
            )
            guard case .sendAcknowledgement(let acknowledgement) = action else { return }
            lifecycle.send(.acknowledgement(acknowledgement))
            if choice.concluded() { await received(acknowledgement) } else { finish(.completed(acknowledgement)) }
        } catch is CancellationError where Task.isCancelled {
            // The thread pool has not begun the commit.
            finish(machine.finish(.cancelled(.programStopped)))
        } catch {
            cause = error
            finish(machine.finish(.failed(Failure(reporting: error))))
        }
    }

    /// Ends the transfer because of an error of this side, but not while the store commits.
    ///
    /// - Parameter failure: What the peer gets; nil for the same error.
    func fail(_ error: any Error, telling failure: Failure? = nil) {
        // The thread pool throws this error in a cancelled task. That is no fault of the storage.
        if Task.isCancelled, error is CancellationError { return cancel(.programStopped) }
        guard case .end(let end) = machine.fail(failure ?? Failure(reporting: error)) else { return }
        cause = error
        finish(end)
    }

    func perform(_ action: OnTransferEvent) { if case .end(let end) = action { finish(end) } }

    func finish(_ end: Conversation.End) {
        lifecycle.noteState(machine.stateName)
        // The result of a long check of received data is no longer needed.
        reception.transfer?.stop()
        reception.isStopped.withLockedValue { $0 = true }
        endEstimate()
        lifecycle.logEnd(end)
        _ = conversation.end(end)
        abandonLanes()
        switch end {
        case .completed(let acknowledgement):
            context.report(peer, .transfer(.completed(TransferReceipt(acknowledgement))))
        case .cancelled, .cancelledByPeer:
            context.report(peer, .transfer(.cancelled))
        default:
            if let error = (cause ?? conversation.cause) as? PeerError ?? PeerError(end) {
                context.report(peer, .transfer(.failed(error)))
            }
        }
        context.report(peer, .connection(.disconnected))
    }

    /// Abandons a transfer that was not committed.
    ///
    /// Call it after the end of the transfer.
    func abandonUnlessCommitted() async {
        // What has arrived is kept for the next transfer.
        writeWaiting()
        guard let given = reception.transfer else { return }
        reception.transfer = nil
        // No write may be running when the storage is abandoned.
        for (_, work) in reception.pendingWrites { _ = try? await work.result() }
        // The pool's async function throws in a cancelled task.
        try? await context.pool.runIfActive(eventLoop: lifecycle.connection.channel.eventLoop) { given.abandon() }.get()
    }
}

/// The constants of a receiver's transfer.
struct ReceiveContext: Sendable {
    /// Stores the resources.
    let sink: any ResourceSink
    /// Asks the sender for a transfer.
    let invitation: InvitationRequest
    /// Reads, hashes and writes files.
    let pool: NIOThreadPool
    /// Opens another connection to the sender at an address.
    ///
    /// The sender must prove the given id.
    let openLane: @Sendable (SocketAddress, PeerID?, _ usesSmallSegments: Bool) async throws -> FrameConnection
    /// Picks from several offers; nil if the sender may have only one.
    var picking: OfferPicking?
    /// Whether a person will see how much of an offer would be transferred.
    let showsEstimate: @Sendable (Manifest) -> Bool
    /// Decides on an offer.
    let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}
