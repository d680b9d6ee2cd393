import NIOCore
import PeerCore
import PeerProtocol
import Synchronization

/// Performs the actions of the machines of one link.
///
/// A lock protects the machines, so a task that sends or takes a message never waits for another task. The effects of a change
/// (writes, notices, tasks that continue) are performed after the lock is released.
final class LinkDriver: Sendable {
    let peer: PeerID
    let inboxes: Inboxes
    /// Whether messages of this side were lost.
    let loss: MessageLoss
    let clock: any PeerClock
    let limits: LinkLimits
    /// The messages and requests that the other side can read.
    let peerTypes: [String: UInt16]
    /// Member records from the peer that the hub has not processed yet.
    let members = MemberInbox()
    private let notify: @Sendable (LinkDriver, LinkState.Notice) -> Void
    private let box: AdaptiveLockedValue<LinkState>
    /// The memory that the inboxes have reserved for unread data of the link after its end.
    private let leftoverLength = Atomic(0)
    /// The memory of messages that readers have taken and the application has not received yet.
    private let aheadLength = Atomic(0)
    /// The number of requests that tasks of this side have begun.
    private let callCount = Atomic(0)

    init(
        with peer: PeerID,
        local: PeerID,
        limits: LinkLimits,
        terms: LinkTerms,
        inboxes: Inboxes,
        loss: MessageLoss = MessageLoss(),
        clock: any PeerClock,
        notify: @escaping @Sendable (LinkDriver, LinkState.Notice) -> Void
    ) {
        self.peer = peer
        self.inboxes = inboxes
        self.loss = loss
        self.clock = clock
        self.limits = limits
        self.notify = notify
        self.peerTypes = Dictionary(terms.messageTypes.map { ($0.name, $0.version) }) { max($0, $1) }
        self.box = AdaptiveLockedValue(
            LinkState(
                records: LinkStateMachine(limits: limits, start: clock.now),
                streams: MuxStateMachine(
                    hasEvenNumbers: local.hex < peer.hex,
                    limits: limits,
                    peer: .init(window: terms.window, maximumMessageLength: terms.maximumMessageLength)
                )
            )
        )
    }

    deinit { inboxes.release(leftoverLength.load(ordering: .relaxed)) }

    /// How much more memory readers may take for messages that the application does not have yet.
    var roomAhead: Int { LinkLimits.maximumAheadLength - aheadLength.load(ordering: .relaxed) }

    /// Counts the memory of messages that a reader has taken; called with the lock, so that all readers together stay within
    /// the bound.
    func holdAhead(_ length: Int) { aheadLength.add(length, ordering: .relaxed) }

    /// Stops counting messages that the application has received, or that are gone.
    func giveBack(_ length: Int) { aheadLength.subtract(length, ordering: .relaxed) }

    /// Returns a number for a call that is about to ask.
    func makeCall() -> Int { callCount.add(1, ordering: .relaxed).newValue }

    /// Reads the state.
    func inspect<Result>(_ body: (LinkState) -> Result) -> Result { box.withLock { body($0) } }

    /// Changes the state if that has no effects and nothing is to be decided after it; the change says whether it was made.
    func changeQuietly(_ body: (inout LinkState) -> Bool) -> Bool { box.withLock { body(&$0) } }

    /// Changes the state, then performs the effects.
    func update<Result>(_ body: (inout LinkState) -> Result) -> Result {
        let now = clock.now
        let (result, effects, delivers, woken, readLength) = box.withLock { state in
            let occupied = state.streams.occupied
            let result = body(&state)
            // Reading frees room too. If nothing is left to send, no burst follows that would wake the tasks that wait for room.
            if state.streams.occupied.isLess(than: occupied) { state.waits.wake(.room) }
            pump(&state, at: now)
            defer { (state.effects, state.leftovers.readLength) = (LinkState.Effects(), 0) }
            let delivers = state.notices.begin(adding: state.effects.notices)
            return (result, state.effects, delivers, state.waits.takeWoken(), state.leftovers.readLength)
        }
        if readLength > 0 {
            // Other links that end may need the room, however long this one is kept.
            leftoverLength.subtract(readLength, ordering: .relaxed)
            inboxes.release(readLength)
        }
        // These calls come after the lock is released, because they enter other locks and may call this link again.
        for write in effects.writes { write() }
        for reader in effects.ready { inboxes.notify(reader, on: self) }
        if delivers { deliverNotices() }
        for continuation in woken { continuation.resume(returning: .changed) }
        for (task, outcome) in effects.outcomes { task.resume(returning: outcome) }
        return result
    }

