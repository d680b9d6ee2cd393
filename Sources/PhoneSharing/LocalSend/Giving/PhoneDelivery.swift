import LocalSend
import MapPages
import PeerStorage
import RegionSharing
import RegionStore
import Synchronization
import WebServer

/// A file on its way to a phone: performs what an `OutgoingLocalSend` decides.
final class PhoneDelivery: Sendable {
    /// Why there is nothing to send.
    private struct NoFile: Error {
        /// The reason, as a sentence.
        var reason: String
    }

    private struct State {
        /// What decides; nil before there is a file.
        var machine: OutgoingLocalSend?
        /// How it has ended; nil while it has not, or if the phone has the file.
        var end: LocalSendEnd?
        var isOver = false
        /// The request that tells the phone; nil if it need not know.
        var lastRequest: LocalSendPath?
        /// Whether a PIN was wrong.
        var hasWrongPIN = false
    }

    /// How long a phone that takes no more of a file may need to say that its person has stopped it.
    private static let stopTime: Duration = .seconds(1)
    /// The number, what the phone gets, and whether it was wanted from the start.
    let order: PhoneDesk.Order
    private let giver: PhoneGiver
    private let told: ToldTransfer
    private let state = Mutex(State())
    private let overStream: AsyncStream<Void>
    private let over: AsyncStream<Void>.Continuation

    private var phone: LocalSendPhone { order.choice.phone }

    init(_ order: PhoneDesk.Order, by giver: PhoneGiver) {
        (self.order, self.giver) = (order, giver)
        (overStream, over) = AsyncStream.makeStream()
        let transfer = LocalSendTransfer(
            number: order.number,
            phone: order.choice.phone,
            name: giver.files.name(of: order.choice),
            size: 0
        )
        told = ToldTransfer(transfer, giver.files.person)
    }

    /// Sends the file until the phone has it, or until it ends otherwise; nil if the phone has it.
    func run() async -> LocalSendEnd? {
        await withTaskGroup { group in
            group.addTask { await self.perform() }
            group.addTask { for await _ in self.overStream {} }
            await group.next()
            group.cancelAll()
        }
        let (end, request) = state.withLock { state in
            // The task was cancelled.
            if !state.isOver { state.end = .stoppedHere }
            return (state.end, state.lastRequest)
        }
        told.change { $0.state = end.map { .ended($0) } ?? .complete }
        if let request { await giver.tell(request, phone) }
        if [.unreachable, .otherDevice].contains(end) { giver.finder.lost(phone) }
        return end
    }

    /// The person at this machine stops it.
    func stop() {
        step { $0.stop() }
        // Without a file, the phone knows nothing of it.
        finish(.stoppedHere)
    }

    /// A device has stopped a session.
    func cancelled(_ session: String, by client: LocalSendClient) {
        guard phone.isSame(as: client) else { return }
        step { $0.cancelledThere(session) }
    }

    // MARK: The steps

    private func perform() async {
        do {
            let content = try await content()
            let offer = LocalSendOffer(from: giver.own(), [content.description])
            state.withLock { $0.machine = OutgoingLocalSend(offer) }
            var next = step { $0.begin() }
            while let step = try await perform(next, content) { next = step }
        } catch let noFile as NoFile {
            finish(.noFile(noFile.reason))
        } catch is CancellationError {
            return
        } catch {
            giver.files.person.tell(.problem(error))
            finish(.noFile("This laptop could not make the file."))
        }
    }

    /// Does what is decided; nil at the end.
    private func perform(
        _ step: OutgoingLocalSend.Step,
        _ content: PhoneContent
    ) async throws -> OutgoingLocalSend.Step? {
        switch step {
        case .prepare(let path):
            told.change { $0.state = .waiting }
            let list = state.withLock { $0.machine?.offer.json ?? [] }
            return try await answer {
                try await self.giver.send(list, path, self.phone)
            } next: {
                $0.prepared(status: $1.status, $1.content)
            }
        case .askPIN(let isAfterWrong):
            let pin = try await pin(isAfterWrong)
            return self.step { $0.entered(pin: pin) }
        case .upload(let uploads):
            guard let upload = uploads.first else { return nil }
            told.change { ($0.state, $0.bytes) = (.running, 0) }
            return try await answer {
                try await self.giver.upload(content, upload.path, self.phone, self.told)
            } next: {
                $0.uploaded(upload.file.id, status: self.status($1.status))
            }
        case .wait, .end: return nil
        }
    }

    /// Sends the file.
    ///
    /// A phone whose person stops it may end the connection a moment before it says so.
    private func upload(_ content: PhoneContent, _ path: LocalSendPath) async throws -> WebClient.Answer {
        do {
            let answer = try await giver.upload(content, path, phone, told)
            if told.isIncomplete { try await Task.sleep(for: Self.stopTime) }
            return answer
        } catch let failure as WebClient.Failure {
            try await Task.sleep(for: Self.stopTime)
            throw failure
        }
    }

    /// Makes a request, and returns what follows from its answer.
    private func answer(
        _ request: () async throws -> WebClient.Answer,
        next: (inout OutgoingLocalSend, WebClient.Answer) -> OutgoingLocalSend.Step
    ) async throws -> OutgoingLocalSend.Step {
        do {
            let answer = try await request()
            return step { next(&$0, answer) }
        } catch WebClient.Failure.otherCertificate {
            return step { $0.metOtherDevice() }
        } catch is WebClient.Failure {
            return step { $0.lost() }
        }
    }

