/// The request for a link, and its answer.
extension ConversationStateMachine {
    /// The dialer asks for a link.
    package mutating func requestLink(_ terms: LinkTerms, at now: ContinuousClock.Instant) -> [ConversationAction] {
        guard phase == .ready, side == .dialer, purpose == .session else { return [] }
        phase = .linking
        deadline = (.link, now + times.handshake)
        return [.awaitLongFrames, .send(.link(terms))]
    }

    mutating func received(_ terms: LinkTerms, at now: ContinuousClock.Instant) -> [ConversationAction] {
        guard !hasTerms else { return violated(.unexpected(.link)) }
        // From now on the peer can no longer confirm the digits.
        if side == .listener, case .fail(let error) = pairing?.machine.receivedAnswer(.link) { return violated(error) }
        hasTerms = true
        return [.tell(.link(terms))]
    }

    /// The peer that asks for a link may be introduced within a while.
    package mutating func awaitIntroduction(for duration: Duration, at now: ContinuousClock.Instant) {
        guard phase == .linking else { return }
        deadline = (.introduction, now + duration)
    }

    /// The peer that asks for a link is introduced.
    package mutating func introduced(at now: ContinuousClock.Instant) {
        guard phase == .linking else { return }
        deadline = (.link, now + times.handshake)
    }

    /// The connection carries the link from now on.
    ///
    /// - Parameter answer: What the listener answers; nil at the dialer.
    /// - Returns: What to do.
    package mutating func link(answering answer: LinkTerms?) -> [ConversationAction] {
        guard phase == .linking, hasTerms else { return [] }
        carry(.link)
        settlePairing()
        return answer.map { [.awaitLongFrames, .send(.link($0))] } ?? []
    }
}
