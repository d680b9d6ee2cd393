import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Admission of peers, and the comparison of digits.
extension SessionHub {
    /// Invites the peer, on a connection that this side has dialed.
    func sendInvite(_ invite: Invite, _ name: MeetingConnection, _ id: PeerID) {
        guard let record = peers[id], let number = record.connections[name], let remote = connections[number]?.remote
        else { return }
        let isTrusted = if case .trusted = remote.trust { true } else { false }
        let isKnown = isTrusted || isMember(id)
        let takesAnyone = configuration.admission == .everyone
        connections[number]?.remote?.admittedByLink = record.wishes.token != nil
        if record.wishes.token == nil {
            let isRequired = !isKnown && !takesAnyone
            connections[number]?.digits.pairing = makePairing(.receiver(isRequired: isRequired), with: id)
        }
        let timeout = Int(clamping: max(1, record.wishes.timeout.components.seconds))
        let request = InvitationRequest(
            timeout: min(timeout, 3600),
            context: record.wishes.context,
            token: record.wishes.token,
            isPeerPinned: isKnown,
            session: SessionInvitation(
                members: UInt16(clamping: roster.memberCount),
                connectionCount: invite.connectionCount,
                wish: invite.wish,
                takesAnyone: takesAnyone
            )
        )
        // The peer declines when its time is over. This side waits a little longer.
        setDeadline(.seconds(request.timeout) + configuration.connections.silenceTimeout, number)
        connections[number]?.connection.send(.invite(request))
        showProgress(.asking, of: id)
    }

    private func makePairing(_ role: PairingStateMachine.Role, with peer: PeerID) -> PairingStateMachine {
        let parties =
            switch role {
            case .sender: PairingParties(version: .version1, receiver: peer, sender: localID)
            case .receiver: PairingParties(version: .version1, receiver: localID, sender: peer)
            }
        return PairingStateMachine(role: role, parties: parties, nonce: .random())
    }

