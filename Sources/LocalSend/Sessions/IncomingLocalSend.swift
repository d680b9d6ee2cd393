package import PeerProtocol

/// What devices send here: all sessions of this machine.
///
/// Nothing arrives before a person has said yes. A token is good for one file of one session, from the address and with the
/// certificate of the question, once at a time.
package struct IncomingLocalSend: Sendable {
    /// Why a session has ended.
    package enum Ending: Hashable, Sendable {
        /// All accepted files are here.
        case complete
        /// Some accepted files are not here, and do not come any more.
        case incomplete
        /// The device has stopped it.
        case cancelledThere
        /// The device has begun anew.
        case replaced
        /// Nothing came any more.
        case silent
        /// The person did not answer in time.
        case unanswered
    }

    /// What to do about a list.
    package enum OnPrepare: Hashable, Sendable {
        /// Ask the person; the other session of the device, if any, has ended as ``Ending/replaced``.
        case ask(replacing: String?)
        /// Answer so, without a question.
        case answer(LocalSendStatus)
    }

    /// What to answer when the person has decided.
    package enum OnAnswered: Hashable, Sendable {
        /// The files may come.
        case agree(LocalSendAgreement)
        /// Answer so: the session has ended.
        case answer(LocalSendStatus)
    }

    /// What to do about a file that begins.
    package enum OnBegin: Hashable, Sendable {
        /// Take at most as many bytes as its size, and then say how it ended.
        case take(LocalSendFile)
        /// Answer so, and read nothing; if there is an ending, the session is over.
        case answer(LocalSendStatus, Ending?)
    }

    /// What to do about bytes that have arrived.
    package enum OnArrived: Hashable, Sendable {
        /// Go on.
        case proceed
        /// There are too many, or the session is over: read no more, and say that the file is complete with so many.
        case stop
    }

    /// How a file ended.
    package enum FileEnd: Sendable {
        /// All bytes that came are here: their number, and their digest if one was stated.
        case complete(UInt64, ContentDigest?)
        /// The connection has ended before the content.
        case interrupted
        /// They could not be kept here.
        case notKept
    }

    /// What to answer at the end of a file.
    package struct OnEnded: Hashable, Sendable {
        /// The answer: the file is kept only if it is ``LocalSendStatus/ok``.
        package var status: LocalSendStatus
        /// Why the session is over with it; nil if it goes on.
        package var ending: Ending?
    }

    /// A session that has ended.
    package struct Ended: Hashable, Sendable {
        /// The id of the session.
        package var session: String
        /// Why.
        package var ending: Ending
    }

    /// How many devices wait for an answer at a time: the person at this machine gives one after the other.
    ///
    /// The last place is for a device that the person has confirmed: others cannot hold all of them.
    private static let questionCount = 4

    var sessions: [IncomingSession] = []
    private var withdrawn = WithdrawnQuestions()

    package init() {}

    /// Returns a session; nil if it has ended.
    package func session(_ id: String) -> IncomingSession? { sessions.first { $0.id == id } }

    /// The sessions, the oldest first.
    package var all: [IncomingSession] { sessions }
}

// Questions.
extension IncomingLocalSend {
    /// Returns whether a list of a device would have a place, whatever is in it.
    package func hasPlace(
        for client: LocalSendClient,
        isConfirmed: Bool = true,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let earlier = sessions.first { $0.client.isSameDevice(as: client) }
        // LocalSend may be stopped without a word. A device that begins anew has given up what does not arrive.
        return earlier.map { !$0.isQuestion && !$0.isArriving(at: now) } ?? true
            && !sessions.contains { $0.isQuestion && $0.client.address == client.address }
            && sessions.count - (earlier == nil ? 0 : 1) < LocalSendLimits.sessionCount
            && sessions.count(where: \.isQuestion) < Self.questionCount - (isConfirmed ? 0 : 1)
    }

