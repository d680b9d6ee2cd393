package import NIOCore

extension MuxStateMachine {
    /// The other side opens a stream.
    package mutating func receivedOpen(_ opening: StreamOpening) -> OnReceivedOpen {
        if hasEnded { return .refuse }
        guard !isOwn(opening.stream), opening.stream > lastPeerNumber else {
            return .violated(violate(Self.unexpected("opened a stream with a number that it may not use")))
        }
        lastPeerNumber = opening.stream
        // There are at most two, and without them, each request would be lost.
        if opening.kind.isForRequests { return receivedOpenOfRequests(opening) }
        let stream = makeStream(opening, isOpenedHere: false)
        let window = stream.budgetedWindow
        let theirs = countTheirs(opening.kind)
        // Each of these streams may end, and the ends wait to be sent as long as the other side reads nothing.
        guard theirs.all + control.count(where: { $0.record.kind == .end }) < limits.maximumControlCount else {
            return .violated(
                violate(ProtocolError(.limitExceeded, "The other side opens more streams than it may."))
            )
        }
        guard mayOpen(opening.kind, beside: theirs), hasRoom(for: window) else {
            endHere(opening.stream, .tooMany)
            return .refuse
        }
        windowTotal += window
        streams.add(opening.stream, stream)
        return .offer(opening)
    }

    /// The other side's streams: all, those that the application has not accepted, and those of a kind.
    private func countTheirs(_ kind: StreamOpening.Kind) -> (all: Int, waiting: Int, ofKind: Int) {
        var (all, waiting, ofKind) = (0, 0, 0)
        streams.visit { number, isAccepted, itsKind in
            guard !isOwn(number) else { return }
            all += 1
            if !isAccepted { waiting += 1 }
            if itsKind == kind { ofKind += 1 }
        }
        return (all, waiting, ofKind)
    }

    private func mayOpen(_ kind: StreamOpening.Kind, beside theirs: (all: Int, waiting: Int, ofKind: Int)) -> Bool {
        guard theirs.all < limits.maximumStreamCount else { return false }
        // Channels are accepted at once, and if one is refused, its messages are lost.
        return kind == .messages
            ? theirs.ofKind < limits.maximumChannelCount : theirs.waiting < limits.maximumWaitingCount
    }

    /// The application accepts a stream that the other side has opened.
    package mutating func accept(_ stream: UInt32) { streams[stream]?.isAccepted = true }

    /// Bytes of a stream have arrived.
    package mutating func received(_ frame: StreamBytes) -> OnReceivedBytes {
        if hasEnded { return .none }
        let stream = frame.stream
        guard streams[stream] != nil else {
            if endedHere.contains(stream) { return .none }
            return .violated(violate(Self.unexpected("sent bytes on a stream that is not open")))
        }
        if streams[stream]?.kind.isForRequests == true { return receivedEntries(frame.bytes, on: stream) }
        do throws(ProtocolError) {
            try streams[stream]?.receive(frame.bytes)
        } catch {
            return .violated(violate(error))
        }
        return .readable
    }

    /// A stream has ended at the other side.
    package mutating func receivedEnd(_ end: StreamEnd) -> OnReceivedEnd {
        if hasEnded { return .none }
        let stream = end.stream
        guard wasOpened(stream) else {
            return .violated(violate(Self.unexpected("ended a stream that was never open")))
        }
        guard streams[stream] != nil else {
            // Both sides may cancel a stream at the same time. Then an end that was not sent yet is useless.
            if end.code != .finished { control.removeAll { $0.stream == stream && $0.record.kind == .end } }
            return .none
        }
        guard streams[stream]?.kind.isForRequests == false else {
            return .violated(violate(Self.unexpected("ended a stream of requests")))
        }
        guard end.code == .finished else {
            remove(stream)
            return .cancelled
        }
        do throws(ProtocolError) {
            try streams[stream]?.receiveEnd()
        } catch {
            return .violated(violate(error))
        }
        settle(stream)
        return .finished
    }

    /// The other side has read.
    package mutating func received(_ limits: [Credit.Limit]) -> OnReceivedCredit {
        if hasEnded { return .ready }
        for credit in limits {
            guard wasOpened(credit.stream) else {
                return .violated(violate(Self.unexpected("gave credit for a stream that was never open")))
            }
            // The stream may have ended while the credit was in transit.
            streams[credit.stream]?.receivedCredit(credit.limit)
            schedule(credit.stream)
        }
        return .ready
    }

