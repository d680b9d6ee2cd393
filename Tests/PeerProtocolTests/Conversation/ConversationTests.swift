import Testing

@testable import PeerProtocol

/// Single steps of a conversation; every order of them is in ``ConversationExplorationTests``.
@Suite struct ConversationTests {
    private static let now = ConversationWorld.start
    private static let times = ConversationWorld.times

    private func machine(
        _ side: Conversation.Side,
        _ purpose: Conversation.Purpose,
        isEncrypted: Bool = true,
        hasToken: Bool = false
    ) -> ConversationStateMachine {
        var machine = ConversationStateMachine(
            side,
            purpose,
            hello: ConversationWorld.hello(side, purpose == .transfer ? .transfer : .session, isEncrypted: isEncrypted),
            hasToken: hasToken,
            nonce: Sample.senderNonce,
            times: Self.times,
            at: Self.now
        )
        let id = side == .dialer ? Sample.sender : Sample.receiver
        _ = machine.opened(isEncrypted ? id : nil, at: Self.now)
        return machine
    }

    private func greeted(
        _ side: Conversation.Side,
        _ purpose: Conversation.Purpose,
        isEncrypted: Bool = true,
        hasToken: Bool = false
    ) -> (ConversationStateMachine, [Conversation.Action]) {
        var machine = machine(side, purpose, isEncrypted: isEncrypted, hasToken: hasToken)
        let other: Conversation.Side = side == .dialer ? .listener : .dialer
        let general: Conversation.Purpose = purpose == .transfer ? .transfer : .session
        let hello = ConversationWorld.hello(other, general, isEncrypted: isEncrypted)
        let actions = machine.received(.hello(hello), at: Self.now)
        return (machine, actions)
    }

    private static func claim(_ secret: ConnectionSecret = Sample.laneSecret) throws -> Frame {
        let notice = ResourceNotice(transfer: Sample.id, verb: .attach(secret))
        return .record(Record(.resource, payload: try notice.encoded()))
    }

    @Test func aClaimIsPresentedWithTheHello() throws {
        let notice = ResourceNotice(transfer: Sample.id, verb: .attach(Sample.laneSecret))
        var dialer = ConversationStateMachine(
            .dialer,
            .resource(notice),
            hello: ConversationWorld.hello(.dialer, .session, isEncrypted: true),
            nonce: Sample.senderNonce,
            times: Self.times,
            at: Self.now
        )
        let first = dialer.opened(Sample.sender, at: Self.now)
        #expect(first.dropFirst() == [.awaitLongFrames, .send(try Self.claim()), .tell(.opened(Sample.sender))])
        _ = dialer.received(.hello(ConversationWorld.hello(.listener, .session, isEncrypted: true)), at: Self.now)
        #expect(dialer.use == nil)
        #expect(dialer.received(.accept, at: Self.now) == [.tell(.accepted)])
        #expect(dialer.use == .attachment)
    }

    @Test func aClaimIsHandedOnAndAcceptedOnce() throws {
        var (listener, _) = greeted(.listener, .session)
        #expect(listener.received(try Self.claim(), at: Self.now) == [.tell(.attach(Sample.laneSecret))])
        #expect(listener.acceptClaim() == [.awaitLongFrames, .send(.accept), .tell(.accepted)])
        #expect(listener.use == .attachment && listener.acceptClaim().isEmpty)
        var (other, _) = greeted(.listener, .session)
        #expect(other.acceptClaim().isEmpty)
        let notice = ResourceNotice(transfer: Sample.id, verb: .accept)
        let wrong = Frame.record(Record(.resource, payload: try notice.encoded()))
        #expect(isOutOfTurn(other.received(wrong, at: Self.now)))
    }

    @Test func nobodyClaimsAtAProgramThatOffersTransfers() throws {
        for frame in [try Self.claim(), .link(Sample.terms), .accept] {
            var (listener, _) = greeted(.listener, .transfer)
            #expect(isOutOfTurn(listener.received(frame, at: Self.now)))
        }
    }

