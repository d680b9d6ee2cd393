package import NIOCore

extension MuxStateMachine {
    /// What to do when this side asks.
    package enum OnAsk: Hashable, Sendable {
        /// Wait for the answer to the request with this number.
        case asked(UInt64)
        /// Try again when a request is over, or after a burst: too many are unanswered, or too much waits.
        case full
        /// Fail: the request is longer than the other side accepts.
        case tooLong
        /// Fail: the link has ended.
        case refuse
    }

    /// What to do when this side answers.
    package enum OnAnswer: Hashable, Sendable {
        /// Nothing: the stream sends it.
        case queued
        /// Tell the application that the answer is longer than the other side accepts; the request is refused.
        case tooLong
        /// Tell the application that nobody waits for the answer.
        case withdrawn
    }

    /// What has happened to a request.
    package enum RequestEvent: Hashable, Sendable {
        /// The other side asks: answer or refuse it.
        case asked(UInt64, LinkName, version: UInt16, payload: ByteBuffer)
        /// The other side no longer waits for the answer.
        case withdrawn(UInt64)
        /// The other side has answered.
        case answered(UInt64, payload: ByteBuffer)
        /// The other side does not answer.
        case refused(UInt64, RequestEnd)
    }

    // MARK: This side asks

    /// Whether a request of this length would find room.
    package func hasRoomToAsk(_ name: LinkName, _ payloadLength: Int) -> Bool {
        guard !hasEnded, requests.asked.count < limits.maximumAskedCount else { return hasEnded }
        guard let own = requests.own else { return hasRoomForOwnStreams }
        let length = RequestEntry.requestLength(name, payloadLength)
        let stream = length <= LinkLimits.maximumShortLength ? own.short : own.long ?? own.short
        return streams[stream]?.hasRoom(for: length, atMost: requestOutboxLength) ?? true
    }

    /// Whether both streams of requests can be opened.
    private var hasRoomForOwnStreams: Bool {
        nextNumber < Self.maximumNumber - 2 && control.count + 1 < limits.maximumControlCount
    }

    /// The other side remembers 1,024 withdrawals of long requests that have not arrived, and each of these is longer than a short one.
    private var requestOutboxLength: Int { min(limits.maximumOutboxLength, 512 * LinkLimits.maximumShortLength) }

    /// Asks the other side.
    package mutating func ask(_ name: LinkName, version: UInt16, _ payload: UnsafeRawBufferPointer) -> OnAsk {
        guard !hasEnded else { return .refuse }
        guard payload.count <= peer.maximumMessageLength else { return .tooLong }
        guard requests.asked.count < limits.maximumAskedCount else { return .full }
        let length = RequestEntry.requestLength(name, payload.count)
        let isShort = length <= LinkLimits.maximumShortLength
        guard let stream = ownStream(isShort: isShort) else { return .full }
        guard streams[stream]?.hasRoom(for: length, atMost: requestOutboxLength) == true else { return .full }
        let number = requests.ask(isShort: isShort)
        write(length, to: stream) {
            RequestEntry.writeRequest(number, name, version: version, payload, length: length, into: &$0)
        }
        return .asked(number)
    }

    /// This side no longer waits for an answer; nothing happens if the request is over.
    package mutating func withdraw(_ number: UInt64) {
        guard !hasEnded, requests.settle(number), let stream = requests.own?.short else { return }
        write(RequestEntry.withdrawal(number), to: stream)
    }

    /// The stream of this side's short or long requests; opens both with the first request.
    private mutating func ownStream(isShort: Bool) -> UInt32? {
        if let own = requests.own { return isShort ? own.short : own.long }
        guard hasRoomForOwnStreams else { return nil }
        let short = add(.requests)
        requests.own = RequestTable.Streams(short: short, long: add(.longRequests))
        return isShort ? short : requests.own?.long
    }

    private mutating func add(_ kind: StreamOpening.Kind) -> UInt32 {
        let opening = StreamOpening(stream: nextNumber, kind: kind, isOneWay: false, name: "")
        nextNumber += 2
        streams.add(opening.stream, makeStream(opening, isOpenedHere: true))
        control.append(Control(record: Record(.open, payload: opening.encoded()), stream: opening.stream))
        return opening.stream
    }

    // MARK: This side answers

    /// Whether a request of the other side waits for its answer.
    package func isUnanswered(_ number: UInt64) -> Bool { requests.open[number] != nil }

    /// Answers a request of the other side.
    package mutating func answer(_ number: UInt64, _ payload: UnsafeRawBufferPointer) -> OnAnswer {
        guard !hasEnded, let request = requests.remove(number) else { return .withdrawn }
        release(request)
        let length = RequestEntry.headerLength + payload.count
        let isShort = length <= LinkLimits.maximumShortLength
        guard payload.count <= peer.maximumMessageLength,
            let stream = isShort ? requests.theirShort : requests.theirLong
        else {
            sendRefusal(number, RequestEnd(.tooLarge))
            return .tooLong
        }
        write(length, to: stream) { RequestEntry.writeAnswer(number, payload, into: &$0) }
        requests.unsent.addAnswer(endingAt: streams[stream]?.outgoingEnd ?? 0, isShort: isShort)
        return .queued
    }

    /// Refuses a request of the other side; nothing happens if it is over.
    package mutating func refuse(_ number: UInt64, _ end: RequestEnd) {
        guard !hasEnded, let request = requests.remove(number) else { return }
        release(request)
        sendRefusal(number, end)
    }

