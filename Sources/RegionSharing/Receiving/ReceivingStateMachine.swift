package import PeerCore
package import RegionStore

/// What a receiver does from its first attempt to receive until it gives up or everything is here.
///
/// A pure value; the time is passed in. It decides where to receive next, whom to look for, and when to give up. ``RegionReceiver``
/// performs its actions, and hands in what has come of each. ``OfferDecider`` decides on single offers.
///
/// | state | succeeded | failed | found | examined |
/// |---|---|---|---|---|
/// | attempting | ended | looking for the sender, looking for another one, examining; attempting again without one of several; ended | – | – |
/// | looking for the sender | – | – | attempting where it is; else examining | – |
/// | looking for another one | – | – | attempting there; else examining | – |
/// | examining | – | – | – | waiting, searching; ended if it was stopped or tried often enough |
/// | waiting | – | – | attempting; ended if it was stopped | – |
/// | searching | – | – | attempting; ended if it was stopped | – |
/// | ended | – | – | – | – |
///
/// An input that does not fit (–) ends the reception as one that was cancelled. After the end, nothing is attempted any more.
package struct ReceivingStateMachine: Sendable {
    /// What holds for all attempts.
    package struct Limits: Sendable {
        /// The number of attempts in a row that bring nothing.
        package var retries: Int
        /// The time before a further attempt.
        package var delay = RetryPolicy.delay
        /// How long to look for a sender that is not where it was; discovery usually takes a second.
        package var lookingTime: Duration = .seconds(3)
        /// When the connection to the sender must be open.
        package var deadline: ContinuousClock.Instant
        /// Whether a sender that fails is visited again, for all that is left.
        package var isVisitedAgain = false
        /// Whether offers of machines can be accepted that are not trusted.
        package var takesAny = false
        /// Whether a sender can be searched for from the start, as another one may be meant.
        package var canSearch = false
    }

    /// What is known after an attempt that failed.
    package struct Knowledge: Sendable {
        /// Whether an offer was accepted.
        package var hasAgreed = false
        /// The authenticated sender of the accepted offer; nil if there is none.
        package var agreedPeer: PeerID?
        /// The accepted map, if another sender may send it; nil if not.
        package var map: ContentDigest?
        package var trusted: [TrustedPeer] = []
        /// Why this side declined; nil if it did not.
        package var refusal: ReceivingError?
        /// What was picked from a list: how many are left, the name of the one that comes next, and how many were received.
        package var picked: (left: Int, next: String?, received: Int) = (0, nil, 0)
        /// The number of bytes that were kept before the attempt, and that are kept now.
        package var stored: (before: UInt64, now: UInt64) = (0, 0)
        /// Whether a person has stopped the reception.
        package var isStopped = false
    }

    /// What to do.
    package enum Action: Sendable {
        /// Receive from a sender; of several regions without the one that comes next, if it cannot send that.
        case attempt(at: SenderLocation, passingOver: Bool = false)
        /// Wait until a sender is seen elsewhere, or another one that may take its place; ``found(_:isStopped:)`` says where. A search
        /// ends if discovery does not work.
        case look(after: SenderLocation, within: Duration, or: SenderTracker.Substitutes?, isSearch: Bool)
        /// Search for a sender from the start, as this one refuses connections; ``found(_:isStopped:)`` says where it is.
        case search(refusing: DiscoveredPeer)
        /// Look for why the machines do not meet; ``examined(_:isStopped:at:)`` says it.
        case examine(after: any Error, NetworkCause.Look, at: SenderLocation)
        case end(Ending)
    }

    /// How the reception has ended.
    package enum Ending: Sendable {
        /// What was wanted is here, or what of it could be had.
        case received
        /// Nothing is received, and nothing can be resumed.
        case refused(any Error)
        /// The rest can be received later.
        case incomplete(any Error, isStopped: Bool)
    }

    /// What to do, and what to tell before.
    package struct Decision: Sendable {
        package var told: [Happening] = []
        package var action: Action
    }

    private enum State {
        case attempting, lookingForSender, lookingForOther, examining, waiting, searching, ended
    }

    private let limits: Limits
    private var state = State.attempting
    private var location: SenderLocation
    private var others: OtherSenders
    private var policy = RetryPolicy()
    /// What was said of the last reconnection.
    private var told: Reconnection?
    /// How far was looked for the cause of the last failure, and how many attempts had brought nothing before it.
    private var (look, lastLook) = (NetworkCause.Look.network, 0)
    /// The error that counts, and what was known then.
    private var error: any Error = CancellationError()
    private var known = Knowledge()

    /// Creates the machine before the first attempt.
    package init(at location: SenderLocation, within limits: Limits) {
        (self.location, self.limits) = (location, limits)
        others = OtherSenders(first: location)
    }

    /// The first thing to do.
    package var start: Decision { Decision(action: .attempt(at: location)) }

    /// Something was received, and told; everything that was picked is received or declined, or something is left.
    package mutating func succeeded(isSettled: Bool) -> Decision {
        guard state == .attempting else { return misfit() }
        return end(.received, telling: isSettled ? [] : [.problem(ReceivingError.senderLeft)])
    }

    /// An attempt has failed.
    package mutating func failed(_ cause: any Error, _ known: Knowledge) -> Decision {
        guard state == .attempting else { return misfit() }
        self.known = known
        // After a broken connection, what follows in the list is still wanted.
        if let refusal = known.refusal, known.picked.left == 0 {
            // The others are here.
            return end(known.picked.received > 0 ? .received : .refused(refusal))
        }
        // What fails at the sender with one region is no reason to leave out the others.
        if Self.code(cause) == .peerFailed, !known.isStopped, let name = known.picked.next {
            return passOver(name, cause)
        }
        let hasData = known.stored.now > known.stored.before
        (location, error) = others.failed(cause, at: location, agreed: known.agreedPeer, broughtData: hasData)
        return lookAround(after: cause)
    }

    private mutating func passOver(_ name: String, _ cause: any Error) -> Decision {
        let isLast = known.picked.left == 1
        if isLast, known.picked.received == 0 { return end(.refused(cause)) }
        let told = [Happening.receiving(.leftOut(name: name, cause))]
        guard isLast else { return Decision(told: told, action: .attempt(at: location, passingOver: true)) }
        // The reason may pass, so the visit counts as one that failed.
        return end(limits.isVisitedAgain ? .refused(cause) : .received, telling: told)
    }

    /// Looks for the sender, or another one, if that is better than to try again.
    private mutating func lookAround(after cause: any Error) -> Decision {
        func look(_ substitutes: SenderTracker.Substitutes?, for wanted: RenewedSearch.Wanted?) -> Decision {
            let told = wanted.map { Happening.receiving(.looking(RenewedSearch(error: error, wanted: $0))) }
            return Decision(
                told: told.map { [$0] } ?? [],
                action: .look(after: location, within: limits.lookingTime, or: substitutes, isSearch: true)
            )
        }
        if !known.hasAgreed, !known.isStopped, location.mayHaveMoved(after: error) {
            state = .lookingForSender
            return look(nil, for: .sender)
        }
        if known.hasAgreed, !known.isStopped, Self.code(error) == .peerCancelled, var substitutes {
            // What a laptop announces outlives its program for a moment.
            substitutes.isPreferred = true
            state = .lookingForOther
            // Not again when another sender, tried meanwhile, was of no use.
            return look(substitutes, for: Self.code(cause) == .peerCancelled ? .otherSender : nil)
        }
        return examine()
    }

    /// A sender was found, or none.
    package mutating func found(_ next: SenderLocation?, isStopped: Bool) -> Decision {
        let isOther = next.map { OtherSenders.isOther($0, agreed: known.agreedPeer) } ?? false
        switch (state, isStopped ? nil : next) {
        case (.lookingForSender, let next?) where next.isDiscovered: return attempt(at: next)
        case (.lookingForOther, let next?) where isOther: return attempt(at: next, isOther: true)
        case (.lookingForSender, _), (.lookingForOther, _): return examine()
        case (.waiting, let next?), (.searching, let next?): return attempt(at: next, isOther: isOther)
        case (.waiting, nil), (.searching, nil): return end(.incomplete(error, isStopped: isStopped))
        case (.attempting, _), (.examining, _), (.ended, _): return misfit()
        }
    }

    /// The cause why the machines do not meet is known; nil for no cause.
    package mutating func examined(_ cause: NetworkCause?, isStopped: Bool, at now: ContinuousClock.Instant) -> Decision
    {
        guard state == .examining else { return misfit() }
        let limit = RetryPolicy.maximumAttempts(
            after: error,
            wasDiscovered: location.isDiscovered,
            hasAgreed: known.hasAgreed,
            limits.retries
        )
        // A sender that accepts connections need not be found again in time.
        let patience = RetryPolicy.patience(
            hasAgreed: known.hasAgreed || RetryPolicy.isLostOnTheWay(error),
            until: limits.deadline,
            at: now,
            atMost: limits.delay
        )
        // The whole look is taken only once the usual reasons have had their time; what it finds then does not pass by itself.
        let isFinal = look == .everything && cause?.needsPerson == true
        guard !isStopped, !isFinal, let patience,
            policy.triesAgain(
                atMost: limit,
                storedBefore: known.stored.before,
                storedNow: known.stored.now,
                isOffline: cause?.isAbsence == true
            )
        else {
            return end(.incomplete(RetryPolicy.conclusion(error, hasAgreed: known.hasAgreed), isStopped: isStopped))
        }
        var next = Reconnection(
            attempt: policy.attempts,
            maximumAttempts: limit,
            delay: patience,
            error: error,
            cause: cause
        )
        next.isRepeated = next.saysTheSame(as: told)
        told = next
        // What is announced may have ended, and what is meant may be found now.
        if limits.canSearch, !known.hasAgreed, Self.code(error) == .cannotConnect, case .peer(let peer) = location {
            state = .searching
            return Decision(told: [.receiving(.reconnecting(next))], action: .search(refusing: peer))
        }
        state = .waiting
        return Decision(
            told: [.receiving(.reconnecting(next))],
            action: .look(after: location, within: patience, or: substitutes, isSearch: false)
        )
    }

    /// Which other senders may take the place of the one whose offer was accepted; nil for none.
    private var substitutes: SenderTracker.Substitutes? {
        known.map.map { others.substitutes(of: $0, trusted: Set(known.trusted.map(\.id)), takesAny: limits.takesAny) }
    }

    private mutating func attempt(at next: SenderLocation, isOther: Bool = false) -> Decision {
        (state, location) = (.attempting, next)
        guard isOther, case .peer(let other) = next else { return Decision(action: .attempt(at: next)) }
        return Decision(told: [.receiving(.substitute(other, among: known.trusted))], action: .attempt(at: next))
    }

    /// Looks further the more attempts in a row have brought nothing, and each time only once.
    private mutating func examine() -> Decision {
        state = .examining
        let fruitless = known.stored.now > known.stored.before ? 0 : policy.attempts
        look = fruitless == lastLook ? .network : Self.looks[fruitless] ?? .network
        lastLook = fruitless
        return Decision(action: .examine(after: error, look, at: location))
    }

    /// How far to look for the cause, by the number of attempts in a row that have brought nothing before the one that has just failed.
    private static let looks: [Int: NetworkCause.Look] = [1: .machine, 3: .everything]

    private mutating func end(_ ending: Ending, telling told: [Happening] = []) -> Decision {
        state = .ended
        return Decision(told: told, action: .end(ending))
    }

    private mutating func misfit() -> Decision {
        end(.incomplete(CancellationError(), isStopped: known.isStopped))
    }

    private static func code(_ error: any Error) -> PeerError.Code? { (error as? PeerError)?.code }
}
