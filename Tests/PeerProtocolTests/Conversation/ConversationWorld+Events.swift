import FoundationEssentials

@testable import PeerProtocol

/// What can happen next.
extension ConversationWorld {
    func successors() -> [ConversationWorld] {
        var next: [ConversationWorld] = []
        func add(_ change: (inout ConversationWorld) -> Void) {
            var world = self
            change(&world)
            next.append(world)
        }
        if let hostile, budget.frames > 0, parties[1 - hostile].end == nil, parties[1 - hostile].inbox.isEmpty {
            for frame in Self.anyFrames {
                add { world in
                    world.budget.frames -= 1
                    if frame == .pairingConfirmation { world.parties[hostile].hasSentConfirmation = true }
                    world.parties[1 - hostile].inbox.append(frame)
                }
            }
        }
        for side in [0, 1] where parties[side].end == nil && side != hostile {
            for task in parties[side].tasks {
                perform(task, side, add)
                // The reader waits for the answer; nothing of the peer comes before it.
                if case .answer = task { break }
            }
            if !parties[side].isReading, !parties[side].inbox.isEmpty {
                add { world in
                    let frame = world.parties[side].inbox.removeFirst()
                    world.act(side) { $0.received(frame, at: Self.start) }
                }
            }
        }
        if next.isEmpty || budget.haste > 0 { addDeadlines(isHasty: !next.isEmpty, add) }
        if budget.ends > 0 { addEnds(add) }
        return next
    }

    /// What a hostile side sends.
    private static let anyFrames: [Frame] = [
        .hello(hello(.dialer, .session, isEncrypted: true)), .hello(hello(.listener, .session, isEncrypted: true)),
        .invite(InvitationRequest(timeout: 15)), .invite(InvitationRequest(timeout: 15, token: Sample.token)),
        .invite(InvitationRequest(timeout: 15, isPeerPinned: true)),
        .invite(
            InvitationRequest(
                timeout: 15,
                session: SessionInvitation(members: 1, connectionCount: 0, wish: 1, takesAnyone: true)
            )
        ),
        .accept, .link(Sample.terms), .join(LaneJoin(secret: Sample.laneSecret)), .manifest(Data()),
        .pairingCommitment(PairingCommitment(Sample.senderNonce.commitment)),
        .pairingNonce(PairingDisclosure(Sample.receiverNonce)), .pairingReveal(PairingDisclosure(Sample.senderNonce)),
        .pairingConfirmation, .decline(Sample.refusal), .ping(Ping(nonce: 1)),
    ]

    private func perform(_ task: Party.Task, _ side: Int, _ add: ((inout ConversationWorld) -> Void) -> Void) {
        func choose(_ change: @escaping (inout ConversationWorld) -> Void) {
            add { world in
                world.parties[side].tasks.removeAll { $0 == task }
                change(&world)
            }
        }
        switch task {
        case .answer(let question): answer(question, side, choose)
        case .speak: choose { $0.speak(side) }
        case .test:
            for isAlive in [true, false] { choose { $0.act(side) { $0.tested(isAlive: isAlive, at: Self.start) } } }
        case .consider:
            choose { world in
                let (isMember, takesAnyone) = (world.isMember, world.takesAnyone)
                world.act(side) { $0.consider(isMember: isMember, takesAnyone: takesAnyone) }
            }
            choose { $0.act(side) { $0.decline(Sample.refusal) } }
        case .decide(let hasDigits): decide(hasDigits, side, choose)
        case .compare: compare(side, choose)
        case .link: choose { $0.act(side) { $0.link(answering: side == 1 ? Sample.terms : nil) } }
        }
    }

    private func answer(
        _ question: Conversation.Question,
        _ side: Int,
        _ choose: (@escaping (inout ConversationWorld) -> Void) -> Void
    ) {
        func answered(_ note: @escaping (inout Party) -> Void) {
            choose { world in
                note(&world.parties[side])
                world.act(side) { $0.answered(nil, to: question, at: Self.start) }
            }
            let isForSlot =
                switch question {
                case .slot, .transfer: true
                default: false
                }
            let refusal = isForSlot ? Refusal(.busy, "There is no slot.") : Refusal(.locked, "Not now.")
            choose { world in
                if case .token = question { world.parties[side].tokenIsRight = false }
                world.act(side) { $0.answered(refusal, to: question, at: Self.start) }
            }
        }
        switch question {
        case .trust:
            for trust in [Conversation.Trust.unknown, .trusted, .impostor] {
                choose { world in
                    world.parties[side].trust = trust
                    world.act(side) { $0.trustAnswered(trust, at: Self.start) }
                }
            }
        case .peer: answered { $0.isLetOn = true }
        case .token: answered { $0.tokenIsRight = true }
        case .pairing: answered { $0.mayPair = true }
        case .slot: answered { _ in }
        case .transfer: answered { $0.hasSlot = true }
        case .pin:
            choose { world in
                if !world.parties[side].saysSame || !world.parties[1 - side].hasSentConfirmation {
                    world.flaw = "pins, although both have not confirmed"
                }
                world.parties[side].hasPinned = true
                world.act(side) { $0.answered(nil, to: .pin, at: Self.start) }
            }
            choose { $0.act(side) { $0.fail(Sample.failure) } }
        }
    }

