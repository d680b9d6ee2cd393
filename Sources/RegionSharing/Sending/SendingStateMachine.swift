package import FoundationEssentials
package import PeerCore
package import RegionStore

/// What a sender decides: whom it lets in, what of a transfer is told and recorded, and when it ends by itself.
///
/// A pure value; the time is passed in. The first reason to end counts. After it, open transfers are still told and recorded.
///
/// | Input | Action |
/// |---|---|
/// | an invitation that cannot be read | decline |
/// | an invitation, if everyone is let in, or with the share link | accept |
/// | an invitation of a trusted machine, without digits, or without a person to compare them | accept |
/// | another invitation | ask, or decline if there is no person to ask |
/// | a yes | accept; the machine becomes trusted |
/// | another answer, or none | decline |
/// | the end of a transfer with a machine that only connected | nothing |
/// | the end of another transfer | tell; also record if the machine was accepted and a region is known |
/// | a complete transfer, if the first one is the last | the same, and end |
/// | the time, without an open transfer, after ``patience`` or without a reader | end |
/// | a stop, or the end of the network | end |
package struct SendingStateMachine: Sendable {
    /// What to do about an invitation.
    package enum OnInvited: Sendable {
        case accept
        case ask(InvitationQuestion)
        case decline(SentFacts.Decline)
    }

    /// What to do about the end of a transfer.
    package struct OnFinished: Sendable {
        /// What to tell; nil for nothing.
        package var told: SentFacts?
        /// What to record; nil for nothing.
        package var entry: TransferHistoryEntry?
    }

    /// Why a sender has ended.
    package enum End: Hashable, Sendable {
        /// The first transfer is complete, and no other one is wanted.
        case first
        /// No receiver has come for a while, but one has got something before.
        case served
        case networkEnded
        /// It was stopped, or has ended without success.
        case failed(SendingError)
    }

    private static let maximumDecisionCount = 1000

    /// The regions that are offered; receivers pick if there are several.
    let regions: [RegionSummary]
    private let consent: Consent
    private let isAfterFirst: Bool
    private let patience: Duration?
    private var decisions: [RemotePeer: SentFacts.Decision] = [:]
    private var hasSent = false
    private var idleSince: ContinuousClock.Instant?
    /// Why the sender has ended; nil while it runs.
    package private(set) var end: End?

    /// Creates the machine of a sender of some regions, which ends after the first complete transfer, or after a time without one.
    package init(
        _ regions: [RegionSummary],
        _ consent: Consent,
        isAfterFirst: Bool = false,
        patience: Duration? = nil
    ) {
        (self.regions, self.consent) = (regions, consent)
        (self.isAfterFirst, self.patience) = (isAfterFirst, patience)
    }

    /// A machine has asked for the regions; `question` is nil if what it asks for is not understood.
    ///
    /// A machine with the share link or a trusted one is admitted. But if the other side no longer trusts this machine, people on both
    /// sides must compare digits.
    package mutating func invited(_ peer: RemotePeer, _ question: InvitationQuestion?, at time: Date) -> OnInvited {
        guard let question else { return declined(peer, .notUnderstood) }
        let isKnown = peer.isTrusted && (question.digits == nil || !consent.asks)
        if consent == .everything || peer.isAdmittedByShareLink || isKnown {
            note(peer, .accepted(time))
            return .accept
        }
        return consent.asks ? .ask(question) : declined(peer, .nobodyToAsk)
    }

    /// A person has answered; nil if the question was withdrawn, so that the answer has no effect any more.
    package mutating func answered(
        _ answer: InvitationQuestion.Answer?,
        about peer: RemotePeer,
        at time: Date
    ) -> InvitationAnswer {
        switch answer {
        case .yes:
            note(peer, .accepted(time))
            return .acceptAndPin
        case .no(let why):
            note(peer, .declined(why))
            return .decline(why.refusal)
        case nil:
            return .decline(Refusal(.noAnswer, "there was no answer in time."))
        }
    }

    /// A transfer has ended; if it is not the last one of the conversation, the receiver has picked more regions.
    package mutating func finished(
        _ finished: TransferSender.Finished,
        isLast: Bool = true,
        at time: Date
    ) -> OnFinished {
        let decision = finished.peer.flatMap { isLast ? decisions.removeValue(forKey: $0) : decisions[$0] }
        if isLast, case .success = finished.result {
            hasSent = true
            if isAfterFirst { end(.first) }
        }
        guard !Self.hasOnlyConnected(finished) else { return OnFinished() }
        let facts = facts(of: finished, decision)
        guard let peer = finished.peer, case .accepted(let start)? = decision, let region = facts.region else {
            return OnFinished(told: facts)
        }
        let entry = TransferHistoryEntry(
            direction: .sent,
            partner: TransferPeer(peer),
            regionID: region.id,
            regionName: region.name,
            startedAt: start,
            endedAt: time,
            outcome: facts.outcome,
            byteCount: finished.bytesTransferred
        )
        return OnFinished(told: facts, entry: entry)
    }

    /// Some time has passed.
    ///
    /// - Parameters:
    ///   - openCount: The number of open transfers; while there is one, the sender does not end.
    ///   - companionHasSent: Whether something else than a transfer with a receiver was complete before.
    package mutating func ticked(
        openCount: Int,
        companionHasSent: Bool = false,
        hasReader: Bool,
        at now: ContinuousClock.Instant
    ) {
        hasSent = hasSent || companionHasSent
        guard openCount == 0 else {
            idleSince = nil
            return
        }
        let since = idleSince ?? now
        idleSince = since
        guard hasReader else { return end(.failed(.unread)) }
        if let patience, now - since >= patience { end(self.hasSent ? .served : .failed(.noReceiver(patience))) }
    }

    /// A person has stopped the sender.
    package mutating func stopped() { end(.failed(.stopped)) }

    package mutating func networkEnded() { end(.networkEnded) }

    /// Returns the facts of a transfer: of the picked region, and with no more in its receipt than that has.
    private func facts(of finished: TransferSender.Finished, _ decision: SentFacts.Decision?) -> SentFacts {
        let picked = finished.offer.flatMap { id in regions.first { $0.id == id } }
        let isOne = regions.count == 1
        var facts = SentFacts(finished: finished, decision: decision, region: isOne ? regions.first : picked)
        facts.isOneOfSeveral = !isOne
        if case .success(let receipt) = finished.result, let most = picked ?? regions.first {
            facts.finished.result = .success(receipt.limited(to: most))
        }
        return facts
    }

    private mutating func end(_ reason: End) { end = end ?? reason }

    private mutating func declined(_ peer: RemotePeer, _ why: SentFacts.Decline) -> OnInvited {
        note(peer, .declined(why))
        return .decline(why)
    }

    private mutating func note(_ peer: RemotePeer, _ decision: SentFacts.Decision) {
        // Not every refused transfer is reported, so their decisions must be removed here.
        if decisions.count >= Self.maximumDecisionCount {
            decisions = decisions.filter { if case .accepted = $1 { true } else { false } }
        }
        decisions[peer] = decision
    }

    /// Whether a connection ended before its peer said who it is: when somebody tests the way to this machine, or when a link of
    /// another sender leads to it.
    ///
    /// Stopping this sender ends such a connection, too, and is no news either.
    private static func hasOnlyConnected(_ finished: TransferSender.Finished) -> Bool {
        guard finished.peer == nil, case .failure(let error as PeerError) = finished.result else { return false }
        return [.connectionLost, .cancelled, .notTrusted].contains(error.code)
    }
}
