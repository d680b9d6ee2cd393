package import Logging
import NIOConcurrencyHelpers
package import PeerProtocol

/// Decides which peers a listener admits, and limits how often they may try.
package final class Admission: Sendable {
    private struct State {
        var slots: AdmissionStateMachine
        var pairing: AddressLockout
        var pace: GuessLimits.RateLimiter
        var tokens: AddressLockout
        /// Ends a connection that is evicted.
        var endings: [Int: @Sendable () -> Void] = [:]
        var lanes = ExpectedLanes()
        /// Receives the lanes of each transfer that expects some.
        var laneTakers: [Int: LaneTaker] = [:]
        var refusals = 0
        var reports = VisitReports()
    }

    /// Hands a lane and its number to its transfer, which closes it if it does not need it; false if the transfer has ended.
    ///
    /// It does not wait for the transfer: see ``TransferDriver``.
    typealias LaneTaker = @Sendable (Int, FrameConnection) -> Bool

    /// The refused connections whose receivers may retry in plain text.
    let retries = PlainTextRetries()
    private let state: NIOLockedValueBox<State>
    private let shareToken: ShareToken?
    private let logger: Logger

    package init(_ configuration: ConnectionConfiguration, shareToken: ShareToken?, logger: Logger) {
        self.state = NIOLockedValueBox(
            State(
                slots: AdmissionStateMachine(configuration),
                pairing: configuration.guesses.makePairingLockout(),
                pace: configuration.guesses.makePairingRateLimiter(),
                tokens: configuration.guesses.makeTokenLockout()
            )
        )
        self.shareToken = shareToken
        self.logger = logger
    }

    /// Admits a connection, whose number is higher than all earlier ones, and evicts another one if necessary; false if there is no
    /// room.
    ///
    /// `end` is called at most once.
    package func connected(_ number: Int, from address: AddressKey, end: @escaping @Sendable () -> Void) -> Bool {
        arrive(number, "connection", end: end) { $0.connected(number, from: address) }
    }

    /// Admits an invitation; false if there is no room.
    package func invited(_ number: Int, isStranger: Bool, end: @escaping @Sendable () -> Void) -> Bool {
        arrive(number, "invitation", end: end) { $0.invited(number, isStranger: isStranger) }
    }

    /// Admits a transfer, and evicts another one if necessary; false if there is no slot.
    ///
    /// `end` is called at most once, and never after ``offerAnswered(_:)``.
    func accepted(_ number: Int, byPerson: Bool, end: @escaping @Sendable () -> Void) -> Bool {
        arrive(number, "transfer", end: end) { $0.accepted(number, byPerson: byPerson) }
    }

    /// The receiver has answered the offer; its transfer keeps its slot from now on.
    func offerAnswered(_ number: Int) {
        state.withLockedValue { state in
            if state.slots.offerAnswered(number) { state.endings[number] = nil }
        }
    }

    /// Allows the peer of a transfer to open more lanes.
    func expectLanes(
        _ count: Int,
        for number: Int,
        secret: ConnectionSecret,
        peer: PeerID?,
        take: @escaping LaneTaker
    ) {
        state.withLockedValue { state in
            let address = state.slots.address(of: number)
            state.lanes.expect(count, for: number, secret: secret, peer: peer, from: address)
            state.laneTakers[number] = take
        }
    }

    /// Admits no more lanes of a transfer.
    func closeLanes(of number: Int) {
        state.withLockedValue { state in
            state.lanes.close(number)
            state.laneTakers[number] = nil
        }
    }

    /// Admits a connection as a lane; nil if it belongs to no transfer.
    func joined(_ connection: Int, secret: ConnectionSecret, peer: PeerID?) -> LaneTaker? {
        state.withLockedValue { state in
            let taker: LaneTaker?
            switch state.lanes.join(secret, by: peer) {
            case .lane(let number): taker = state.laneTakers[number]
            // It was still connecting when the last chunk was assigned. That is not a fault.
            case .late: taker = nil
            case .stranger: return nil
            }
            guard state.slots.joined(connection) else { return nil }
            state.endings[connection] = nil
            return taker ?? { _, _ in false }
        }
    }

    /// Counts a connection that carries a link from now on no longer among those that wait.
    package func linked(_ connection: Int) -> Bool {
        state.withLockedValue { state in
            guard state.slots.linked(connection) else { return false }
            state.endings[connection] = nil
            return true
        }
    }

    /// Removes a connection that has ended; returns whether to report it, which is rate-limited.
    package func ended(_ number: Int, _ visit: VisitReports.Visit, at now: ContinuousClock.Instant) -> Bool {
        let (isReported, isLane) = state.withLockedValue { state -> (Bool, Bool) in
            state.endings[number] = nil
            state.lanes.ended(number, at: now)
            state.laneTakers[number] = nil
            let address = state.slots.address(of: number)
            switch state.slots.ended(number) {
            case .transfer, .link: return (true, false)
            case .lane: return (false, true)
            case .madeRoom where visit == .unasked: return (false, false)
            // A lane that ended before its `join` looks like a visitor, and must not be reported as one.
            case .visitor where visit == .unasked && state.lanes.lost(from: address, at: now): return (false, true)
            case .madeRoom, .visitor: break
            }
            return (state.reports.mayReport(visit, at: now), false)
        }
        if !isReported, !isLane { countRefusal() }
        return isReported
    }

    /// Whether a token is the right one; an address with too many wrong tokens gets false for the right one, too.
    package func admits(_ token: ShareToken, from address: AddressKey, at now: ContinuousClock.Instant) -> Bool {
        state.withLockedValue { state in
            // A locked address gets the same answer for every token. Otherwise it could continue to guess until the answer differs.
            guard state.tokens.timeLocked(address, at: now) == nil else { return false }
            if let shareToken, token == shareToken { return true }
            state.tokens.failed(address, at: now)
            return false
        }
    }

    /// How long an address is locked out after too many failed pairings; nil if it is not.
    package func timeLockedForPairing(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        state.withLockedValue { $0.pairing.timeLocked(address, at: now) }
    }

    /// The time until an address may begin a pairing, because too many have begun; nil if it may begin now.
    package func timeToWaitForPairing(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        state.withLockedValue { $0.pace.timeToWait(address, at: now) }
    }

    /// Begins a pairing; the time until it may begin if it may not begin now.
    package func beginPairing(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        state.withLockedValue { $0.pace.begin(address, at: now) }
    }

    /// Begins the pairing that an invitation needs; returns why it does not begin, or nil.
    func beginPairing(
        _ connection: Int,
        _ address: AddressKey,
        isStranger: Bool,
        at now: ContinuousClock.Instant,
        end: @escaping @Sendable () -> Void
    ) -> Refusal? {
        if let time = timeLockedForPairing(address, at: now) { return .locked("Too many failed pairings.", time) }
        // A peer that cannot pair now must not evict another one.
        let tooMany = "Too many machines are asking to pair."
        if let time = timeToWaitForPairing(address, at: now) { return .locked(tooMany, time) }
        guard invited(connection, isStranger: isStranger, end: end) else { return .isBusy }
        return beginPairing(address, at: now).map { .locked(tooMany, $0) }
    }

    /// Counts a pairing that began and failed.
    package func pairingFailed(_ address: AddressKey, at now: ContinuousClock.Instant) {
        state.withLockedValue { $0.pairing.failed(address, at: now) }
    }

    private func arrive(
        _ number: Int,
        _ what: String,
        end: @escaping @Sendable () -> Void,
        _ arrival: (inout AdmissionStateMachine) -> AdmissionStateMachine.OnArrival
    ) -> Bool {
        let (decision, evict) = state.withLockedValue {
            state -> (AdmissionStateMachine.OnArrival, (@Sendable () -> Void)?) in
            let decision = arrival(&state.slots)
            if decision != .refuse { state.endings[number] = end }
            guard case .admitInsteadOf(let other) = decision else { return (decision, nil) }
            return (decision, state.endings.removeValue(forKey: other))
        }
        // Without the lock: who is evicted may call this object.
        evict?()
        log(decision, what, number)
        return decision != .refuse
    }

    private func log(_ decision: AdmissionStateMachine.OnArrival, _ what: String, _ number: Int) {
        let details: Logger.Metadata = ["connection": "\(number)"]
        switch decision {
        case .admit: logger.debug("\(what) admitted", metadata: details)
        case .admitInsteadOf(let other):
            logger.debug(
                "\(what) admitted, another connection makes room",
                metadata: details.merging(["other": "\(other)"]) { $1 }
            )
        case .refuse:
            logger.debug("\(what) refused: no room", metadata: details)
            countRefusal()
        }
    }

    /// Counts a refused connection; only powers of ten are logged, so that a flood does not fill the log.
    private func countRefusal() {
        let count = state.withLockedValue { state in
            state.refusals += 1
            return state.refusals
        }
        var power = 1
        while power < count { power *= 10 }
        if power == count {
            logger.notice("connections were refused or made room for others", metadata: ["count": "\(count)"])
        }
    }
}

extension Refusal {
    /// The refusal if there is no slot for a peer.
    package static let isBusy = Refusal(.busy, "The other machine is busy with others. Try again in a moment.")

    /// The refusal of an address that may not pair now.
    static func locked(_ why: String, _ time: Duration) -> Refusal {
        Refusal(.locked, "\(why) Try again in \(time.components.seconds + 1) seconds, or use a share link.")
    }
}