    /// Returns what the number of an answer to a file means.
    ///
    /// A phone whose person stops a file may compare what has come of it: localsendd does. Then it has not come whole.
    private func status(_ status: Int) -> Int {
        guard status == LocalSendStatus.wrongDigest.rawValue, told.isIncomplete else { return status }
        return LocalSendStatus.busy.rawValue
    }

    private func pin(_ isAfterWrong: Bool) async throws -> String? {
        if isAfterWrong { state.withLock { $0.hasWrongPIN = true } }
        // A PIN is for the phones that were named with it, and for no other phone that asks; nobody must be able to read it.
        if order.isWanted, phone.isEncrypted, !isAfterWrong, let pin = giver.wishes.pin { return pin }
        guard giver.wishes.asks else { return nil }
        told.change { $0.state = .asking }
        return try await giver.files.person.ask(PhonePINQuestion(phone, isAfterWrong: isAfterWrong))
    }

    /// Lets the machine decide.
    @discardableResult
    private func step(_ body: (inout OutgoingLocalSend) -> OutgoingLocalSend.Step) -> OutgoingLocalSend.Step {
        let step = state.withLock { state -> OutgoingLocalSend.Step in
            guard var machine = state.machine, !state.isOver else { return .wait }
            let step = body(&machine)
            state.machine = machine
            guard case .end(let outcome, let request) = step else { return step }
            (state.isOver, state.lastRequest) = (true, request)
            state.end = LocalSendEnd(outcome)
            if state.hasWrongPIN, outcome == .noPIN { state.end = .wrongPIN }
            return step
        }
        if case .end = step { over.finish() }
        return step
    }

    private func finish(_ end: LocalSendEnd) {
        state.withLock { state in
            guard !state.isOver else { return }
            (state.isOver, state.end) = (true, end)
        }
        over.finish()
    }

    // MARK: The file

    /// Makes the file, after the question what is in it.
    private func content() async throws -> PhoneContent {
        let (choice, files) = (order.choice, giver.files)
        let way = PersonalPageQuestion.Way.localSend(isEncrypted: phone.isEncrypted)
        // Anybody can claim the name of a phone that is wanted. Only a confirmed one is sure to be that phone.
        let isSure = !order.isWanted || phone.recognition == .confirmed && phone.isEncrypted
        let isWished = giver.wishes.includesPersonal && isSure
        let isPersonal = try await files.includesPersonal(on: way, isWished: isWished) {
            if giver.wishes.asks { told.change { $0.state = .asking } }
        }
        told.change { $0.state = .preparing }
        let all = try files.downloads(includesPersonal: isPersonal)
        guard let downloads = all.first(where: { $0.region.id == choice.region }),
            downloads.kinds.contains(choice.kind)
        else { throw NoFile(reason: "There is no file of this kind that can be sent.") }
        try await files.make(choice.kind, of: downloads, isHashed: true)
        if case .failed(let reason) = downloads.state(of: choice.kind) { throw NoFile(reason: reason) }
        let opened = try downloads.open(choice.kind)
        let file = OpenFile(owning: opened.descriptor, path: choice.kind.rawValue, nil)
        let name = downloads.name(of: choice.kind)
        let description = LocalSendFile(
            id: choice.kind.rawValue,
            name: name,
            size: opened.size,
            type: choice.kind.plainType,
            sha256: files.digest(choice.kind, of: downloads)
        )
        guard let description else { throw NoFile(reason: "The file is too large.") }
        let leftOut = isPersonal ? [] : personalParts(of: downloads)
        told.change { transfer in
            (transfer.name, transfer.size) = (name, opened.size)
            (transfer.lack, transfer.leftOut) = (downloads.lack(of: choice.kind), leftOut)
            transfer.wholeKinds = downloads.wholeKinds(insteadOf: choice.kind)
        }
        return PhoneContent(file: file, description: description)
    }

    /// What a file of this kind would have after a yes, in words.
    private func personalParts(of downloads: RegionDownloads) -> [String] {
        guard downloads.personal.needsYesForPage else { return [] }
        let region = giver.files.sent.map(\.region).first { $0.id == downloads.region.id } ?? downloads.region
        return order.choice.kind.personalParts(of: region, downloads.personal)
    }
}

extension LocalSendPhone {
    /// Whether a request comes from it: with its certificate, or from its address if that is all that is known.
    ///
    /// LocalSend until 1.17 shows no certificate.
    fileprivate func isSame(as client: LocalSendClient) -> Bool {
        guard let certificate = client.certificate, let fingerprint else { return address == client.address }
        return certificate == LocalSendFingerprint(fingerprint)
    }
}

extension LocalSendEnd {
    /// How a session has ended; nil if the phone has everything.
    fileprivate init?(_ outcome: OutgoingLocalSend.Outcome) {
        switch outcome {
        case .complete: return nil
        case .notNeeded: self = .notNeeded
        case .declined: self = .declined
        case .noPIN: self = .noPIN
        case .wrongPIN: self = .wrongPIN
        case .busy: self = .busy
        case .cancelledThere: self = .cancelledThere
        case .stoppedHere: self = .stoppedHere
        case .unreachable: self = .unreachable
        case .otherDevice: self = .otherDevice
        case .lost: self = .lost
        case .damaged: self = .damaged
        case .failed(let status): self = .failedThere(status: status)
        case .unreadable: self = .failedThere(status: LocalSendStatus.ok.rawValue)
        }
    }
}

extension DownloadKind {
    /// The media type without parameters, which some devices take for a part of the type.
    fileprivate var plainType: String { String(contentType.prefix { $0 != ";" }) }
}
