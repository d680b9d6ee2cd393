/// From the opening until the peer is known.
extension ConversationStateMachine {
    /// The connection is open.
    ///
    /// - `certificate`: The id that the peer's certificate proves; nil in plain text.
    package mutating func opened(_ certificate: PeerID?, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard phase == .opening, case .sendHello(let hello) = handshake.start() else { return [] }
        certifiedID = certificate
        phase = .greeting
        deadline = (.greeting, now + times.handshake)
        var actions = [Conversation.Action.send(.hello(hello))]
        if side == .dialer, case .resource(let claim) = purpose, let payload = try? claim.encoded() {
            // A manifest may come right behind the answer.
            actions += [.awaitLongFrames, .send(.record(Record(.resource, payload: payload)))]
        }
        return actions + [.tell(.opened(certificate))]
    }

    /// A frame has come.
    package mutating func received(_ frame: Frame, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        switch (phase, frame) {
        case (.ended, _):
            return []
        case (.carrying, .pairingConfirmation) where pairing != nil:
            return receivedConfirmation()
        case (.carrying(.link), .cancel), (.carrying(.link), .failure), (.carrying(.link), .decline):
            return receivedLastWord(frame)
        case (.carrying, _):
            return [.tell(.frame(frame))]
        case (_, .cancel), (_, .failure), (_, .decline):
            return receivedLastWord(frame)
        case (.greeting, .hello(let hello)):
            return received(hello, at: now)
        case (.greeting, .join(let join)) where side == .listener:
            phase = .carrying(.lane)
            deadline = nil
            return [.tell(.join(join.secret))]
        case (.opening, _), (.greeting, _):
            return violated(handshake.receivedOther(frame.type))
        case (.waiting, _):
            return receivedFirst(frame, at: now)
        case (.claiming, .accept) where side == .dialer:
            carry(.attachment)
            return [.tell(.accepted)]
        case (.inviting, _):
            return receivedWhileInviting(frame, at: now)
        case (.linking, .link(let terms)):
            return received(terms, at: now)
        case (.linking, .pairingConfirmation) where pairing != nil:
            return receivedConfirmation()
        case (.claiming, _), (.identifying, _), (.testing, _), (.ready, _), (.linking, _):
            return violated(.unexpected(frame.type))
        }
    }

    private mutating func received(_ hello: Hello, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        switch handshake.receivedHello(hello, certificate: certifiedID) {
        case .fail(let error):
            return violated(error)
        case .connect(let hello, let version):
            (peer, self.version) = (hello, version)
        }
        let hasSessions = hello.features.contains(Hello.sessionsFeature) && hello.incarnation != nil
        if purpose != .transfer, !hasSessions {
            let message = "The program on the other machine offers transfers only, or is too old."
            return violated(ProtocolError(.unsupportedVersion, message))
        }
        guard side == .dialer else {
            phase = .waiting
            deadline = (.waiting, now + times.waiting)
            return []
        }
        if case .resource = purpose {
            phase = .claiming
            deadline = (.settingUp, now + times.handshake)
            return []
        }
        return identify(at: now)
    }

    /// The first frame after the hello says what the connection is for.
    private mutating func receivedFirst(_ frame: Frame, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        switch frame {
        case .invite(let request):
            guard (request.session != nil) == (purpose == .session) else {
                let offer = purpose == .session ? "no transfers" : "transfers only"
                return decline(Refusal(.other, "This program offers \(offer)."))
            }
            let seconds = min(.seconds(request.timeout), times.longestInvitation)
            invitation = Invitation(request: request, end: now + seconds)
        case .link where purpose == .session:
            break
        case .record(let record) where purpose == .session:
            guard record.kind == .resource, let notice = try? ResourceNotice(decoding: record.payload),
                case .attach(let secret) = notice.verb
            else { return violated(.unexpected(frame.type)) }
            phase = .claiming
            deadline = (.settingUp, now + times.handshake)
            return [.tell(.attach(secret))]
        default:
            return violated(.unexpected(frame.type))
        }
        first = frame
        return identify(at: now)
    }

    /// Accepts the dialer's claim to a resource.
    package mutating func acceptClaim() -> [Conversation.Action] {
        guard phase == .claiming, side == .listener else { return [] }
        carry(.attachment)
        return [.awaitLongFrames, .send(.accept), .tell(.accepted)]
    }

    private mutating func identify(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        phase = .identifying
        deadline = (.settingUp, now + times.handshake)
        return [.ask(.trust)]
    }

    /// The trust store has answered.
    package mutating func trustAnswered(
        _ answer: Conversation.Trust,
        at now: ContinuousClock.Instant
    ) -> [Conversation.Action] {
        guard phase == .identifying else { return [] }
        trust = answer
        // In plain text nothing proves an id. The token of a transfer makes up for a wrong name: a dialer's names the key, and a
        // listener's lets in anyone who has it. A session would show the name as that of a verified friend.
        let isExcused = purpose == .transfer && hasToken
        let isRefused = certifiedID == nil ? answer != .unknown : answer == .impostor && !isExcused
        return [isRefused ? .refuseIdentity : .ask(.peer)]
    }

    private var hasToken: Bool { side == .dialer ? hasOwnToken : invitation?.request.token != nil }

    /// The application or the admission has answered a question.
    ///
    /// - `refusal`: Why not; nil for yes.
    package mutating func answered(
        _ refusal: Refusal?,
        to question: Conversation.Question,
        at now: ContinuousClock.Instant
    ) -> [Conversation.Action] {
        switch (question, phase) {
        case (_, .ended): []
        case (.trust, _): []
        case (.peer, .identifying): refusal.map { decline($0) } ?? known(at: now)
        case (.token, _), (.pairing, _), (.slot, _), (.transfer, _): admissionAnswered(refusal, to: question, at: now)
        case (.pin, _): pinned(at: now)
        case (.peer, _): []
        }
    }

    /// The application lets the peer continue.
    private mutating func known(at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard side == .listener else {
            guard purpose == .session else {
                phase = .ready
                deadline = nil
                return [.tell(.connected)]
            }
            phase = .testing
            deadline = (.settingUp, now + times.handshake)
            return [.tell(.test)]
        }
        guard case .link(let terms)? = first else { return [.tell(.connected)] + invited(at: now) }
        phase = .linking
        hasTerms = true
        deadline = (.link, now + times.handshake)
        return [.tell(.connected), .tell(.link(terms))]
    }

    /// The test of a dialer's connection is over.
    package mutating func tested(isAlive: Bool, at now: ContinuousClock.Instant) -> [Conversation.Action] {
        guard phase == .testing else { return [] }
        guard isAlive else { return lost() }
        phase = .ready
        deadline = (.settingUp, now + times.handshake)
        return [.tell(.connected)]
    }

    /// The connection carries this from now on.
    mutating func carry(_ use: Conversation.Use) {
        phase = .carrying(use)
        deadline = nil
    }
}