    @Test func aLaneComesInPlaceOfTheHello() {
        for purpose in [Conversation.Purpose.transfer, .session] {
            let join = Frame.join(LaneJoin(secret: Sample.laneSecret))
            var listener = machine(.listener, purpose)
            #expect(listener.received(join, at: Self.now) == [.tell(.join(Sample.laneSecret))])
            #expect(listener.use == .lane)
            var dialer = machine(.dialer, purpose)
            #expect(isOutOfTurn(dialer.received(join, at: Self.now)))
            var (later, _) = greeted(.listener, purpose)
            #expect(isOutOfTurn(later.received(join, at: Self.now)))
        }
    }

    @Test func theOtherKindOfInvitationIsDeclined() {
        for (purpose, invitation) in [
            (Conversation.Purpose.transfer, Sample.sessionInvitation), (.session, Sample.invitation),
        ] {
            var (listener, _) = greeted(.listener, purpose)
            let actions = listener.received(.invite(invitation), at: Self.now)
            guard case .send(.decline(let refusal)) = actions.first else {
                Issue.record("\(actions)")
                continue
            }
            #expect(refusal.code == .other)
        }
    }

    @Test func sessionsNeedAPeerWithSessions() {
        var listener = machine(.listener, .session)
        let actions = listener.received(.hello(Sample.receiverHello), at: Self.now)
        guard case .send(.failure(let failure)) = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(failure.code == ProtocolError.Code.unsupportedVersion.description)
    }

    /// A token makes up for the wrong name in a transfer; a session refuses an impostor whatever it shows.
    @Test(arguments: [Conversation.Purpose.transfer, .session], [false, true])
    func anImpostorNeedsATokenAndATransfer(purpose: Conversation.Purpose, hasToken: Bool) {
        let expected: [Conversation.Action] = [purpose == .transfer && hasToken ? .ask(.peer) : .refuseIdentity]
        var (dialer, asked) = greeted(.dialer, purpose, hasToken: hasToken)
        #expect(asked == [.ask(.trust)])
        #expect(dialer.trustAnswered(.impostor, at: Self.now) == expected)
        var (listener, _) = greeted(.listener, purpose)
        let session = SessionInvitation(members: 1, connectionCount: 0, wish: 1, takesAnyone: false)
        let request = InvitationRequest(
            timeout: 15,
            token: hasToken ? Sample.token : nil,
            session: purpose == .session ? session : nil
        )
        #expect(listener.received(.invite(request), at: Self.now) == [.ask(.trust)])
        #expect(listener.trustAnswered(.impostor, at: Self.now) == expected)
    }

    @Test func plainTextProvesNoTrustedId() {
        for trust in [Conversation.Trust.trusted, .impostor] {
            var (dialer, _) = greeted(.dialer, .transfer, isEncrypted: false)
            #expect(dialer.trustAnswered(trust, at: Self.now) == [.refuseIdentity])
        }
    }

    @Test func noTokenGoesInPlainText() {
        var (dialer, _) = greeted(.dialer, .transfer, isEncrypted: false)
        _ = dialer.trustAnswered(.unknown, at: Self.now)
        _ = dialer.answered(nil, to: .peer, at: Self.now)
        let actions = dialer.invite(InvitationRequest(timeout: 15, token: Sample.token), at: Self.now)
        #expect(actions == [.awaitLongFrames, .send(.invite(InvitationRequest(timeout: 15)))])
    }

