import Logging
import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol
import PeerStorage

/// What follows from the actions of the machines.
extension ResourceTransfers {
    /// The pause after a broken attached connection.
    private static let retryPause: Duration = .milliseconds(500)

    func perform(_ action: ResourceStateMachine.Action, _ key: Key, _ record: ResourceRecord) {
        switch action {
        case .tell(let word): tell(word.verb, key, record.link)
        case .expect: expect(key)
        case .dial(let secret): dial(secret, key)
        case .retryLater:
            _ = clock.schedule(at: clock.now.advanced(by: Self.retryPause)) { [weak self] in
                self?.advance(key) { $0.retry() }
            }
        case .stop(let reason): takeCarriage(key)?.control.cancel(reason: reason)
        case .abandon:
            // If everything has arrived, the receiver's commit decides the outcome, even without a link.
            guard record.watch.progress.step != .finishing else { return }
            takeCarriage(key)?.giveUp(.linkEnded)
        case .finish(let outcome): finish(outcome, key)
        }
    }

    private func takeCarriage(_ key: Key) -> ResourceCarriage? {
        state.withLockedValue { state in
            defer { state.resources[key]?.carriage = nil }
            return state.resources[key]?.carriage
        }
    }

    /// Sends the other side a notice about a resource.
    func tell(_ verb: ResourceNotice.Verb, _ key: Key, _ link: LinkDriver) {
        if !link.tell(ResourceNotice(transfer: key.transfer, verb: verb)) {
            logger.debug("a word on a resource was not sent", metadata: ["peer": "\(key.peer.short)"])
        }
    }

    private func expect(_ key: Key) {
        // The random numbers of the transport need not be secret; this one must be.
        var random = SystemRandomNumberGenerator()
        let claim = ResourceNotice(transfer: key.transfer, verb: .attach(ConnectionSecret(using: &random)))
        carry(key, claim) { record, _ in
            .awaiting { _ = record.link.tell(claim) }
        }
    }

    private func dial(_ secret: ConnectionSecret, _ key: Key) {
        carry(key, ResourceNotice(transfer: key.transfer, verb: .attach(secret))) { _, carrier in
            .dialing(carrier?.addresses ?? [])
        }
    }

    /// Starts to carry a resource over an attached connection, concurrently with everything else.
    private func carry(
        _ key: Key,
        _ claim: ResourceNotice,
        _ route: (ResourceRecord, Carrier?) -> AttachedTransfer.Route
    ) {
        let carriage = ResourceCarriage(session.transport)
        let (record, carrier) = state.withLockedValue { state -> (ResourceRecord?, Carrier?) in
            state.resources[key]?.attempt += 1
            state.resources[key]?.carriage = carriage
            state.jobs[key, default: 0] += 1
            return (state.resources[key], state.carriers[key.peer])
        }
        guard let record, let content = record.content else { return jobEnded(key) }
        var transfer = AttachedTransfer(
            local: session.configuration.local,
            incarnation: session.incarnation,
            peer: key.peer,
            claim: claim,
            content: content,
            configuration: session.configuration.connections,
            logger: logger
        )
        transfer.control = carriage.control
        transfer.report = { [weak self] in self?.report($0, key, record) }
        logger.debug(
            "resource: attached connection",
            metadata: ["peer": "\(key.peer.short)", "attempt": "\(record.attempt)"]
        )
        let way = route(record, carrier)
        let isRunning = session.spawn { [transfer] in
            switch await carriage.carry(transfer, by: way) {
            case .success(let receipt): self.ended(key, record.attempt, .complete, receipt)
            case .failure(let error): self.failed(key, record.attempt, error)
            }
            self.jobEnded(key)
        }
        guard !isRunning else { return }
        ended(key, record.attempt, .failed(reason: "The other side has left."), nil)
        jobEnded(key)
    }

    /// Notes that an attached connection has ended, and the work that stored or read the resource.
    private func jobEnded(_ key: Key) {
        let ending = state.withLockedValue { state -> Ending? in
            state.jobs[key, default: 1] -= 1
            guard state.jobs[key] == 0 else { return nil }
            state.jobs[key] = nil
            return state.endings.removeValue(forKey: key)
        }
        if let ending { ending.watch.finish(ending.result) }
    }

