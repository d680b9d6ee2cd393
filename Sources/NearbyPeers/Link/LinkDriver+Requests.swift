import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// Requests of this side, and answers to requests of the other side.
extension LinkDriver {
    /// Sends a request, and waits for the answer.
    ///
    /// - Returns: The payload of the answer.
    func ask(
        _ name: LinkName,
        version: UInt16,
        _ payload: Data,
        until deadline: ContinuousClock.Instant
    ) async throws(PeerError) -> Data {
        let call = makeCall()
        while true {
            // The request is sent and the task waits in one step.
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: AskerTable.Continuation) in
                    let outcome = begin(until: deadline) { state in
                        ask(name, version: version, payload, &state) { request, state in
                            state.askers.add(continuation, of: call, for: request, until: deadline)
                        }
                    }
                    if let outcome { continuation.resume(returning: outcome) }
                }
            } onCancel: {
                giveUp(call)
            }
            switch outcome {
            case .answered(let answer): return answer
            case .failed(let error): throw error
            case .full:
                guard clock.now < deadline else { throw .requestTimedOut }
                try await wait(for: .room, until: deadline) { state throws(PeerError) in
                    try self.check(state)
                    return state.streams.hasRoomToAsk(name, payload.count) ? () : nil
                }
            }
        }
    }

    /// Begins to ask; quietly if the request only has to wait because the last burst is still being written.
    private func begin(
        until deadline: ContinuousClock.Instant,
        _ body: (inout LinkState) -> AskerTable.Outcome?
    ) -> AskerTable.Outcome? {
        var outcome: AskerTable.Outcome?
        let isDone = changeQuietly { state in
            guard state.carrier?.isWriting == true, let timer = state.timer, timer.time <= deadline else {
                return false
            }
            outcome = body(&state)
            return true
        }
        return isDone ? outcome : update(body)
    }

    private func ask(
        _ name: LinkName,
        version: UInt16,
        _ payload: Data,
        _ state: inout LinkState,
        _ wait: (UInt64, inout LinkState) -> Void
    ) -> AskerTable.Outcome? {
        if let failure = state.failure { return .failed(failure) }
        // Read with the lock held: a task that is cancelled later finds its request in the table.
        if Task.isCancelled { return .failed(.taskCancelled) }
        switch payload.withUnsafeBytes({ state.streams.ask(name, version: version, $0) }) {
        case .asked(let request):
            wait(request, &state)
            return nil
        case .full: return .full
        case .tooLong: return .failed(.messageTooLong(payload.count, state.streams.peer.maximumMessageLength))
        case .refuse: return .failed(.notConnected)
        }
    }

    /// The task of a call is cancelled: the other side need not work on an answer that is no longer awaited.
    private func giveUp(_ call: Int) {
        update { state in
            guard let request = state.askers.request(of: call) else { return }
            finish(request, .failed(.taskCancelled), &state)
            state.streams.withdraw(request)
        }
    }

    /// Withdraws the requests whose answers are late.
    func giveUpLate(_ state: inout LinkState, at now: ContinuousClock.Instant) {
        for (request, continuation) in state.askers.takeDue(at: now) {
            state.streams.withdraw(request)
            state.effects.outcomes.append((continuation, .failed(.requestTimedOut)))
        }
    }

    /// A request of this side ends.
    private func finish(_ request: UInt64, _ outcome: AskerTable.Outcome, _ state: inout LinkState) {
        guard let continuation = state.askers.remove(request) else { return }
        state.effects.outcomes.append((continuation, outcome))
    }

    /// The link ends, and with it all requests of both sides.
    func endRequests(_ state: inout LinkState, because error: PeerError) {
        for continuation in state.askers.takeAll() {
            state.effects.outcomes.append((continuation, .failed(.unanswered(error))))
        }
        state.effects.writes += state.handlers.values
        state.handlers = [:]
    }

    /// Processes what has happened to requests.
    func received(_ events: [MuxStateMachine.RequestEvent], _ state: inout LinkState) {
        for event in events {
            switch event {
            case .answered(let number, let payload): finish(number, .answered(payload.data), &state)
            case .refused(let number, let refusal): finish(number, .failed(.refused(refusal)), &state)
            case .withdrawn(let number):
                state.handlers.removeValue(forKey: number).map { state.effects.writes.append($0) }
                state.effects.notices.append(.requestWithdrawn(number))
            case .asked(let number, let name, let version, let payload):
                let known = inboxes.requestVersion(of: name.text)
                guard let known, version <= known else {
                    state.streams.refuse(number, known == nil ? RequestEnd(.notTaken) : .notUnderstood)
                    report(.notUnderstood(name.text, Int(version)), name.text, &state)
                    continue
                }
                let request = LinkState.Request(number: number, name: name, version: version, payload: payload.data)
                state.effects.notices.append(.request(request))
            }
        }
        // What ends makes room for requests that wait.
        state.waits.wake(.room)
    }

    // MARK: Answers

    /// The application has a request of the other side, so another long one may follow.
    func took(_ request: UInt64) { update { $0.streams.took(request) } }

    /// Answers a request of the other side.
    func answer(_ request: UInt64, _ payload: Data) throws(PeerError) {
        let outcome = settle(request) { state in payload.withUnsafeBytes { state.streams.answer(request, $0) } }
        switch outcome {
        case .success(.queued): return
        case .success(.tooLong): throw .messageTooLong(payload.count, inspect { $0.streams.peer.maximumMessageLength })
        case .success(.withdrawn): throw .requestWithdrawn
        case .failure(let error): throw error
        }
    }

    /// Refuses a request of the other side.
    func refuse(_ request: UInt64, _ end: RequestEnd) {
        _ = settle(request) { state in
            state.streams.refuse(request, end)
            return .queued
        }
    }

    private func settle(
        _ request: UInt64,
        _ body: (inout LinkState) -> MuxStateMachine.OnAnswer
    ) -> Result<MuxStateMachine.OnAnswer, PeerError> {
        var outcome = Result<MuxStateMachine.OnAnswer, PeerError>.success(.withdrawn)
        func change(_ state: inout LinkState) {
            if !state.handlers.isEmpty { state.handlers[request] = nil }
            outcome = state.failure.map { .failure($0) } ?? .success(body(&state))
        }
        let isDone = changeQuietly { state in
            guard state.carrier?.isWriting == true else { return false }
            change(&state)
            return true
        }
        if !isDone { update { change(&$0) } }
        return outcome
    }

    /// Calls `cancel` when the other side withdraws a request or the link ends; at once if the request is over.
    func whenWithdrawn(_ request: UInt64, _ cancel: @escaping @Sendable () -> Void) {
        let isOpen = changeQuietly { state in
            guard state.failure == nil, state.streams.isUnanswered(request) else { return false }
            state.handlers[request] = cancel
            return true
        }
        if !isOpen { cancel() }
    }
}

extension RequestEnd {
    /// The request is not what its name says, or newer than what this side knows.
    static let notUnderstood = RequestEnd(.refused, reason: "The other side does not understand this request.")
}
