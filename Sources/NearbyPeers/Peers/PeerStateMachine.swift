import FoundationEssentials
import PeerCore
import PeerProtocol

/// Decides about one peer of a session: who wants a link with it, which attempts are made, and what the application is shown.
///
/// A pure value; the time is passed in. It contains the machine that decides which connection carries the link. The hub
/// performs its actions.
struct PeerStateMachine: Sendable {
    /// What an invitation says, and whose it is.
    struct Request: Sendable {
        var context: Data?
        var token: ShareToken?
        var timeout: Duration = .seconds(30)
        /// Whether discovery found the peer, and the application did not ask to invite it.
        var isAutomatic = false

        /// Checks what the application asks for.
        func check(_ limits: ProtocolLimits) throws(PeerError) {
            guard (context?.count ?? 0) <= limits.maximumContextLength else {
                throw PeerError(.invalidArgument, "The context of an invitation is too long.")
            }
            guard timeout >= .seconds(1), timeout <= .seconds(3600) else {
                throw PeerError(.invalidArgument, "The time-out of an invitation must be from 1 second to 1 hour.")
            }
        }
    }

    /// The attempts since the last success.
    struct Attempts: Equatable, Sendable {
        var count = 0
        /// Why the last one failed.
        var error: PeerError?
        /// How often a comparison of digits was broken off since the last call of the application.
        var brokenComparisonCount = 0
    }

    /// After so many attempts or broken comparisons, a call has failed.
    static let maximumAttemptCount = 3

    let id: PeerID
    private(set) var meeting: MeetingStateMachine
    /// What the application is shown.
    var state: PeerState = .disconnected(.lost)
    var attempts = Attempts()
    /// The attempt whose connection is open.
    var openDial: MeetingConnection?
    /// The latest invitation of this side.
    var request = Request()
    /// The calls that wait for a link.
    var calls: Set<Int> = []
    /// Whether the session itself wants the link, so that the wish stays when no call waits.
    var isOwnWish = false
    /// Whether the peer is known only from an introduction, and the application has not invited it.
    var wasIntroduced = false
    /// Whether a person at this side has said no to the peer, which is no reason to link with it as a member.
    var wasRefused = false
    /// The number of the call with which the application disconnected the peer; nil if it did not.
    var blockNumber: Int?
    /// Whether there is a link, whether or not a connection carries it.
    var hasLink = false
    /// Whether there was ever a link.
    var wasLinked = false
    /// When the last link ended; nil if there was none, or it has not ended.
    var lostSince: ContinuousClock.Instant?

    init(id: PeerID, decides: Bool) {
        self.id = id
        self.meeting = MeetingStateMachine(decides: decides)
    }
}

// MARK: What is known

extension PeerStateMachine {
    /// Whether the application has disconnected the peer.
    var isBlocked: Bool { blockNumber != nil }

    /// Whether the application has disconnected the peer, and no call that has dialed its address began after that.
    func isBlocked(since beginning: Int?) -> Bool { blockNumber.map { (beginning ?? 0) < $0 } ?? false }

    /// Whether a call of the application waits for the peer.
    var isAwaited: Bool { !calls.isEmpty && !request.isAutomatic }

    /// Whether there is no link, and no attempt to make one.
    var isIdle: Bool {
        !hasLink && meeting.link == nil && meeting.wish == nil && meeting.incoming == nil && meeting.newcomer == nil
            && meeting.outgoing == nil && calls.isEmpty
    }

    /// Whether an idle peer is remembered: it was linked, or an attempt to link with it has failed.
    ///
    /// A peer that the application has disconnected is kept, so that it stays refused.
    var isRemembered: Bool { isBlocked || wasLinked || attempts.count != 0 && !wasIntroduced }

    /// Whether an attempt has no connection yet.
    func isPending(_ name: MeetingConnection) -> Bool {
        meeting.outgoing?.connection == name && openDial != name
    }

    /// Whether the peer's invitation on a connection was accepted, because this side wants the link too or has said yes before.
    func hasAccepted(on name: MeetingConnection?) -> Bool {
        meeting.incoming.map { $0.connection == name && $0.stage == .accepted } ?? false
    }

