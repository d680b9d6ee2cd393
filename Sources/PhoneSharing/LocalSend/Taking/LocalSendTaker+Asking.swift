import FoundationEssentials
import LocalSend
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import Synchronization
import WebServer

// What phones want to send.
extension LocalSendTaker {
    /// What a person says to a question of a phone.
    private enum Verdict: Sendable {
        case yes, no, unanswered
        /// The phone does not wait any more.
        case gone
    }

    /// Returns why a client need not say what it wants to send; nil if it is heard.
    func refusal(of client: LocalSendClient) -> LocalSendStatus? {
        guard asks else { return .refused }
        let now = ContinuousClock.now
        return contents.withLock { contents in
            guard contents.machine.hears(client, at: now),
                client.names.allSatisfy({ contents.refusals.takesFiles(of: $0, at: now) })
            else { return .tooManyAttempts }
            return contents.hasPlace(for: client) ? nil : .busy
        }
    }

    /// Reads a list of files, unless as many as allowed are being read.
    func reading<List>(_ read: () throws -> List) rethrows -> List? {
        let isFree = contents.withLock { contents in
            guard contents.readingCount < LocalSendLimits.listsReadAtOnce else { return false }
            contents.readingCount += 1
            return true
        }
        guard isFree else { return nil }
        defer { contents.withLock { $0.readingCount -= 1 } }
        return try read()
    }

    /// Asks whether a phone may send what it wants, and waits as long as it does.
    ///
    /// The task is cancelled if the phone goes.
    func prepare(_ offer: LocalSendOffer, from client: LocalSendClient) async -> WebResponse {
        if let refusal = refusal(of: client) { return WebResponse(refusal) }
        let session = Self.secret()
        let phone = phone(of: offer.sender, client)
        let isConfirmed = phone.recognition == .confirmed
        let decision = contents.withLock { contents -> IncomingLocalSend.OnPrepare in
            guard contents.lists.count < Self.maximumLists, !contents.hasUndecided(of: client) else {
                return .answer(.busy)
            }
            let decision = contents.machine.prepare(
                offer,
                from: client,
                as: session,
                isConfirmed: isConfirmed,
                at: .now
            )
            if case .ask(let replaced?) = decision { _ = contents.end(replaced) }
            return decision
        }
        if case .answer(let status) = decision { return WebResponse(status) }
        if let text = offer.text { return await ask(about: text, of: session, phone, client) }
        let files = offer.files.map { PhoneFile($0, of: phone) }
        let needed = UploadQueue.spaceNeeded(for: offer.size)
        guard hasRoom(for: needed) else { return refuse(files, of: session, phone, client) }
        let question = PhoneFilesQuestion(phone, files, patience: LocalSendLimits.questionPatience)
        let verdict = await ask(question, of: session, within: question.patience)
        if verdict == .unanswered, let first = files.first { person.tell(.phones(.unanswered(first))) }
        return conclude(verdict, session, phone, client) {
            Dictionary(offer.files.map { ($0.id, Self.secret()) }) { first, _ in first }
        } agreed: {
            agree(to: session, phone, client, needed: needed)
        }
    }

    /// A phone stops what it has asked for or sends.
    ///
    /// - Returns: Whether it was a session of this side; if not, it may be what this machine sends to it.
    func cancel(_ session: String?, from client: LocalSendClient) -> Bool {
        let (isOurs, phone) = contents.withLock { contents -> (Bool, LocalSendPhone?) in
            guard let found = contents.machine.cancelled(session, from: client) else { return (false, nil) }
            return (true, contents.end(found))
        }
        // Whoever is asked is told where the question ends.
        if let phone { tell(.stopped(by: phone)) }
        return isOurs
    }

    // MARK: Texts