    /// Passes the notices to the session in their order, whichever threads they come from.
    private func deliverNotices() {
        while let notices = box.withLock({ $0.notices.takeAll() }) {
            for notice in notices { notify(self, notice) }
        }
    }

    /// Writes what can be written, and sets the timer.
    private func pump(_ state: inout LinkState, at now: ContinuousClock.Instant) {
        guard state.failure == nil else { return }
        state.waits.wakeDue(at: now)
        giveUpLate(&state, at: now)
        if state.streams.hasCredits {
            state.records.creditRaised(isUrgent: state.streams.hasUrgentCredits, at: now)
        }
        // A credit repeats all that earlier ones said, so at most one waits for a peer that does not read.
        if state.carrier?.isCrediting != true {
            switch state.records.tick(at: now) {
            case .acknowledge(let count): sendCredit(count, &state)
            case .lost(let records):
                end(&state, because: .linkLost, losing: records)
                state.effects.notices.append(.lost)
                return
            case .none: break
            }
        }
        takeBurst(&state, at: now)
        setTimer(&state, at: now)
    }

    private func sendCredit(_ count: UInt64, _ state: inout LinkState) {
        let credit = Frame.credit(Credit(received: count, limits: state.streams.takeCredits()))
        guard let carrier = state.carrier else { return }
        state.carrier?.isCrediting = true
        state.effects.writes.append {
            carrier.connection.send([credit]) {
                // By now, a newer connection may carry the link.
                self.update { if $0.carrier?.number == carrier.number { $0.carrier?.isCrediting = false } }
            }
        }
    }

    private func takeBurst(_ state: inout LinkState, at now: ContinuousClock.Instant) {
        // One burst at a time: a peer that does not read fills no memory, and a new message waits for at most one burst.
        guard let carrier = state.carrier, !carrier.isWriting, state.records.isAttached else { return }
        let outputs = state.streams.takeBurst(atMost: carrier.burstLength.next, recordRoom: state.records.room, at: now)
        guard !outputs.isEmpty else { return }
        var frames: [Frame] = []
        frames.reserveCapacity(outputs.count)
        for output in outputs {
            switch output {
            case .droppable(let message):
                state.traffic.sent &+= UInt64(message.length)
                frames.append(.droppable(message))
            case .record(let record):
                state.traffic.sent &+= UInt64(record.length)
                if case .write = state.records.send(record) { frames.append(.record(record)) }
            }
        }
        state.waits.wake(.room)
        write(frames, &state)
    }

    /// Writes the frames of a burst; the next burst follows when the system has taken them.
    func write(_ frames: [Frame], _ state: inout LinkState) {
        guard let carrier = state.carrier, !frames.isEmpty else { return }
        state.carrier?.isWriting = true
        let number = carrier.number
        let (length, start) = (frames.reduce(0) { $0 + $1.burstLength }, clock.now)
        state.effects.writes.append {
            carrier.connection.send(frames) {
                self.update { state in
                    guard state.carrier?.number == number else { return }
                    state.carrier?.isWriting = false
                    state.carrier?.burstLength.accepted(length, from: start, to: self.clock.now)
                    state.waits.wake(.room)
                }
            }
        }
    }

    private func setTimer(_ state: inout LinkState, at now: ContinuousClock.Instant) {
        // No credit is sent while one is being written. When it is written, `update` sets the timer again.
        var next = state.carrier?.isCrediting == true ? nil : state.records.nextTick
        if let deadline = state.waits.nextDeadline { next = min(next ?? deadline, deadline) }
        if let deadline = state.askers.nextDeadline { next = min(next ?? deadline, deadline) }
        if let timer = state.timer {
            // A timer that fires early does no harm: it sets the next one.
            if let next, timer.time <= next { return }
            timer.cancel()
            state.timer = nil
        }
        guard let next else { return }
        let cancel = clock.schedule(at: max(next, now)) {
            self.update { $0.timer = nil }
        }
        state.timer = (next, cancel)
    }
}