    /// A device wants to send files.
    ///
    /// - `id`: The id of the session, which nobody can guess.
    /// - `isConfirmed`: Whether a person has confirmed the device, and it has proven that it is that one.
    package mutating func prepare(
        _ offer: LocalSendOffer,
        from client: LocalSendClient,
        as id: String,
        isConfirmed: Bool = false,
        at now: ContinuousClock.Instant
    ) -> OnPrepare {
        guard !offer.files.isEmpty else { return .answer(.nothingNeeded) }
        // A device that shows a certificate says whose it is: it must be its own.
        guard client.certificate == nil || client.certificate == offer.sender.fingerprint else {
            return .answer(.refused)
        }
        guard hears(client, at: now) else { return .answer(.tooManyAttempts) }
        guard hasPlace(for: client, isConfirmed: isConfirmed, at: now) else { return .answer(.busy) }
        let earlier = sessions.first { $0.client.isSameDevice(as: client) }
        if let earlier { remove(earlier.id) }
        sessions.append(IncomingSession(id: id, client: client, offer: offer, at: now))
        return .ask(replacing: earlier?.id)
    }

    /// The person has decided.
    ///
    /// - `tokens`: A token for each accepted file, by the id of the file, which nobody can guess; nil for a no. For a text that
    ///   was read, there are none.
    package mutating func answered(
        _ id: String,
        _ tokens: [String: String]?,
        at now: ContinuousClock.Instant
    ) -> OnAnswered {
        guard let index = sessions.firstIndex(where: { $0.id == id }), sessions[index].isQuestion else {
            return .answer(.refused)
        }
        guard let tokens else {
            remove(id)
            return .answer(.refused)
        }
        let receptions = sessions[index].offer.files.compactMap { file in
            tokens[file.id].map { IncomingSession.Reception(file: file, token: $0) }
        }
        guard !receptions.isEmpty else {
            remove(id)
            return .answer(.nothingNeeded)
        }
        sessions[index].receptions = receptions
        sessions[index].gaveSign(at: now)
        let accepted = receptions.map { ($0.file.id, $0.token) }
        return .agree(LocalSendAgreement(session: id, tokens: Dictionary(accepted) { first, _ in first }))
    }

    /// Returns whether a device may ask: not after several questions from its address that went away or were not answered.
    package func hears(_ client: LocalSendClient, at now: ContinuousClock.Instant) -> Bool {
        withdrawn.areFew(of: client.address, at: now)
    }

    /// Notes that a question of a device went away, or was not answered.
    package mutating func withdrew(_ client: LocalSendClient, at now: ContinuousClock.Instant) {
        withdrawn.add(client.address, at: now)
    }

    /// The device no longer waits for the answer to a question: its connection is closed.
    ///
    /// - Returns: Whether the question was open.
    package mutating func closed(_ id: String) -> Bool {
        guard session(id)?.isQuestion == true else { return false }
        remove(id)
        return true
    }
}

// Ends.
extension IncomingLocalSend {
    /// A device stops a session, or without an id what it has asked.
    ///
    /// - Returns: The session that has ended; nil if the device has none of this id. It may mean what this machine sends to it.
    package mutating func cancelled(_ id: String?, from client: LocalSendClient) -> String? {
        // The id is in the answer, so a device that waits for it does not know it.
        let found = sessions.first { session in
            session.client == client && (id.map { $0 == session.id } ?? session.isQuestion)
        }
        if let found { remove(found.id) }
        return found?.id
    }

    /// The person at this machine stops a session: what still comes of it is refused.
    package mutating func stop(_ id: String) { remove(id) }

    /// Time has passed.
    package mutating func tick(at now: ContinuousClock.Instant) -> [Ended] {
        let ended = sessions.filter { $0.isOver(at: now) }.map {
            Ended(session: $0.id, ending: $0.isQuestion ? .unanswered : .silent)
        }
        for session in ended { remove(session.session) }
        return ended
    }

    mutating func remove(_ id: String) { sessions.removeAll { $0.id == id } }
}