    /// A droppable message has arrived.
    ///
    /// - Returns: Whether there is one more message to read.
    package mutating func received(_ message: DroppableMessage) -> Bool {
        !hasEnded && incomingDroppables.append(message) == .queued
    }

    /// The application reads bytes.
    ///
    /// - `maximum`: The maximum number of bytes.
    /// - Returns: The bytes; empty if there are none.
    package mutating func readBytes(
        _ stream: UInt32,
        atMost maximum: Int,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> ByteBuffer {
        read(stream, atMost: maximum, inPieces: false, at: now, roundTrip: roundTrip)
    }

    /// The application reads bytes, in the pieces in which they came if these are long.
    ///
    /// - `maximum`: The maximum number of bytes.
    /// - Returns: Some of the bytes; empty if there are none.
    package mutating func readPiece(
        _ stream: UInt32,
        atMost maximum: Int,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> ByteBuffer {
        read(stream, atMost: maximum, inPieces: true, at: now, roundTrip: roundTrip)
    }

    private mutating func read(
        _ stream: UInt32,
        atMost maximum: Int,
        inPieces: Bool,
        at now: ContinuousClock.Instant,
        roundTrip: Duration
    ) -> ByteBuffer {
        guard streams[stream]?.kind == .bytes, maximum > 0, streams[stream]?.incoming.isEmpty == false,
            let bytes = inPieces
                ? streams[stream]?.readPiece(atMost: maximum) : streams[stream]?.readBytes(atMost: maximum)
        else { return ByteBuffer() }
        let window = streams[stream]?.windowLength ?? 0
        let isTooSmall =
            streams[stream]?.isTooSmall(afterReading: bytes.readableBytes, at: now, roundTrip: roundTrip) == true
        if isTooSmall, streams[stream]?.hasReceivedEnd == false, window <= limits.maximumWindow / 2,
            hasRoom(for: window)
        {
            windowTotal += window
            streams[stream]?.grow(by: window)
        }
        noteCredit(stream)
        settle(stream)
        return bytes
    }

    /// Returns the form of the next message of a stream without taking the message; nil if no message is complete.
    ///
    /// - Throws: ``ProtocolError`` if the form is unknown: end the link and tell the peer.
    package mutating func nextForm(_ stream: UInt32) throws(ProtocolError) -> Message.Form? {
        guard streams[stream]?.kind == .messages else { return nil }
        do throws(ProtocolError) {
            return try streams[stream]?.nextForm()
        } catch {
            throw violate(error)
        }
    }

    /// The application reads a message; nil if no message is complete.
    ///
    /// - Throws: ``ProtocolError`` if its form is unknown: end the link and tell the peer.
    package mutating func readMessage(_ stream: UInt32) throws(ProtocolError) -> Message? {
        guard hasMessage(stream) else { return nil }
        let message: Message?
        do throws(ProtocolError) {
            message = try streams[stream]?.readMessage()
        } catch {
            throw violate(error)
        }
        noteCredit(stream)
        settle(stream)
        return message
    }

    /// The application reads a message, and following messages of the same form.
    ///
    /// - `memory`: The maximum memory of all of them together; a single message may need more.
    /// - Returns: The messages, in order; nil if no message is complete.
    /// - Throws: ``ProtocolError`` if the form of the first message is unknown: end the link and tell the peer.
    package mutating func readMessages(_ stream: UInt32, ahead memory: Int) throws(ProtocolError) -> MessageBatch? {
        guard hasMessage(stream) else { return nil }
        let messages: MessageBatch?
        do throws(ProtocolError) {
            messages = try streams[stream]?.readMessages(ahead: memory)
        } catch {
            throw violate(error)
        }
        noteCredit(stream)
        settle(stream)
        return messages
    }

    /// The application reads a droppable message of a channel.
    package mutating func readDroppable(on channel: LinkName) -> DroppableMessage? {
        incomingDroppables.removeFirst(on: channel)
    }

    private func wasOpened(_ stream: UInt32) -> Bool {
        stream > 0 && (isOwn(stream) ? stream < nextNumber : stream <= lastPeerNumber)
    }

    static func unexpected(_ fault: String) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side \(fault).")
    }
}