    private func ask(
        about text: String,
        of session: String,
        _ phone: LocalSendPhone,
        _ client: LocalSendClient
    ) async -> WebResponse {
        let link = ShareLink.found(in: text, for: application)
        let content: PhoneTextQuestion.Content =
            link == nil ? .words(count: text.count) : .link(isTaken: links.areTaken)
        let question = PhoneTextQuestion(phone, content, patience: LocalSendLimits.questionPatience)
        let verdict = await ask(question, of: session, within: question.patience)
        let answer = conclude(verdict, session, phone, client, tokens: { [:] }, agreed: {})
        guard verdict == .yes else { return answer }
        if let link {
            if !links.give(link) { tell(.link(link, from: phone)) }
        } else {
            tell(.text(text, from: phone))
        }
        return answer
    }

    // MARK: Questions

    private func ask<Asked: Question>(
        _ question: Asked,
        of session: String,
        within patience: Duration
    ) async -> Verdict where Asked.Answer == Bool? {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // The phone may have stopped before it was asked about.
        let isOpen = contents.withLock { contents in
            contents.questions[session] = end
            return contents.machine.session(session) != nil
        }
        defer { contents.withLock { $0.questions[session] = nil } }
        guard isOpen else { return .gone }
        let verdict = await withTaskGroup(of: Verdict.self) { group in
            group.addTask { [person] in
                guard let answer = try? await person.ask(question) else { return .unanswered }
                return answer ? .yes : .no
            }
            group.addTask {
                for await _ in ends {}
                return .gone
            }
            // Other questions may stand before it.
            group.addTask {
                try? await Task.sleep(for: patience)
                return .unanswered
            }
            defer { group.cancelAll() }
            return await group.next() ?? .unanswered
        }
        return Task.isCancelled ? .gone : verdict
    }

    private func conclude(
        _ verdict: Verdict,
        _ session: String,
        _ phone: LocalSendPhone,
        _ client: LocalSendClient,
        tokens: () -> [String: String],
        agreed: () -> Void
    ) -> WebResponse {
        let answer = contents.withLock { contents -> IncomingLocalSend.OnAnswered in
            let now = ContinuousClock.now
            switch verdict {
            case .yes: break
            case .no: for name in client.names { contents.refusals.refused(name, at: now) }
            case .unanswered, .gone: contents.machine.withdrew(client, at: now)
            }
            return contents.machine.answered(session, verdict == .yes ? tokens() : nil, at: now)
        }
        switch answer {
        case .agree(let agreement):
            agreed()
            return WebResponse(agreement.json, as: WebResponse.json)
        case .answer(let status):
            if verdict == .gone { tell(.stopped(by: phone)) }
            return WebResponse(status)
        }
    }

    // MARK: Space

    private func hasRoom(for needed: UInt64) -> Bool {
        guard let space = try? folder().space() else { return false }
        let promised = contents.withLock { $0.promised }
        return needed <= space && promised <= space - needed
    }

    private func refuse(
        _ files: [PhoneFile],
        of session: String,
        _ phone: LocalSendPhone,
        _ client: LocalSendClient
    ) -> WebResponse {
        let isDue = contents.withLock { contents in
            contents.machine.stop(session)
            // Whoever fills the screen with it is not heard for ever. Certificates cost nothing, and would fill the table.
            let now = ContinuousClock.now
            contents.refusals.unusable(client.address, at: now)
            return contents.spaceNote.isDue(at: now)
        }
        let reason = "The disk has too little space."
        if isDue { tell(.leftOut(files.prefix(1).map { PhoneLeftOut($0, reason) }, from: phone)) }
        return WebResponse(.failed, "The disk of the laptop has too little space.", status: .noSpace)
    }

    /// A text that nobody guesses.
    private static func secret() -> String { MapSecret().text }
}

extension PhoneFile {
    init(_ file: LocalSendFile, of phone: LocalSendPhone) {
        self.init(client: phone.address, name: file.name, size: file.size)
        self.phone = phone
    }
}

extension WebResponse {
    /// The media type of the answers of LocalSend.
    static let json = "application/json"

    /// Creates the answer with a status of LocalSend, and what a phone may show.
    init(_ status: LocalSendStatus, _ message: String? = nil, status number: Status? = nil) {
        self.init(message.map { LocalSendStatus.json($0) } ?? [], as: Self.json)
        self.status = number ?? Status(rawValue: status.rawValue) ?? .failed
    }
}
