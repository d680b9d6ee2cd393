/// What this machine sends to one device.
package struct OutgoingLocalSend: Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        /// The device has all files that it accepted.
        case complete
        /// The device says that it needs nothing: it has read the text, or its person has picked no file.
        case notNeeded
        /// The person at the device said no.
        case declined
        /// No PIN was given.
        case noPIN
        /// The PIN was wrong too often.
        case wrongPIN
        /// The device does something else.
        case busy
        /// The device has stopped it.
        case cancelledThere
        /// It was stopped here.
        case stoppedHere
        /// Nobody answers.
        case unreachable
        /// Another device answers: its certificate is not the expected one.
        case otherDevice
        /// The connection was lost while files were sent.
        case lost
        /// What arrived there was damaged each time.
        case damaged
        /// The device could not take it, and answered with this number.
        case failed(status: Int)
        /// The answer of the device cannot be read.
        case unreadable
    }

    /// A file to send now.
    package struct Upload: Hashable, Sendable {
        /// Its description.
        package var file: LocalSendFile
        /// The id of the session.
        package var session: String
        /// The token for it.
        package var token: String

        /// The request whose content is the file.
        package var path: LocalSendPath { .upload(session: session, file: file.id, token: token) }
    }

    /// What to do next.
    package enum Step: Hashable, Sendable {
        /// Send the list, and wait for as long as its person thinks.
        case prepare(LocalSendPath)
        /// Ask the person for the PIN of the device.
        case askPIN(isAfterWrong: Bool)
        /// Send these files.
        case upload([Upload])
        /// Nothing: other files are on their way.
        case wait
        /// It is over: stop what is on its way; and if a request is given, make it, whatever comes of it.
        case end(Outcome, LocalSendPath?)
    }

    private enum State {
        case idle
        case preparing
        case askingPIN
        case sending(LocalSendAgreement)
        case ended(Outcome)
    }

    /// What is sent.
    package let offer: LocalSendOffer
    private let atOnce: Int
    private var state = State.idle
    private var pinCount = 0
    private var waiting: [Upload] = []
    private var running: [String: Int] = [:]
    private var failure: Outcome?

    /// Creates it.
    ///
    /// - `atOnce`: How many files are sent at a time. LocalSend sends two, but localsend-cli takes only one, and keeps the other
    ///   waiting until its connection fails.
    package init(_ offer: LocalSendOffer, atOnce: Int = 1) { (self.offer, self.atOnce) = (offer, max(1, atOnce)) }

    /// The id of the session; nil before the device has agreed.
    package var session: String? { if case .sending(let agreement) = state { agreement.session } else { nil } }

    /// How it ended; nil while it has not.
    package var outcome: Outcome? { if case .ended(let outcome) = state { outcome } else { nil } }

    /// It begins.
    ///
    /// - `pin`: The PIN of the device, if it is known; nil to ask for it if the device wants one.
    package mutating func begin(pin: String? = nil) -> Step {
        guard case .idle = state else { return .wait }
        return prepare(pin)
    }

    /// The device has answered to the list.
    package mutating func prepared(status: Int, _ content: [UInt8]) -> Step {
        guard case .preparing = state else { return .wait }
        switch LocalSendStatus(rawValue: status) {
        case .ok:
            guard let agreement = try? LocalSendAgreement(json: content) else { return end(.unreadable) }
            return start(agreement)
        case .nothingNeeded: return end(.notNeeded)
        case .needsPIN:
            guard pinCount < LocalSendLimits.attempts else { return end(.wrongPIN) }
            state = .askingPIN
            return .askPIN(isAfterWrong: pinCount > 0)
        case .refused: return end(.declined)
        case .busy: return end(.busy)
        // Who asks too often without a PIN has made no attempts.
        case .tooManyAttempts: return end(pinCount > 0 ? .wrongPIN : .failed(status: status))
        default: return end(.failed(status: status))
        }
    }

    /// The person has given the PIN; nil for none.
    package mutating func entered(pin: String?) -> Step {
        guard case .askingPIN = state else { return .wait }
        guard let pin else { return end(.noPIN) }
        return prepare(pin)
    }

    /// The device has answered to a file.
    package mutating func uploaded(_ file: String, status: Int) -> Step {
        guard case .sending(let agreement) = state, let attempt = running[file] else { return .wait }
        switch status {
        case 200..<300: running[file] = nil
        // The file may have changed while it was read.
        case LocalSendStatus.wrongDigest.rawValue where attempt < LocalSendLimits.attempts:
            running[file] = attempt + 1
            return upload(file, agreement).map { .upload([$0]) } ?? .wait
        case LocalSendStatus.wrongDigest.rawValue: fail(file, .damaged)
        // The session is no longer there: LocalSend says the first, and localsendd takes all of them so.
        case 403, 404, 409, 410:
            guard attempt == 1 else {
                fail(file, .damaged)
                break
            }
            return end(.cancelledThere)
        default: fail(file, .failed(status: status))
        }
        return next(agreement)
    }

    /// The device cannot be reached, or its connection is lost.
    package mutating func lost() -> Step {
        switch state {
        case .idle, .preparing: end(.unreachable)
        case .askingPIN, .ended: .wait
        // LocalSend gives a file up with its connection.
        case .sending(let agreement): end(.lost, .cancel(session: agreement.session))
        }
    }

    /// Another device answers at the address: its certificate is not the expected one.
    package mutating func metOtherDevice() -> Step {
        if case .ended = state { .wait } else { end(.otherDevice) }
    }

    /// The device stops a session, in a request from its address and with its certificate.
    ///
    /// - `session`: The id that it has given to the session.
    package mutating func cancelledThere(_ session: String) -> Step {
        guard case .sending(let agreement) = state, agreement.session == session else { return .wait }
        return end(.cancelledThere)
    }

    /// The person at this machine stops it.
    package mutating func stop() -> Step {
        switch state {
        case .idle, .askingPIN: end(.stoppedHere)
        // Who waits for the answer does not know the session.
        case .preparing: end(.stoppedHere, .cancel(session: nil))
        case .sending(let agreement): end(.stoppedHere, .cancel(session: agreement.session))
        case .ended: .wait
        }
    }
}