extension LinkDriver {
    /// Ends the link; all waiting calls fail with the error.
    func end(_ error: PeerError) { update { end(&$0, because: error) } }

    /// Notes how long a ping and its pong took.
    func note(roundTrip: Duration) {
        // Windows grow by what is read within a round trip. Within less time, too little is read for any window to grow.
        update { ($0.roundTrip, $0.isRoundTripKnown) = (max(.microseconds(100), roundTrip), true) }
    }

    /// Ends the link; `records` are those that were not acknowledged, if the machine of the records has given them up already.
    func end(_ state: inout LinkState, because error: PeerError, losing records: [Record]? = nil) {
        guard state.failure == nil else { return }
        // What has arrived can still be read after the end, so it is kept before the streams end.
        state.keepLeftovers()
        // All ended links share one bound. What exceeds it is dropped.
        if !inboxes.reserve(state.leftovers.length) { dropLeftovers(&state) }
        leftoverLength.store(state.leftovers.length, ordering: .relaxed)
        state.failure = error
        if state.endSending(losing: records) { loss.note() }
        state.carrier = nil
        for channel in state.channels.keys { state.channels[channel]?.linkEnded() }
        state.timer?.cancel()
        state.timer = nil
        state.waits.wakeAll()
        endRequests(&state, because: error)
    }

    private func dropLeftovers(_ state: inout LinkState) {
        for (stream, messages) in state.leftovers.messages where !messages.isEmpty {
            guard let channel = state.inbound[stream] else { continue }
            for name in Set(messages.map { Inboxes.Key(channel: channel, name: $0.form.name).text }).sorted() {
                report(.unread(name), name, &state)
            }
        }
        state.leftovers = LinkState.Leftovers()
    }

    func violate(_ state: inout LinkState, _ error: ProtocolError) {
        guard state.failure == nil else { return }
        end(&state, because: PeerError(.protocolViolation, error.message, cause: error))
        state.effects.notices.append(.violated(error))
    }

    /// Repeats an attempt until it has a result, and waits for changes in between; throws `late` after the deadline.
    ///
    /// `isReady` says that there is usually nothing to wait for.
    func wait<Result: Sendable>(
        for key: WaitList.Key,
        until deadline: ContinuousClock.Instant? = nil,
        orThrow late: PeerError = .requestTimedOut,
        isReady: Bool = true,
        _ attempt: @Sendable (inout LinkState) throws(PeerError) -> Result?
    ) async throws(PeerError) -> Result {
        if isReady, let result = try attemptOnce(attempt) { return result }
        let number = box.withLock { $0.waits.makeNumber() }
        while true {
            var outcome: Swift.Result<Result, PeerError>?
            let wake = await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: WaitList.Continuation) in
                    outcome = update { state in
                        // Read with the lock held: a task that is cancelled later finds its continuation in the list.
                        let isCancelled = Task.isCancelled
                        do throws(PeerError) {
                            if let result = try attempt(&state) { return .success(result) }
                        } catch {
                            return .failure(error)
                        }
                        if isCancelled { return .failure(.taskCancelled) }
                        if let deadline, clock.now >= deadline { return .failure(late) }
                        state.waits.add(continuation, number, for: key, until: deadline)
                        return nil
                    }
                    if outcome != nil { continuation.resume(returning: .changed) }
                }
            } onCancel: {
                box.withLock { $0.waits.remove(number, for: key) }?.resume(returning: .cancelled)
            }
            if let outcome { return try outcome.get() }
            if case .cancelled = wake { throw .taskCancelled }
        }
    }

    private func attemptOnce<Result>(
        _ attempt: (inout LinkState) throws(PeerError) -> Result?
    ) throws(PeerError) -> Result? {
        let outcome: Swift.Result<Result?, PeerError> = update { state in
            do throws(PeerError) {
                return .success(try attempt(&state))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