    /// Whether the peer is accepted without a question: it is in the roster, or was linked at most `memory` ago.
    func isMember(isInRoster: Bool, memory: Duration, at now: ContinuousClock.Instant) -> Bool {
        if isBlocked || wasRefused { return false }
        if isInRoster { return true }
        return wasLinked && (lostSince.map { now - $0 <= memory } ?? true)
    }

    /// The relation to the peer, whose connection has just been opened.
    func relation(isOutgoing: Bool, introducer: PeerID?) -> PeerRelation {
        if wasLinked { return .returns }
        if isOutgoing, meeting.wish?.isIntroduced != true { return .invitedByUs }
        return introducer.map { .introduced(by: $0) } ?? (isOutgoing ? .invitedByUs : .invitesUs)
    }

    /// Whether the peer, which discovery sees, may be invited automatically.
    func mayBeInvited(isNew: Bool) -> Bool {
        guard !isBlocked, meeting.wish == nil, meeting.incoming == nil, !hasLink else { return false }
        return switch state {
        // A person has refused or has not answered. Asking again and again would not change that.
        case .disconnected(.failed(let error)) where error.code == .notTrusted || error.code == .timedOut: isNew
        case .disconnected(.lost), .disconnected(.failed): true
        // Nobody was asked, or the peer had no room.
        case .disconnected(.declined(let refusal)) where [.busy, .locked].contains(refusal.code): true
        // A peer that has left or declined is invited again when discovery finds it again.
        case .disconnected(.left), .disconnected(.disconnected), .disconnected(.declined), .disconnected(.endedByUs):
            isNew
        case .connecting, .connected, .reconnecting, .unreachable, .disconnected(.replaced): false
        }
    }

    /// What stands in the way of a link with the peer, if it is a member that is not connected.
    var obstacle: RosterStateMachine.Obstacle {
        guard isIdle, !isBlocked else { return .isBusy }
        if wasRefused { return .isFinal }
        return switch state {
        case .disconnected(.left), .disconnected(.disconnected), .disconnected(.endedByUs), .disconnected(.replaced):
            .isFinal
        case .disconnected(.declined): .hasDeclined
        case .disconnected(.failed(let error)) where [.declined, .notTrusted, .busy].contains(error.code): .hasDeclined
        default: .none
        }
    }

    private var isComparing: Bool { if case .connecting(.comparing) = state { true } else { false } }

    var isConnecting: Bool { if case .connecting = state { true } else { false } }

    var isUnreachable: Bool { if case .unreachable = state { true } else { false } }
}

// MARK: What is shown

extension PeerStateMachine {
    mutating func show(_ state: PeerState) -> [PeerAction] {
        self.state = state
        return [.show(state)]
    }

    /// Shows the progress of a first link; a link that is being resumed or made again has a state of its own.
    mutating func progressed(_ stage: PeerState.Stage) -> [PeerAction] {
        switch state {
        case .connecting, .disconnected: show(.connecting(stage))
        case .connected, .reconnecting, .unreachable: []
        }
    }

    /// Shows the state after a connection or an attempt has ended.
    mutating func showEnd(at now: ContinuousClock.Instant) -> [PeerAction] {
        let isMeeting = meeting.wish != nil || meeting.incoming != nil || meeting.outgoing != nil
        switch state {
        case .connected where !meeting.isLinked && hasLink: return show(.reconnecting(since: now))
        case .connecting where !hasLink && !isMeeting:
            return show(.disconnected(attempts.error.map { .failed($0) } ?? .lost))
        default: return []
        }
    }
}

// MARK: The meeting

extension PeerStateMachine {
    /// Passes an event to the meeting machine.
    mutating func meet(
        at now: ContinuousClock.Instant,
        _ event: (inout MeetingStateMachine) -> MeetingStep
    ) -> [PeerAction] {
        let step = event(&meeting)
        return follow(step, at: now)
    }

