/// The last word, and time.
extension ConversationStateMachine {
    /// This side says no.
    package mutating func decline(_ refusal: Refusal) -> [Conversation.Action] { end(.declined(refusal)) }

    /// Something failed at this side.
    package mutating func fail(_ failure: Failure) -> [Conversation.Action] { end(.failed(failure)) }

    /// The peer broke the protocol.
    package mutating func violated(_ error: ProtocolError) -> [Conversation.Action] { end(.violated(error)) }

    /// This side stops.
    package mutating func cancel(_ cancellation: Cancellation) -> [Conversation.Action] {
        end(.cancelled(cancellation))
    }

    /// The connection has ended, or ends without a word.
    package mutating func lost() -> [Conversation.Action] { end(.connectionLost) }

    mutating func receivedLastWord(_ frame: Frame) -> [Conversation.Action] {
        switch frame {
        case .cancel(let cancellation): end(.cancelledByPeer(cancellation))
        case .failure(let failure): end(.failedByPeer(failure))
        case .decline(let refusal): end(.declinedByPeer(refusal))
        default: violated(.unexpected(frame.type))
        }
    }

    /// The two sides do not agree on encryption.
    ///
    /// The listener says so in plain text: these are its first bytes, and reveal nothing.
    package mutating func refuseEncryption(_ failure: Failure) -> [Conversation.Action] {
        guard phase == .opening else { return [] }
        phase = .ended
        deadline = nil
        let word: [Conversation.Action] = side == .listener ? [.send(.failure(failure)), .finish] : [.abort]
        return word + [.tell(.ended(.failed(failure)))]
    }

    /// The conversation is over.
    ///
    /// - Parameter end: How; the last word follows from it.
    package mutating func end(_ end: Conversation.End) -> [Conversation.Action] {
        guard !hasEnded else { return [] }
        let isOpen = phase != .opening
        phase = .ended
        deadline = nil
        var actions: [Conversation.Action] = []
        // If this side has stopped the conversation, that is no wrong guess.
        if case .cancelled = end { settlePairing() }
        if countPairing() { actions.append(.countFailedPairing) }
        switch end.lastWord {
        case .none where end.isDecided, .some where isOpen:
            actions += (end.lastWord.map { [.send($0)] } ?? []) + [.finish]
        case .none, .some:
            // The peer has sent its last frame, or cannot receive one.
            actions.append(.abort)
        }
        return actions + [.tell(.ended(end))]
    }

    /// Time has passed.
    ///
    /// - `receipt`: When the last byte came; nil if none has.
    package mutating func tick(
        at now: ContinuousClock.Instant,
        lastReceipt receipt: ContinuousClock.Instant?
    ) -> [Conversation.Action] {
        guard !hasEnded else { return [] }
        if let (step, time) = deadline, time <= now {
            deadline = nil
            return expired(step)
        }
        guard peer != nil, now >= nextKeepAlive else { return [] }
        switch keepAlive.tick(at: now, lastReceipt: receipt) {
        case .send(let next):
            nextKeepAlive = next
            return [.ping]
        case .lost:
            return use == .transfer || use == .attachment ? [.tell(.silent)] : lost()
        }
    }

    private mutating func expired(_ step: Conversation.Deadline) -> [Conversation.Action] {
        switch step {
        case .invitation where side == .listener:
            decline(Refusal(.noAnswer, "There was no answer in time."))
        case .introduction:
            [.tell(.notIntroduced)]
        // Silence is no decision: the peer learns only that it was too slow, and the dialer can try again.
        case .securing, .greeting, .settingUp, .waiting, .pairing, .invitation, .link:
            [.expire(step)]
        }
    }
}

extension Conversation.End {
    /// What is said before the connection closes; nil if nothing is, or the sides of a transfer have said it.
    fileprivate var lastWord: Frame? {
        switch self {
        case .declined(let refusal): .decline(refusal)
        case .cancelled(let cancellation): .cancel(cancellation)
        case .failed(let failure): .failure(failure)
        case .violated(let error): .failure(Failure(code: error.code.description, message: error.message))
        case .completed, .declinedByPeer, .cancelledByPeer, .failedByPeer, .connectionLost: nil
        }
    }

    /// Whether both sides know the end without a last word.
    fileprivate var isDecided: Bool { if case .completed = self { true } else { false } }
}