    private mutating func speak(_ side: Int) {
        if machines[side].request != nil || resumes {
            return act(side) { $0.requestLink(Sample.terms, at: Self.start) }
        }
        var request = InvitationRequest(timeout: 15, token: hasToken ? Sample.token : nil)
        if isSession {
            let takesAnyone = takesAnyone
            request.session = SessionInvitation(members: 1, connectionCount: 0, wish: 1, takesAnyone: takesAnyone)
        }
        let isMember = isMember
        act(side) { $0.invite(request, isMember: isMember, at: Self.start) }
    }

    private func decide(
        _ hasDigits: Bool,
        _ side: Int,
        _ choose: (@escaping (inout ConversationWorld) -> Void) -> Void
    ) {
        choose { $0.act(side) { $0.decline(Refusal(.declined, "No.")) } }
        guard isSession else {
            for isCompared in hasDigits ? [true, false] : [false] {
                choose { world in
                    world.parties[side].isWelcome = true
                    if isCompared { world.parties[side].saysSame = true } else { world.parties[side].goesOn = true }
                    world.act(side) { $0.accept(isCompared: isCompared, at: Self.start) }
                }
            }
            return
        }
        choose { world in
            world.parties[side].isWelcome = true
            if hasDigits { world.parties[side].tasks.append(.compare) }
            world.act(side) { $0.accept(isCompared: false, at: Self.start) }
        }
    }

    private func compare(_ side: Int, _ choose: (@escaping (inout ConversationWorld) -> Void) -> Void) {
        choose { world in
            world.parties[side].saysSame = true
            world.act(side) { $0.compared(isSame: true, at: Self.start) }
        }
        if takesAnyone {
            choose { world in
                world.parties[side].goesOn = true
                world.act(side) { $0.compared(isSame: false, at: Self.start) }
            }
        }
        choose { $0.act(side) { $0.decline(Refusal(.notTrusted, "They differ.")) } }
    }

    private func addDeadlines(isHasty: Bool, _ add: ((inout ConversationWorld) -> Void) -> Void) {
        for side in [0, 1] where parties[side].end == nil && machines[side].deadline != nil && side != hostile {
            add { world in
                if isHasty { world.budget.haste -= 1 }
                let late = Self.start + .seconds(90_000)
                world.act(side) { $0.tick(at: late, lastReceipt: late) }
            }
        }
    }

    private func addEnds(_ add: ((inout ConversationWorld) -> Void) -> Void) {
        for side in [0, 1] where parties[side].end == nil && side != hostile {
            add { world in
                world.budget.ends -= 1
                world.act(side) { $0.cancel(Sample.cancellation) }
            }
            add { world in
                world.budget.ends -= 1
                for side in [0, 1] where side != hostile { world.act(side) { $0.lost() } }
            }
        }
    }
}

extension ConversationWorld.Party {
    /// Whether the reader waits for an answer.
    var isReading: Bool {
        tasks.contains { if case .answer = $0 { true } else { false } }
    }
}

/// Telling worlds apart, and what must hold at rest.
extension ConversationWorld {
    /// What two worlds share that go on alike.
    struct Key: Hashable {
        var parties: [Party]
        var machines: [[String]]
        var budget: Budget
    }

    var key: Key {
        let states = machines.map { machine -> [String] in
            let invitation = machine.invitation
            let pairing = machine.pairing
            return [
                machine.phaseName, "\(machine.deadline?.step as Any)", "\(machine.hasTerms)",
                "\(invitation?.hasToken as Any)\(invitation?.hasSlot as Any)\(invitation?.isConsidered as Any)",
                "\(invitation?.isCleared as Any)\(invitation?.isAccepted as Any)\(invitation?.isCompared as Any)",
                "\(pairing?.isSettled as Any)\(pairing?.isConfirmed as Any)\(pairing?.owesConfirmation as Any)",
                "\(pairing?.machine as Any)",
            ]
        }
        return Key(parties: parties, machines: states, budget: budget)
    }

    /// What is wrong where nothing happens any more; nil if nothing is.
    var flawAtRest: String? {
        for side in [0, 1] where side != hostile && parties[side].end == nil && machines[side].use == nil {
            return "the \(Self.names[side]) waits for ever: \(machines[side].phaseName)"
        }
        let uses = machines.compactMap(\.use)
        if uses.count == 2, uses[0] != uses[1] {
            return "the sides carry different things"
        }
        for side in [0, 1] {
            let (party, machine) = (parties[side], machines[side])
            if party.failureCount > 1 { return "a failed pairing was counted twice" }
            if party.hasPinned, !party.saysSame { return "a peer is pinned without a comparison" }
            let hasBegun = machine.pairing?.machine.hasBegun == true
            if party.failureCount > 0, !hasBegun || party.saysSame { return "a pairing is counted that did not fail" }
        }
        return nil
    }
}