    /// The meeting asks whether an invitation is welcome.
    func ask(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name] else { return }
        clear(number, id) { await self.ask(number, id) }
    }

    /// The meeting accepts an invitation, because this side wishes the same or has said yes before.
    func accept(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name] else { return }
        connections[number]?.digits.holdsAccept = true
        clear(number, id) { await self.compare(number, id) }
    }

    /// Calls `next` at once if no digits are needed, and otherwise when the digits are known.
    private func clear(_ number: Int, _ id: PeerID, then next: @escaping @Sendable () async -> Void) {
        guard let record = connections[number] else { return }
        switch record.digits.clearance {
        case .cleared: sendAccept(number)
        case .comparing where record.digits.digits != nil: spawn(next)
        case .comparing: break
        case .undecided where needsDigits(record, id): beginPairing(number, id)
        case .undecided:
            if record.digits.holdsAccept {
                connections[number]?.digits.clearance = .cleared
                sendAccept(number)
            } else {
                spawn(next)
            }
        }
    }

    /// Whether people must compare digits before the peer is accepted.
    private func needsDigits(_ record: ConnectionRecord, _ id: PeerID) -> Bool {
        if record.remote?.admittedByLink == true { return false }
        // A peer that was restarted may know nothing of this machine.
        if isMember(id) { return record.request.map { !$0.isPeerPinned } ?? false && !takesAnyone(record) }
        if takesAnyone(record) { return false }
        if case .trusted? = record.remote?.trust { return record.request?.isPeerPinned != true }
        return true
    }

    /// Whether both sides accept any peer.
    private func takesAnyone(_ record: ConnectionRecord) -> Bool {
        configuration.admission == .everyone && record.request?.session?.takesAnyone == true
    }

    private func beginPairing(_ number: Int, _ id: PeerID) {
        guard let record = connections[number], let place = record.place else { return }
        let (address, now) = (record.connection.addressKey, clock.now)
        let lock = admission.timeLockedForPairing(address, at: now)
        let lockReason =
            lock == nil ? "Too many machines are asking to pair." : "Pairing with this machine failed too often."
        let wait = lock ?? admission.timeToWaitForPairing(address, at: now)
        let isStranger = record.remote?.trust == .unknown
        let isTaken =
            wait == nil
            && admission.invited(place, isStranger: isStranger) { [weak self] in
                guard let self else { return }
                spawn { await self.refuse(number, .full) }
            }
        let begins = isTaken ? admission.beginPairing(address, at: now) : wait ?? .zero
        if let begins {
            let refusal =
                begins == .zero
                ? Refusal.full
                : Refusal(.locked, "\(lockReason) Try again in \(begins.components.seconds + 1) seconds.")
            return refuse(number, refusal)
        }
        var pairing = makePairing(.sender, with: id)
        guard case .sendCommitment(let commitment) = pairing.start() else { return }
        connections[number]?.digits.pairing = pairing
        connections[number]?.digits.clearance = .comparing
        record.connection.send(.pairingCommitment(commitment))
    }

    func receivedCommitment(_ commitment: PairingCommitment, _ number: Int) {
        switch connections[number]?.digits.pairing?.receivedCommitment(commitment) {
        case .sendNonce(let disclosure): connections[number]?.connection.send(.pairingNonce(disclosure))
        case .fail(let error): violate(number, error)
        case nil: violate(number, .unexpected(.pairingCommitment))
        }
    }

    func receivedNonce(_ disclosure: PairingDisclosure, _ number: Int) {
        switch connections[number]?.digits.pairing?.receivedNonce(disclosure) {
        case .sendReveal(let reveal, let digits):
            connections[number]?.connection.send(.pairingReveal(reveal))
            known(digits, number)
        case .fail(let error): violate(number, error)
        case nil: violate(number, .unexpected(.pairingNonce))
        }
    }

    func receivedReveal(_ disclosure: PairingDisclosure, _ number: Int) {
        switch connections[number]?.digits.pairing?.receivedReveal(disclosure) {
        case .show(let digits):
            connections[number]?.digits.clearance = .comparing
            known(digits, number)
        case .fail(let error): violate(number, error)
        case nil: violate(number, .unexpected(.pairingReveal))
        }
    }

    private func known(_ digits: PairingDigits, _ number: Int) {
        connections[number]?.digits.digits = digits
        guard let record = connections[number], let id = record.peer else { return }
        showProgress(.comparing(digits), of: id)
        spawn {
            // At the side that is invited, the application's answer to the invitation is the comparison, unless it invites, too.
            if record.isOutgoing || record.digits.holdsAccept {
                await self.compare(number, id)
            } else {
                await self.ask(number, id)
            }
        }
    }

    /// Asks the person at a side that invites whether the digits are the same.
    private func compare(_ number: Int, _ id: PeerID) async {
        guard let record = connections[number], let remote = record.remote, let digits = record.digits.digits else {
            return
        }
        let isOptional = configuration.admission == .everyone && configuration.compareDigits == nil
        let question = ReadyQueue<Void>()
        connections[number]?.digits.question = question
        let answer = isOptional ? nil : await ask(remote, digits, until: question)
        connections[number]?.digits.question = nil
        guard connections[number]?.isFinished == false else { return }
        if answer == .different {
            if configuration.compareDigits == nil { peers[id]?.attempts.error = .nobodyCompares }
            return refuse(number, Refusal(.notTrusted, "The digits were not compared, or were not the same."))
        }
        if answer == .same { confirm(number) }
        connections[number]?.digits.clearance = .cleared
        guard connections[number]?.digits.holdsAccept == true else { return }
        record.isOutgoing ? passAccept(number, id) : sendAccept(number)
    }

    /// Asks the application to compare digits; its task is cancelled when the question is taken back.
    private nonisolated func ask(
        _ remote: RemotePeer,
        _ digits: PairingDigits,
        until question: ReadyQueue<Void>
    ) async -> DigitComparison {
        await withTaskGroup(of: DigitComparison?.self) { group in
            group.addTask { [configuration] in
                try? await self.callOut { await configuration.compareDigits?(remote, digits) ?? .different }
            }
            group.addTask {
                _ = await question.next()
                return nil
            }
            let answer = await group.next() ?? nil
            group.cancelAll()
            return answer ?? .different
        }
    }

    /// The person at this side says that the digits are the same.
    func confirm(_ number: Int) {
        guard let record = connections[number] else { return }
        connections[number]?.digits.isConfirmed = true
        switch connections[number]?.digits.pairing?.confirmed() {
        case .sendConfirmation: record.connection.send(.pairingConfirmation)
        case .sendConfirmationAndPin:
            record.connection.send(.pairingConfirmation)
            pin(number)
        case .none?, nil: break
        }
    }

    func receivedConfirmation(_ number: Int) {
        switch connections[number]?.digits.pairing?.receivedConfirmation() {
        case .pin: pin(number)
        case .none?: break
        case .fail(let error): violate(number, error)
        case nil: violate(number, .unexpected(.pairingConfirmation))
        }
    }

    private func pin(_ number: Int) {
        guard let remote = connections[number]?.remote else { return }
        logger.debug("pairing confirmed on both sides", metadata: ["peer": "\(remote.id.short)"])
        let logger = logger
        pinCount += 1
        let isRunning = spawn { [configuration] in
            do {
                try await self.keeping { try await configuration.trust.pin(remote.id, name: remote.displayName) }
            } catch {
                logger.error("the trusted peer was not kept", metadata: ["error": "\(error)"])
            }
            await self.pinned()
        }
        if !isRunning { pinned() }
    }

    private func pinned() {
        pinCount -= 1
        noteRest()
    }

    /// The peer accepts the invitation.
    func receivedAccept(_ number: Int, _ id: PeerID) {
        guard let record = connections[number], record.isOutgoing else { return violate(number, .unexpected(.accept)) }
        if case .fail(let error) = connections[number]?.digits.pairing?.receivedAnswer(.accept) {
            return violate(number, error)
        }
        connections[number]?.digits.holdsAccept = true
        if record.digits.clearance != .comparing { passAccept(number, id) }
    }

    private func passAccept(_ number: Int, _ id: PeerID) {
        guard let name = connections[number]?.name else { return }
        meet(id) { $0.receivedAccept(name) }
    }

    func sendAccept(_ number: Int) {
        guard let record = connections[number], record.digits.holdsAccept, !record.isFinished else { return }
        guard !record.digits.hasSentAccept else { return }
        connections[number]?.digits.hasSentAccept = true
        // The person at the other side may still be comparing.
        let rest = record.timing.invitationEnd.map { $0 - clock.now } ?? .zero
        setDeadline(max(configuration.connections.handshakeTimeout, record.digits.digits == nil ? .zero : rest), number)
        record.connection.send(.accept)
    }

    /// Declines a peer that the meeting machine knows.
    func refuse(_ number: Int, _ refusal: Refusal) {
        guard let record = connections[number], let id = record.peer, !record.isFinished else { return }
        connections[number]?.digits.refusal = refusal
        // Another machine may have taken the place: that is no failed pairing.
        if refusal == .full { connections[number]?.digits.isSettled = true } else { notePairingFailure(number) }
        if let name = record.name, peers[id]?.meeting.incoming?.connection == name, peers[id]?.meeting.isAsking == true
        {
            meet(id) { $0.answered(false) }
            if case .connecting? = peers[id]?.state { show(.disconnected(.declined(refusal)), of: id) }
        }
        guard connections[number]?.isFinished == false else { return noteDisconnection(of: id) }
        let isOwn = record.isOutgoing || peers[id]?.meeting.wish != nil
        let error = peers[id]?.attempts.error ?? PeerError(refusal)
        finish(number, .decline(refusal))
        failed(number, error, wasLinked: false)
        if isOwn { failWishes(of: id, error) }
    }
}