extension OutgoingLocalSend {
    private mutating func prepare(_ pin: String?) -> Step {
        if pin != nil { pinCount += 1 }
        state = .preparing
        return .prepare(.prepareUpload(pin: pin))
    }

    /// Begins with the files that the device has accepted; it may name others, which are none of these.
    private mutating func start(_ agreement: LocalSendAgreement) -> Step {
        waiting = offer.files.compactMap { file in
            agreement.tokens[file.id].map { Upload(file: file, session: agreement.session, token: $0) }
        }
        guard !waiting.isEmpty else { return end(agreement.tokens.isEmpty ? .notNeeded : .unreadable) }
        state = .sending(agreement)
        return next(agreement)
    }

    private mutating func next(_ agreement: LocalSendAgreement) -> Step {
        let next = Array(waiting.prefix(max(0, atOnce - running.count)))
        waiting.removeFirst(next.count)
        for upload in next { running[upload.file.id] = 1 }
        if !next.isEmpty { return .upload(next) }
        return running.isEmpty ? end(failure ?? .complete) : .wait
    }

    private func upload(_ file: String, _ agreement: LocalSendAgreement) -> Upload? {
        guard let file = offer.files.first(where: { $0.id == file }), let token = agreement.tokens[file.id] else {
            return nil
        }
        return Upload(file: file, session: agreement.session, token: token)
    }

    /// Goes on with the other files; the first failure is the outcome.
    private mutating func fail(_ file: String, _ outcome: Outcome) {
        running[file] = nil
        failure = failure ?? outcome
    }

    private mutating func end(_ outcome: Outcome, _ request: LocalSendPath? = nil) -> Step {
        state = .ended(outcome)
        (waiting, running) = ([], [:])
        return .end(outcome, request)
    }
}
