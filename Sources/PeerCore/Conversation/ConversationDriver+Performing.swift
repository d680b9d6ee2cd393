import Logging
import PeerProtocol
import PeerStorage

/// Performing actions, and getting answers.
extension ConversationDriver {
    /// Performs actions until a question has to be waited for.
    func perform(
        _ actions: [Conversation.Action],
        at now: ContinuousClock.Instant
    ) -> (events: [Conversation.Event], question: Conversation.Question?, rest: [Conversation.Action]) {
        var events: [Conversation.Event] = []
        var actions = actions
        // Whatever is done follows from the new phase, so the log says it first.
        defer { logPhase() }
        while let action = actions.first {
            logPhase()
            actions.removeFirst()
            switch action {
            case .send(let frame):
                if frame.type == .pairingCommitment || frame.type == .pairingNonce { logger.debug("pairing started") }
                connection.send(frame)
            case .awaitLongFrames: connection.awaitLongFrames()
            case .ping: connection.sendKeepAlive()
            case .finish: connection.finish()
            case .abort: connection.abort()
            case .countFailedPairing: countFailedPairing(at: now)
            case .tell(let event):
                if case .ask = event { visit = .asked }
                if case .accepted = event { noteRemote() }
                events.append(event)
            case .refuseIdentity:
                visit = .impostor
                events += fail(identityRefusal)
            case .expire(let step):
                logger.debug("timer expired", metadata: ["timer": "\(step)"])
                events += fail(PeerError.deadline(step))
            case .ask(let question):
                // The rest comes after the answer, and what follows from that.
                guard let answer = answer(question, at: now) else { return (events, question, actions) }
                if case .token = question, answer == .yes { remote?.isAdmittedByShareLink = true }
                switch answer {
                case .yes: actions = machine.answered(nil, to: question, at: now) + actions
                case .no(let refusal): actions = machine.answered(refusal, to: question, at: now) + actions
                case .failed(let error): events += fail(error)
                }
            }
        }
        return (events, nil, [])
    }

    /// Performs actions, and waits for the answers to questions.
    func complete(_ actions: [Conversation.Action], at now: ContinuousClock.Instant) async -> [Conversation.Event] {
        var (events, question, rest) = perform(actions, at: now)
        while let asked = question {
            let answers = await wait(for: asked)
            let more = perform(answers + rest, at: environment.now())
            events += more.events
            (question, rest) = (more.question, more.rest)
        }
        return events
    }

    private func wait(for question: Conversation.Question) async -> [Conversation.Action] {
        do {
            switch question {
            case .trust:
                guard let hello = machine.peer else { return [] }
                let id = machine.certifiedID ?? hello.peerID
                let trust = try await environment.trust(id, hello.displayName)
                remote = RemotePeer(hello, at: connection.remoteAddress, certifiedID: machine.certifiedID, trust: trust)
                remote?.isAdmittedByShareLink = machine.isAdmittedByToken
                remote?.usesSmallSegments = connection.usesSmallSegments
                // Not the time of the question: a trust store may take long.
                return machine.trustAnswered(Conversation.Trust(trust), at: environment.now())
            case .peer:
                guard let remote, let hello = machine.peer else { return [] }
                let refusal = try await environment.check(remote, hello)
                return machine.answered(refusal, to: .peer, at: environment.now())
            case .pin:
                guard let remote else { return [] }
                logger.debug("pairing confirmed on both sides")
                try await environment.pin(remote)
                return machine.answered(nil, to: .pin, at: environment.now())
            case .token, .pairing, .slot, .transfer: return []
            }
        } catch is ConversationEnvironment.Stopped {
            return machine.lost()
        } catch is CancellationError where Task.isCancelled {
            return machine.cancel(.programStopped)
        } catch {
            guard !machine.hasEnded else { return [] }
            cause = error
            return machine.fail(Failure(reporting: error))
        }
    }

    private enum Answer: Equatable {
        case yes
        case no(Refusal)
        case failed(PeerError)

        static func == (left: Answer, right: Answer) -> Bool {
            if case (.yes, .yes) = (left, right) { true } else { false }
        }
    }

    /// Answers what the admission knows; nil for other questions.
    private func answer(_ question: Conversation.Question, at now: ContinuousClock.Instant) -> Answer? {
        guard let slot = environment.slot else {
            guard case .pairing = question else { return nil }
            return environment.pairingFailures?.timeLocked(address, at: now).map { .failed(.pairingLocked($0)) } ?? .yes
        }
        let (admission, number) = (slot.admission, slot.number)
        let refusal: Refusal?
        switch question {
        case .trust, .peer, .pin: return nil
        case .token(let token): refusal = admission.admits(token, from: address, at: now) ? nil : .wrongToken
        case .pairing(let isStranger):
            let end = environment.giveUpInvitation
            refusal = admission.beginPairing(number, address, isStranger: isStranger, at: now, end: end)
        case .slot(let isStranger):
            let end = environment.giveUpInvitation
            refusal = admission.invited(number, isStranger: isStranger, end: end) ? nil : .isBusy
        case .transfer(let byPerson):
            let end = environment.giveUpTransfer
            refusal = admission.accepted(number, byPerson: byPerson, end: end) ? nil : .isBusy
        }
        return refusal.map { .no($0) } ?? .yes
    }

    func countFailedPairing(at now: ContinuousClock.Instant) {
        logger.debug("pairing failed")
        environment.slot?.admission.pairingFailed(address, at: now)
        environment.pairingFailures?.failed(address, at: now)
    }

    private var identityRefusal: IdentityRefusal {
        guard let remote else { return .plainText("") }
        switch remote.trust {
        case .impostor(let name): return .impostor(name, remote.id)
        case .trusted(let name), .known(let name): return .plainText(name)
        case .unknown: return .plainText(remote.displayName)
        }
    }
}

/// Logging. Nothing here says a secret.
extension ConversationDriver {
    func log(_ hello: Hello) {
        logger[metadataKey: "peer"] = "\(hello.peerID.short)"
        let details: Logger.Metadata = ["name": "\(hello.displayName)", "software": "\(hello.software)"]
        logger.debug("hello received", metadata: details)
    }

    func logPhase() {
        let phase = machine.phaseName
        guard phase != loggedPhase else { return }
        logger.debug("conversation changed", metadata: ["from": "\(loggedPhase)", "to": "\(phase)"])
        loggedPhase = phase
    }

    func logSilence(
        since receipt: ContinuousClock.Instant?,
        at now: ContinuousClock.Instant,
        _ actions: [Conversation.Action]
    ) {
        guard let receipt, machine.peer != nil else { return }
        let silence = now - receipt
        if actions.contains(.abort) || actions.contains(.tell(.silent)) {
            logger.debug("nothing received: connection lost", metadata: ["silence": "\(silence)"])
        } else if actions.contains(.ping), silence > machine.times.keepAlive * 2 {
            logger.debug("nothing received for too long", metadata: ["silence": "\(silence)"])
        }
    }
}