    /// Passes on what the meeting machine wants.
    private mutating func follow(_ step: MeetingStep, at now: ContinuousClock.Instant) -> [PeerAction] {
        var actions = step.closings.map { PeerAction.close($0) }
        let isBroken = step.endsLink && hasLink
        if isBroken {
            actions += endLink(.linkLost, at: now)
            actions += show(.disconnected(.lost))
        }
        switch step.action {
        case .dial(let name, let yields): actions += dial(name, yields: yields)
        case .sendPing(let name): actions.append(.ping(name))
        case .sendInvite(let invite, let name): actions.append(.invite(invite, name))
        case .sendLink(let request, let name): actions.append(.request(request, name))
        case .ask(let name): actions.append(.ask(name))
        case .sendAccept(let name): actions.append(.accept(name))
        case .establish(let name, let answer): actions.append(.establish(name, answer: answer))
        case .fail(let decline): actions += wishFailed(decline)
        case .reportLinked: actions += finishCalls(nil)
        case .none: break
        }
        // The peer has restarted or given the link up, but this side still wants it. If the peer invites, its invitation decides.
        guard isBroken, !meeting.isLinked, meeting.incoming == nil else { return actions }
        isOwnWish = true
        return actions + meet(at: now) { $0.wished() }
    }

    private mutating func dial(_ name: MeetingConnection, yields: Bool) -> [PeerAction] {
        // If a call of the application waits, the pauses are short.
        let isLate = isUnreachable && calls.isEmpty
        let dial = PeerAction.Dial(count: attempts.count, isLate: isLate, yields: yields)
        attempts.count += 1
        openDial = nil
        return [.dial(name, dial)] + progressed(.dialing)
    }

    /// The peer has refused the wish.
    private mutating func wishFailed(_ decline: Decline) -> [PeerAction] {
        guard decline != .replaced else {
            let error = PeerError(.replaced, "Another program with this machine's key is running.")
            return finishCalls(error) + show(.disconnected(.replaced))
        }
        return finishCalls(attempts.error ?? PeerError(.declined, "The other side refused the connection."))
    }

    /// Ends the link; the meeting machine knows, or is told.
    mutating func endLink(_ error: PeerError, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard hasLink else { return [] }
        hasLink = false
        lostSince = now
        return [.endLink(error)]
    }

    /// Completes the calls that wait for a link, and forgets the wishes.
    mutating func finishCalls(_ error: PeerError?) -> [PeerAction] {
        let waiting = calls.sorted()
        (calls, request, isOwnWish) = ([], Request(), false)
        return waiting.isEmpty ? [] : [.finish(waiting, error)]
    }

    /// Ends the link and all attempts to restore it.
    mutating func giveUp(
        _ error: PeerError,
        _ reason: DisconnectReason,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        var actions = endLink(error, at: now)
        actions += meet(at: now) { $0.wishExpired() }
        actions += meet(at: now) { $0.linkGivenUp() }
        actions += finishCalls(error)
        return actions + show(.disconnected(reason))
    }

    /// Ends a wish that another attempt cannot fulfil.
    mutating func giveUpIfHopeless(
        _ error: PeerError,
        isInRoster: Bool,
        at now: ContinuousClock.Instant
    ) -> [PeerAction] {
        guard !wasLinked, meeting.wish != nil else { return [] }
        switch error.code {
        case .cannotConnect, .connectionLost, .timedOut, .cancelled:
            guard attempts.count >= Self.maximumAttemptCount else { return [] }
            // A peer that was introduced is tried as long as it is a member.
            if isInRoster { return isConnecting ? show(.unreachable(since: now)) : [] }
        default: break
        }
        let actions = finishCalls(error)
        return actions + meet(at: now) { $0.wishExpired() }
    }

    /// The time of a call is over, or its task was cancelled.
    mutating func callEnded(_ call: Int, _ error: PeerError, at now: ContinuousClock.Instant) -> [PeerAction] {
        guard calls.remove(call) != nil else { return [] }
        let cause = error.code == .timedOut ? attempts.error : nil
        var actions: [PeerAction] = []
        if calls.isEmpty, !wasLinked || !isOwnWish {
            // A peer that was not asked has not refused, so a peer nearby is invited again.
            let wasAsked = state == .connecting(.asking) || isComparing
            attempts.error = request.isAutomatic && !wasAsked ? .tooSlow : error
            actions += meet(at: now) { $0.wishExpired() }
            actions += showEnd(at: now)
        }
        // If no address answers, this says more than that the time is over.
        return actions + [.finish([call], cause?.code == .cannotConnect ? cause ?? error : error)]
    }
}
