extension MuxStateMachine {
    func isOwn(_ stream: UInt32) -> Bool { stream.isMultiple(of: 2) == hasEvenNumbers }

    /// Whether a window fits beside the others, and beside what is reserved for long messages.
    func hasRoom(for window: Int) -> Bool {
        window <= limits.windowBudget - limits.reserveForLongMessages - (windowTotal - longTotal)
            && window <= limits.windowBudget - windowTotal
    }

    /// Puts a stream that can send into the order of turns.
    mutating func schedule(_ stream: UInt32) {
        guard let state = streams[stream], state.canSend, !state.isInTurn else { return }
        streams[stream]?.isInTurn = true
        turns.append(stream)
    }

    /// Remembers that a stream was given up here, and says so to the other side.
    ///
    /// An opening that was not sent yet is not sent at all.
    mutating func endHere(_ stream: UInt32, _ code: StreamEnd.Code, _ reason: String = "") {
        if let index = control.firstIndex(where: { $0.stream == stream && $0.record.kind == .open }) {
            control.remove(at: index)
            return
        }
        if endedHere.count >= limits.maximumEndedCount { _ = endedHere.popFirst() }
        endedHere.append(stream)
        let end = StreamEnd(stream: stream, code: code, reason: reason)
        control.append(Control(record: Record(.end, payload: end.encoded()), stream: stream))
    }

    /// Forgets a stream and gives its window back.
    mutating func remove(_ stream: UInt32) {
        guard let state = streams.removeValue(forKey: stream) else { return }
        waitingForWindow.removeAll { $0 == stream }
        // A peer that opens and cancels streams without end must not leave their numbers here.
        if state.isInTurn { turns.removeAll { $0 == stream } }
        if state.awaitsCredit { credits.removeAll { $0 == stream } }
        if state.kind != .messages {
            windowTotal -= state.window
            longTotal -= state.longWindow
            growWaiting()
        }
    }

    /// Gives the window of a stream back if nothing more comes, and forgets the stream if nothing is left to do.
    mutating func settle(_ stream: UInt32) {
        guard streams[stream]?.hasReceivedAll == true else { return }
        if streams[stream]?.isDone == true { return remove(stream) }
        guard let (window, longWindow) = streams[stream]?.close() else { return }
        windowTotal -= window
        longTotal -= longWindow
        growWaiting()
    }

    /// Gives requests and answers that wait for it the window for their whole message, in order.
    mutating func growWaiting() {
        while let stream = waitingForWindow.first {
            let missing = streams[stream]?.missingWindow ?? 0
            guard missing <= limits.windowBudget - windowTotal else { return }
            waitingForWindow.removeFirst()
            windowTotal += missing
            longTotal += missing
            streams[stream]?.grow(by: missing)
            noteCredit(stream)
        }
    }

    /// How many bytes of a stream have been sent; 0 if it is not open.
    package func sentLength(of stream: UInt32) -> UInt64 { streams[stream]?.sent ?? 0 }

    /// Notes that the other side has to hear of a stream's limit.
    mutating func noteCredit(_ stream: UInt32) {
        guard let state = streams[stream], state.hasNews, !state.awaitsCredit else { return }
        streams[stream]?.awaitsCredit = true
        credits.append(stream)
    }

    /// The other side broke the protocol: nothing more comes or goes.
    ///
    /// What has come can be read until ``end()``.
    mutating func violate(_ error: ProtocolError) -> ProtocolError {
        hasEnded = true
        isAttached = false
        return error
    }
}