    /// The application has a long request, so the other side may send another one.
    ///
    /// The bytes of a short one are released when it is over: there is room for as many as may be unanswered.
    package mutating func took(_ number: UInt64) {
        guard !RequestTable.isShort(number), let request = requests.release(number) else { return }
        release(request)
    }

    private mutating func sendRefusal(_ number: UInt64, _ end: RequestEnd) {
        guard let stream = requests.theirShort else { return }
        write(RequestEntry.refusal(number, end), to: stream)
        requests.unsent.addRefusal(endingAt: streams[stream]?.outgoingEnd ?? 0)
    }

    private mutating func release(_ request: RequestTable.Open) {
        guard request.length > 0 else { return }
        streams[request.stream]?.release(request.length)
        noteCredit(request.stream)
    }

    private mutating func write(_ entry: RequestEntry, to stream: UInt32) {
        let bytes = entry.encoded()
        write(bytes.readableBytes, to: stream) { $0.writeImmutableBuffer(bytes) }
    }

    private mutating func write(_ length: Int, to stream: UInt32, _ body: (inout ByteBuffer) -> Void) {
        if streams[stream]?.writeEntry(length, body) == true { rotation.append(stream) }
    }

    // MARK: What arrives

    /// The other side opens one of its streams of requests.
    mutating func receivedOpenOfRequests(_ opening: StreamOpening) -> OnReceivedOpen {
        let isShort = opening.kind == .requests
        guard isShort ? requests.theirShort == nil : requests.theirShort != nil && requests.theirLong == nil else {
            return .violated(violate(Self.unexpected("opened a stream of requests that it may not open")))
        }
        if isShort { requests.theirShort = opening.stream } else { requests.theirLong = opening.stream }
        streams.add(opening.stream, makeStream(opening, isOpenedHere: false))
        streams[opening.stream]?.isAccepted = true
        return .none
    }

    /// Bytes of a stream of requests have arrived.
    mutating func receivedEntries(_ bytes: ByteBuffer, on stream: UInt32) -> OnReceivedBytes {
        var events: [RequestEvent] = []
        do throws(ProtocolError) {
            let entries = try streams[stream]?.receiveEntries(bytes) ?? []
            if isOwn(stream) {
                // Answers go to those who wait for them at once.
                streams[stream]?.release(bytes.readableBytes)
                noteCredit(stream)
                for (entry, _) in entries { if let event = try receivedOutcome(entry) { events.append(event) } }
            } else {
                let isShort = streams[stream]?.kind == .requests
                requests.unsent.sent(
                    short: requests.theirShort.map { sentLength(of: $0) } ?? 0,
                    long: requests.theirLong.map { sentLength(of: $0) } ?? 0
                )
                for (entry, length) in entries {
                    let request = RequestTable.Open(stream: stream, length: length)
                    if let event = try received(entry, request, isShort: isShort) { events.append(event) }
                }
            }
        } catch {
            return .violated(violate(error))
        }
        return events.isEmpty ? .none : .requests(events)
    }

    /// An entry has arrived on a stream of this side.
    private mutating func receivedOutcome(_ entry: RequestEntry) throws(ProtocolError) -> RequestEvent? {
        guard requests.wasAsked(entry.number) else { throw Self.unexpected("answered a request that was never sent") }
        // This side may have withdrawn the request while its answer was in transit.
        let isAwaited = requests.settle(entry.number)
        switch entry {
        case .answer(let number, let payload): return isAwaited ? .answered(number, payload: payload) : nil
        case .refusal(let number, let end): return isAwaited ? .refused(number, end) : nil
        case .request, .withdrawal: throw Self.unexpected("sent a request on a stream for answers")
        }
    }

    /// An entry has arrived on a stream of the other side.
    private mutating func received(
        _ entry: RequestEntry,
        _ request: RequestTable.Open,
        isShort: Bool
    ) throws(ProtocolError) -> RequestEvent? {
        switch entry {
        case .request(let number, let name, let version, let payload):
            guard requests.note(number, isShort: isShort) else {
                throw Self.unexpected("sent a request with a number that it may not use")
            }
            guard !requests.wasWithdrawn(number) else {
                release(request)
                return nil
            }
            let unansweredCount = requests.open.count + requests.unsent.answerCount
            // Each unanswered one may be refused, too, and the refusals wait if the other side does not read.
            guard unansweredCount + requests.unsent.refusalCount < limits.maximumControlCount else {
                throw ProtocolError(.limitExceeded, "The other side sends more requests than it may.")
            }
            guard unansweredCount < limits.maximumRequestCount else {
                release(request)
                sendRefusal(number, RequestEnd(.tooMany))
                return nil
            }
            requests.add(number, request)
            return .asked(number, name, version: version, payload: payload)
        case .withdrawal(let number):
            release(request)
            guard isShort else { throw Self.unexpected("withdrew a request on a stream for long requests") }
            if let withdrawn = requests.remove(number) {
                release(withdrawn)
                return .withdrawn(number)
            }
            guard requests.withdrewEarly(number, atMost: limits.maximumControlCount) else {
                throw Self.unexpected("withdrew a request that was never sent")
            }
            return nil
        case .answer, .refusal: throw Self.unexpected("sent an answer on a stream for requests")
        }
    }
}
