import PeerProtocol

// The files of sessions.
extension IncomingLocalSend {
    /// A device begins to send a file.
    ///
    /// - `length`: The length of the content, in bytes; nil if the device does not state it.
    package mutating func begin(
        _ id: String,
        _ file: String,
        _ token: String,
        from client: LocalSendClient,
        length: UInt64?,
        at now: ContinuousClock.Instant
    ) -> OnBegin {
        // The answer does not say which of them is wrong.
        guard let place = place(id, file), sessions[place.session].client == client,
            var reception = reception(place), Self.areEqual(reception.token, token)
        else { return .answer(.refused, nil) }
        switch reception.state {
        case .waiting: break
        case .arriving: return .answer(.busy, nil)
        // A device that has not read the answer asks again; it need not send again.
        case .kept: return .answer(.ok, nil)
        case .failed: return .answer(.refused, nil)
        }
        guard length == nil || length == reception.file.size else {
            reception.state = .failed
            set(reception, at: place)
            return .answer(.invalid, endIfFinished(place.session))
        }
        if reception.beginnings == 0 { sessions[place.session].gaveSign(at: now) }
        sessions[place.session].began(at: now)
        reception.state = .arriving
        reception.beginnings += 1
        reception.byteCount = 0
        set(reception, at: place)
        return .take(reception.file)
    }

    /// Bytes of a file have arrived.
    ///
    /// - `byteCount`: How many of this file, from its beginning.
    package mutating func arrived(
        _ id: String,
        _ file: String,
        _ byteCount: UInt64,
        at now: ContinuousClock.Instant
    ) -> OnArrived {
        guard let place = place(id, file), var reception = reception(place), reception.state == .arriving else {
            return .stop
        }
        guard byteCount <= reception.file.size else { return .stop }
        if byteCount > reception.byteCount {
            sessions[place.session].gaveBytes(byteCount - reception.byteCount, at: now)
            reception.byteCount = byteCount
        }
        set(reception, at: place)
        return .proceed
    }

    /// A file that began has ended.
    package mutating func ended(
        _ id: String,
        _ file: String,
        _ end: FileEnd,
        at now: ContinuousClock.Instant
    ) -> OnEnded {
        guard let place = place(id, file), var reception = reception(place), reception.state == .arriving else {
            return OnEnded(status: .refused)
        }
        let status = Self.judge(end, &reception)
        if reception.state == .kept { sessions[place.session].gaveSign(at: now) }
        set(reception, at: place)
        return OnEnded(status: status, ending: endIfFinished(place.session))
    }

    private static func judge(_ end: FileEnd, _ reception: inout IncomingSession.Reception) -> LocalSendStatus {
        switch end {
        case .complete(let byteCount, _) where byteCount != reception.file.size:
            reception.state = .failed
            return .invalid
        case .complete(_, let digest):
            guard let expected = reception.file.sha256, digest != expected else {
                reception.state = .kept
                return .ok
            }
            // The sender may try again with the same token, as in LocalSend.
            reception.wrongDigests += 1
            reception.state = reception.wrongDigests < LocalSendLimits.attempts ? .waiting : .failed
            return .wrongDigest
        case .interrupted:
            reception.state = reception.beginnings < LocalSendLimits.beginnings ? .waiting : .failed
            return .failed
        case .notKept:
            reception.state = .failed
            return .failed
        }
    }

    /// Removes a session of which nothing is to come.
    private mutating func endIfFinished(_ index: Int) -> Ending? {
        guard sessions[index].isFinished else { return nil }
        let ending: Ending = sessions[index].isComplete ? .complete : .incomplete
        remove(sessions[index].id)
        return ending
    }

    private typealias Place = (session: Int, file: Int)

    private func place(_ id: String, _ file: String) -> Place? {
        guard let session = sessions.firstIndex(where: { $0.id == id }),
            let file = sessions[session].receptions?.firstIndex(where: { $0.file.id == file })
        else { return nil }
        return (session, file)
    }

    private func reception(_ place: Place) -> IncomingSession.Reception? {
        sessions[place.session].receptions?[place.file]
    }

    private mutating func set(_ reception: IncomingSession.Reception, at place: Place) {
        sessions[place.session].receptions?[place.file] = reception
    }

    /// Compares secrets in a time that does not tell how much of them is right.
    private static func areEqual(_ first: String, _ second: String) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        return first.count == second.count && zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
