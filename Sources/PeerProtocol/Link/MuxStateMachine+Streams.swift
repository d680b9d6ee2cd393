extension MuxStateMachine {
    func isOwn(_ stream: UInt32) -> Bool { stream.isMultiple(of: 2) == hasEvenNumbers }

    /// Whether a window fits into the budget.
    func hasRoom(for window: Int) -> Bool { window <= limits.windowBudget - windowTotal }

    /// Puts a stream that can send into the rotation.
    mutating func schedule(_ stream: UInt32) {
        if streams[stream]?.joinRotation() == true { rotation.append(stream) }
    }

    /// Remembers that this side has cancelled a stream, and tells the other side.
    ///
    /// If the opening was not sent yet, neither it nor the end is sent.
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

    /// Forgets a stream and releases its window.
    mutating func remove(_ stream: UInt32) {
        guard let state = streams.remove(stream) else { return }
        // A peer that keeps opening and cancelling streams must not leave their numbers in the queues.
        if state.isInRotation { rotation.removeAll { $0 == stream } }
        if state.awaitsCredit { credits.removeAll { $0 == stream } }
        windowTotal -= state.budgetedWindow
    }

    /// Releases the window of a stream if nothing more arrives, and forgets the stream if both directions have ended.
    mutating func settle(_ stream: UInt32) {
        guard streams[stream]?.hasReceivedAll == true else { return }
        if streams[stream]?.isDone == true { return remove(stream) }
        windowTotal -= streams[stream]?.close() ?? 0
    }

    /// How many bytes of a stream have been sent; 0 if it is not open.
    package func sentLength(of stream: UInt32) -> UInt64 { streams[stream]?.sent ?? 0 }

    /// Whether bytes of a stream wait to be sent.
    package func hasOutgoing(_ stream: UInt32) -> Bool { streams[stream]?.outgoing.isEmpty == false }

    /// Notes that the other side has to be told the limit of a stream.
    mutating func noteCredit(_ stream: UInt32) {
        guard streams[stream]?.awaitsCredit == false, streams[stream]?.hasNews == true else { return }
        streams[stream]?.awaitsCredit = true
        credits.append(stream)
    }

    /// The other side broke the protocol: nothing more is sent or accepted.
    ///
    /// What has arrived can be read until ``end()``.
    mutating func violate(_ error: ProtocolError) -> ProtocolError {
        hasEnded = true
        isAttached = false
        return error
    }
}
