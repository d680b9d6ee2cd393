import LocalSend
import RegionSharing
import RegionStore
import Synchronization
import WebServer

/// Sends files to phones that have LocalSend, several at once.
final class PhoneGiver: Sendable {
    /// How long a phone is waited for whose person thinks: LocalSend itself waits for as long as it takes.
    private static let questionTime: Duration = .seconds(600)
    /// How long a phone may take nothing: its screen may be dark for a while.
    private static let silence: Duration = .seconds(60)
    /// How long it may examine a file that has come.
    private static let examinationTime: Duration = .seconds(120)
    /// The time for each part of the request that stops a session: nobody waits for the answer.
    private static let lastTime: Duration = .seconds(2)
    /// How often the place among others is told.
    private static let interval: Duration = .milliseconds(500)

    let files: PhoneFiles
    let wishes: LocalSendWishes
    let finder: LocalSendFinder
    private let identity: WebIdentity
    private let running = Mutex<[Int: PhoneDelivery]>([:])

    /// Creates it for phones that a finder finds.
    init(of files: PhoneFiles, _ wishes: LocalSendWishes, to finder: LocalSendFinder, as identity: WebIdentity) {
        (self.files, self.wishes, self.finder, self.identity) = (files, wishes, finder, identity)
    }

    /// What this machine says of itself.
    func own() -> LocalSendDevice { finder.own }

    /// Sends a file; nil if the phone has it.
    func give(_ order: PhoneDesk.Order) async -> LocalSendEnd? {
        let delivery = PhoneDelivery(order, by: self)
        running.withLock { $0[order.number] = delivery }
        defer { running.withLock { $0[order.number] = nil } }
        return await delivery.run()
    }

    /// Stops a transfer.
    func stop(_ number: Int) { running.withLock { $0[number] }?.stop() }

    /// A device has stopped a session that it has named so.
    func cancelled(_ session: String, by client: LocalSendClient) {
        for delivery in running.withLock({ Array($0.values) }) { delivery.cancelled(session, by: client) }
    }

    // MARK: Requests

    /// Sends the list of files, and waits for the person at the phone.
    func send(_ list: [UInt8], _ path: LocalSendPath, _ phone: LocalSendPhone) async throws -> WebClient.Answer {
        var options = try self.options(for: phone)
        options.maximumAnswerLength = LocalSendLimits.agreementLength
        options.answerTime = Self.questionTime
        return try await post(path, .bytes(list, type: "application/json"), phone, options)
    }

    /// Sends a file, in turn with others.
    func upload(
        _ content: PhoneContent,
        _ path: LocalSendPath,
        _ phone: LocalSendPhone,
        _ told: ToldTransfer
    ) async throws -> WebClient.Answer {
        let pace = files.turns.pace(for: phone.address)
        var options = try self.options(for: phone)
        options.pace = pace
        options.answerTime = Self.examinationTime
        let size = content.description.size
        options.progress = { bytes in
            // While the phone examines the file, others are served.
            if bytes >= size { pace.leave() }
            told.sent(bytes, at: pace.place)
        }
        return try await withThrowingTaskGroup(of: WebClient.Answer?.self) { [options] group in
            group.addTask {
                let file = WebClient.Content.file(content.file, 0..<size, type: content.description.type)
                return try await self.post(path, file, phone, options)
            }
            // While it waits for its turn, nothing is sent.
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.interval)
                    told.sent(at: pace.place)
                }
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else { throw CancellationError() }
            return answer
        }
    }

    /// Tells a phone that a session is stopped; it may be gone.
    func tell(_ path: LocalSendPath, _ phone: LocalSendPhone) async {
        guard var options = try? self.options(for: phone) else { return }
        (options.connectTime, options.handshakeTime) = (Self.lastTime, Self.lastTime)
        (options.idleTime, options.answerTime) = (Self.lastTime, Self.lastTime)
        _ = try? await post(path, .bytes([], type: nil), phone, options)
    }

    private func options(for phone: LocalSendPhone) throws -> WebClient.Options {
        let fingerprint = try neighbour(phone).device.fingerprint
        var options = WebClient.Options(identity: identity)
        options.expects = { LocalSendFingerprint(certificate: $0) == fingerprint }
        options.idleTime = Self.silence
        return options
    }

    private func post(
        _ path: LocalSendPath,
        _ content: WebClient.Content,
        _ phone: LocalSendPhone,
        _ options: WebClient.Options
    ) async throws -> WebClient.Answer {
        let neighbour = try neighbour(phone)
        let (port, isSecure) = (Int(neighbour.device.port), neighbour.device.scheme == .https)
        guard let address = WebAddress(host: neighbour.address, port: port, isSecure: isSecure) else {
            throw WebClient.Failure.unreachable
        }
        return try await WebClient.post(to: address, path.path, query: path.query, content: content, options: options)
    }

    /// Where the phone is now.
    private func neighbour(_ phone: LocalSendPhone) throws -> LocalSendNeighbour {
        guard let neighbour = finder.neighbour(of: phone) else { throw WebClient.Failure.unreachable }
        return neighbour
    }
}
