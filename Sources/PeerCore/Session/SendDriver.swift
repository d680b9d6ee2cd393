import Logging
import NIOCore
import NIOPosix

/// Drives the sender's side of one session.
actor SendDriver: SessionDriver {
    nonisolated let jobs: AsyncStream<SessionJob>

    private let jobsIn: AsyncStream<SessionJob>.Continuation
    private let requests: AsyncStream<(position: Int, runs: ChunkRuns)>
    private let requestsIn: AsyncStream<(position: Int, runs: ChunkRuns)>.Continuation
    private let source: any ResourceSource
    private let trust: any TrustStore
    private let pool: NIOThreadPool
    private let decide: @Sendable (Invitation) async -> InvitationAnswer
    private let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void

    private var core: SessionCore
    private var machine: SenderStateMachine
    private var meter = ProgressMeter()
    private var lastProgress: ContinuousClock.Instant?
    private var peer: RemotePeer?
    private var cause: (any Error)?
    /// The resource whose bytes are on the way.
    private var content: ReadableContent?

    init(
        core: SessionCore,
        source: any ResourceSource,
        trust: any TrustStore,
        pool: NIOThreadPool,
        decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        report: @escaping @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
    ) {
        self.core = core
        self.source = source
        self.trust = trust
        self.pool = pool
        self.decide = decide
        self.report = report
        self.machine = SenderStateMachine(manifest: source.manifest)
        (self.jobs, self.jobsIn) = AsyncStream.makeStream()
        (self.requests, self.requestsIn) = AsyncStream.makeStream()
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
        return SessionOutcome(peer: peer, result: result, bytesCrossed: meter.bytesCrossed)
    }

    func received(_ part: InboundPart) async {
        guard machine.end == nil else { return }
        core.isBusy = true
        defer { core.isBusy = false }
        switch core.received(part) {
        case .handled:
            if case .opened = part { report(nil, .connection(.handshaking)) }
        case .connected(let hello):
            await connected(hello)
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
            core.logger.debug("connection closed", metadata: ["error": "\(error)"])
            if machine.end == nil, core.security == nil { cause = PeerError(securing: error) }
        }
        perform(machine.transportClosed())
        requestsIn.finish()
        jobsIn.finish()
    }

    func tick(at now: ContinuousClock.Instant) {
        do {
            if machine.end == nil { try content?.checkSize() }
        } catch {
            fail(error)
        }
        switch core.tick(at: now) {
        case .none:
            break
        case .expired(.linger):
            core.connection.close()
        case .expired(.invitation):
            answer(.decline(Refusal(.noAnswer, "Nobody answered in time.")))
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

extension SendDriver {
    private func connected(_ hello: Hello) async {
        do {
            let peer = try await core.peer(hello, trust: trust)
            guard machine.end == nil else { return }
            self.peer = peer
            report(peer, .connection(.connected))
            core.arm(.manifest, after: core.configuration.manifestTimeout)
            jobsIn.yield { await self.sendRequested(encrypted: peer.security != .plainText) }
        } catch {
            fail(error)
        }
    }

    private func receivedForRole(_ part: InboundPart) async {
        guard case .frame(let frame) = part else { return perform(machine.receivedOther(.data)) }
        switch frame {
        case .invite(let invitation): receivedInvite(invitation)
        case .wishes(let wishes): await receivedWishes(wishes)
        case .request(let request): receivedRequest(request)
        case .confirmation(let confirmation): perform(machine.receivedConfirmation(confirmation))
        case .acknowledgement(let acknowledgement): perform(machine.receivedAcknowledgement(acknowledgement))
        case .decline(let refusal): perform(machine.receivedDecline(refusal))
        case .cancel(let cancellation): perform(machine.receivedCancel(cancellation))
        case .failure(let failure): perform(machine.receivedFailure(failure))
        case .hello, .ping, .pong, .keepAlive, .accept, .pairingCommitment, .pairingNonce, .pairingReveal,
            .pairingConfirmation, .manifest, .digests, .done:
            perform(machine.receivedOther(frame.type))
        }
    }

    private func receivedInvite(_ request: InvitationRequest) {
        switch machine.receivedInvite(request) {
        case .ask(let request):
            guard let peer else { return }
            core.disarm(.manifest)
            let seconds = min(request.timeout, core.configuration.limits.maximumInvitationTimeout)
            core.arm(.invitation, after: .seconds(seconds))
            report(peer, .transfer(.waitingForPeer))
            let invitation = Invitation(peer: peer, manifest: source.manifest, context: request.context)
            jobsIn.yield { await self.answer(self.decide(invitation)) }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func answer(_ answer: InvitationAnswer) {
        core.disarm(.invitation)
        let refusal: Refusal? = if case .decline(let refusal) = answer { refusal } else { nil }
        switch machine.invitationAnswered(refusal) {
        case .sendManifest(let manifest):
            core.send(.accept)
            core.send(.manifest(manifest.body))
            // The receiver declines when its time is over; a little later we stop waiting for that.
            core.arm(.offer, after: core.configuration.offerTimeout + core.configuration.silenceTimeout)
            report(peer, .transfer(.connected))
        case .sendDecline(let refusal):
            core.send(.decline(refusal))
            finish(.declined(refusal))
        case .none:
            break
        }
    }

    private func receivedWishes(_ wishes: Wishes) async {
        switch machine.receivedWishes(wishes) {
        case .sendDigests(let positions):
            core.disarm(.offer)
            do {
                for position in positions {
                    let entry = source.manifest.entries[position]
                    meter.expect(position, kind: entry.kind, size: entry.size)
                }
                for position in positions {
                    let entry = source.manifest.entries[position]
                    let digests = try await pool.runIfActive { [source] in try source.chunkDigests(of: entry) }
                    guard machine.end == nil else { return }
                    core.send(.digests(DigestList(resource: position, digests: digests)))
                }
            } catch {
                fail(error)
            }
        case .sendDone(let completion):
            core.disarm(.offer)
            core.send(.done(completion))
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func receivedRequest(_ request: ChunkRequest) {
        switch machine.receivedRequest(request) {
        case .sendChunks(let position, let runs):
            let entry = source.manifest.entries[position]
            meter.found(position, bytes: entry.size - runs.byteCount(in: entry.layout))
            requestsIn.yield((position, runs))
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Sends what was requested, one resource after the other, for as long as the session lasts.
    private func sendRequested(encrypted: Bool) async {
        let writer = BulkWriter(
            connection: core.connection,
            manifest: source.manifest,
            limits: core.configuration.limits,
            isEncrypted: encrypted,
            pool: pool
        )
        for await (position, runs) in requests {
            do {
                let content = try await open(position)
                self.content = content
                defer { self.content = nil }
                let whole = try await writer.send(runs, of: position, from: content) { self.sent($0, of: position) }
                guard whole else { return }
            } catch let error as BulkWriter.SourceFailure {
                return fail(error.cause)
            } catch {
                // A failing connection is reported by the reader, with the better reason.
                return
            }
            meter.finished(position)
            reportProgress(at: .now)
            if case .sendDone(let completion) = machine.chunksSent(position) {
                core.send(.done(completion))
                report(peer, .transfer(.committing))
            }
        }
    }

    private func open(_ position: Int) async throws -> ReadableContent {
        let entry = source.manifest.entries[position]
        do {
            return try await pool.runIfActive { [source] in
                try ReadableContent(source.content(of: entry), size: entry.size)
            }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
    }

    private func sent(_ length: Int, of position: Int) -> Bool {
        let now = ContinuousClock.now
        meter.crossed(position, bytes: UInt64(length), at: now)
        if lastProgress.map({ now - $0 >= .milliseconds(100) }) ?? true { reportProgress(at: now) }
        return machine.end == nil
    }

    private func reportProgress(at now: ContinuousClock.Instant) {
        guard machine.end == nil, let progress = meter.progress(at: now) else { return }
        lastProgress = now
        report(peer, .transfer(.transferring(progress)))
    }

    private func refuseEncryption(_ wish: InboundPart.PeerWish) {
        let error = PeerError.encryptionMismatch(wish)
        cause = error
        let failure = Self.failure(for: wish, code: error.code.description)
        // Nothing was said yet; these words are in plain text and give nothing away.
        core.connection.send(.preface)
        core.send(.failure(failure))
        perform(machine.fail(failure))
    }

    /// What the peer is told; it sees the matter from the other side.
    private static func failure(for wish: InboundPart.PeerWish, code: String) -> Failure {
        switch wish {
        case .encryption:
            Failure(
                code: code,
                message: "The other side does not encrypt its sessions (--encryption none).",
                remedy: "Use --encryption none here too, or leave it out there."
            )
        case .plainText:
            Failure(
                code: code,
                message: "The other side insists on an encrypted session.",
                remedy: "Leave out --encryption none."
            )
        }
    }

    private func fail(_ error: any Error) {
        guard machine.end == nil else { return }
        if Task.isCancelled, error is CancellationError { cancel(.programStopped) }
        guard machine.end == nil else { return }
        cause = error
        perform(machine.fail(Failure(reporting: error)))
    }

    private func perform(_ action: SenderStateMachine.OnEvent) {
        if case .end(let end) = action { finish(end) }
    }

    private func finish(_ end: SessionEnd) {
        core.finish(end)
        // The receiver closes after its last word; so do we after hearing it.
        if case .completed = end { core.connection.close() }
        requestsIn.finish()
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
}