    private func failed(_ key: Key, _ attempt: Int, _ error: PeerError) {
        logger.debug(
            "resource: attached connection failed",
            metadata: ["peer": "\(key.peer.short)", "error": "\(error)"]
        )
        state.withLockedValue { if $0.resources[key]?.attempt == attempt { $0.resources[key]?.error = error } }
        switch error.code {
        case .connectionLost, .cannotConnect, .timedOut: ended(key, attempt, .broken, nil)
        case .outcomeUnknown: ended(key, attempt, .unconfirmed, nil)
        default: ended(key, attempt, .failed(reason: error.message.prefix(utf8Count: 1000)), nil)
        }
    }

    private func ended(
        _ key: Key,
        _ attempt: Int,
        _ carriage: ResourceStateMachine.Carriage,
        _ receipt: TransferReceipt?
    ) {
        let isLatest = state.withLockedValue { state in
            guard state.resources[key]?.attempt == attempt else { return false }
            state.resources[key]?.carriage = nil
            if let receipt { state.resources[key]?.receipt = receipt }
            return true
        }
        // Otherwise another attached connection has taken its place.
        if isLatest { advance(key) { $0.carried(carriage) } }
    }

    private func report(_ progress: AttachedTransfer.Progress, _ key: Key, _ record: ResourceRecord) {
        switch progress {
        case .transferring(let bytes, let rate, let timeLeft):
            if bytes > record.watch.progress.bytes {
                advance(key) {
                    $0.moved()
                    return []
                }
            }
            record.watch.update {
                $0.step = .transferring
                $0.bytes = max($0.bytes, bytes)
                $0.bytesPerSecond = rate
                $0.timeLeft = timeLeft
            }
        case .committing:
            record.watch.update {
                $0.step = .finishing
                $0.timeLeft = nil
            }
        }
    }

    private func finish(_ outcome: ResourceStateMachine.Outcome, _ key: Key) {
        guard let record = state.withLockedValue({ $0.resources.removeValue(forKey: key) }) else { return }
        record.cancelAnswerTimer?()
        // An offer that was not accepted is removed from those that wait for the application.
        if record.role == .receiving, record.content == nil { offers.removeAll { $0.key == key } }
        logger.debug("resource ended", metadata: ["peer": "\(key.peer.short)", "outcome": "\(outcome)"])
        let result: Result<TransferReceipt, PeerError> =
            switch outcome {
            case .received: .success(record.receipt)
            case .declined(let refusal): .failure(PeerError(refusal))
            case .cancelled: .failure(PeerError(.cancelled, "The transfer was stopped."))
            case .cancelledByPeer(let reason): .failure(.stoppedByPeer(reason))
            case .failed: .failure(record.error ?? .linkLost)
            case .brokeTooOften: .failure(.attachmentsBroke(record.error))
            case .linkEnded: .failure(.linkEnded)
            case .unknown: .failure(.resourceUnconfirmed(record.error))
            }
        if case .success = result {
            record.watch.update {
                $0.step = .finishing
                $0.bytes = $0.size
                $0.timeLeft = nil
            }
        }
        // Report the end only after all writes have stopped.
        let isAtRest = state.withLockedValue { state in
            guard state.jobs[key] != nil else { return true }
            state.endings[key] = Ending(role: record.role, watch: record.watch, result: result)
            return false
        }
        if isAtRest { record.watch.finish(result) }
    }
}

extension ResourceStateMachine.Word {
    /// The verb of the notice.
    var verb: ResourceNotice.Verb {
        switch self {
        case .accept: .accept
        case .decline(let refusal): .decline(refusal)
        case .cancel(let reason): .cancel(reason: reason.prefix(utf8Count: 1000))
        case .received: .received
        }
    }
}

extension PeerError {
    static let linkEnded = PeerError(
        .connectionLost,
        "The connection to the other side ended before the whole resource had arrived.",
        remedy: "Send the resource again when the peer is connected: only the missing part is sent."
    )

    static func stoppedByPeer(_ reason: String) -> PeerError {
        PeerError(.peerCancelled, reason.isEmpty ? "The other side stopped the transfer." : reason)
    }

    static func attachmentsBroke(_ cause: PeerError?) -> PeerError {
        PeerError(
            .connectionLost,
            "The connection for the transfer failed too often in a row.",
            remedy: "Move closer together or check the firewall, then send it again: only the missing part is sent.",
            cause: cause
        )
    }

    static func resourceUnconfirmed(_ cause: PeerError?) -> PeerError {
        PeerError(
            .outcomeUnknown,
            "Everything was sent, but the connection was lost before the receiver confirmed it.",
            remedy: "Check the other machine, or send the resource again: only the missing part is sent.",
            cause: cause
        )
    }
}