    @Test func eachStepHasItsTime() {
        func expired(_ machine: ConversationStateMachine, after time: Duration) -> [Conversation.Action] {
            var machine = machine
            let early = machine.tick(at: Self.now + time - .milliseconds(1), lastReceipt: Self.now + time)
            #expect(early.allSatisfy { $0 == .ping }, "\(early)")
            return machine.tick(at: Self.now + time, lastReceipt: Self.now + time)
        }
        let hello = ConversationWorld.hello(.dialer, .transfer, isEncrypted: true)
        let nonce = Sample.senderNonce
        let new = ConversationStateMachine(
            .dialer,
            .transfer,
            hello: hello,
            nonce: nonce,
            times: Self.times,
            at: Self.now
        )
        #expect(expired(new, after: Self.times.securing) == [.expire(.securing)])
        #expect(expired(machine(.dialer, .session), after: Self.times.handshake) == [.expire(.greeting)])
        #expect(expired(greeted(.listener, .transfer).0, after: Self.times.waiting) == [.expire(.waiting)])
        #expect(expired(greeted(.dialer, .session).0, after: Self.times.handshake) == [.expire(.settingUp)])
        var (invited, _) = greeted(.listener, .transfer)
        _ = invited.received(.invite(InvitationRequest(timeout: 20)), at: Self.now)
        _ = invited.trustAnswered(.unknown, at: Self.now)
        _ = invited.answered(nil, to: .peer, at: Self.now)
        _ = invited.answered(nil, to: .pairing(isStranger: true), at: Self.now)
        #expect(expired(invited, after: Self.times.pairing) == [.expire(.pairing)])
        _ = invited.received(.pairingNonce(PairingDisclosure(Sample.receiverNonce)), at: Self.now)
        let late = expired(invited, after: .seconds(20))
        #expect(late.first == .countFailedPairing)
        #expect(late.contains(.send(.decline(Refusal(.noAnswer, "There was no answer in time.")))))
    }

    @Test func aSilentPeerIsLostAndATransferDecidesItself() {
        var times = Self.times
        (times.keepAlive, times.silence) = (.seconds(2), .seconds(6))
        for side in [Conversation.Side.dialer, .listener] {
            let hello = ConversationWorld.hello(side, .transfer, isEncrypted: true)
            let nonce = Sample.senderNonce
            var machine = ConversationStateMachine(
                side,
                .transfer,
                hello: hello,
                nonce: nonce,
                times: times,
                at: Self.now
            )
            _ = machine.opened(side == .dialer ? Sample.sender : Sample.receiver, at: Self.now)
            let other: Conversation.Side = side == .dialer ? .listener : .dialer
            _ = machine.received(.hello(ConversationWorld.hello(other, .transfer, isEncrypted: true)), at: Self.now)
            #expect(machine.tick(at: Self.now + .seconds(1), lastReceipt: Self.now) == [.ping])
            var carrying = machine
            carrying.carry(.transfer)
            #expect(
                machine.tick(at: Self.now + .seconds(6), lastReceipt: Self.now) == [
                    .abort, .tell(.ended(.connectionLost)),
                ]
            )
            #expect(carrying.tick(at: Self.now + .seconds(6), lastReceipt: Self.now) == [.tell(.silent)])
        }
    }

    @Test func whoDoesNotAgreeOnEncryptionIsToldByTheListener() {
        for side in [Conversation.Side.dialer, .listener] {
            let hello = ConversationWorld.hello(side, .transfer, isEncrypted: true)
            let nonce = Sample.senderNonce
            var new = ConversationStateMachine(
                side,
                .transfer,
                hello: hello,
                nonce: nonce,
                times: Self.times,
                at: Self.now
            )
            let word: [Conversation.Action] = side == .dialer ? [.abort] : [.send(.failure(Sample.failure)), .finish]
            #expect(new.refuseEncryption(Sample.failure) == word + [.tell(.ended(.failed(Sample.failure)))])
            #expect(new.received(.accept, at: Self.now).isEmpty)
        }
    }

    private func isOutOfTurn(_ actions: [Conversation.Action]) -> Bool {
        guard case .send(.failure(let failure)) = actions.first else { return false }
        return failure.code == ProtocolError.Code.unexpectedFrame.description
    }
}
